// SPDX-License-Identifier: Apache-2.0
//
// Three layouts are told apart by their first bytes: a safetensors file has 8 bytes of length and
// then "{", ONNX begins with the field of its version (08), a vocabulary is JSON that names its
// format at once. The header of a safetensors file then names the kind.
#include <mbn/file_kind.hpp>

#include <fstream>
#include <limits>
#include <string>

#include <mbn/error.hpp>

#include "store/kind.hpp"
#include "store/options_json.hpp"

namespace mbn {

namespace {

constexpr std::size_t kHeadBytes = 256;
constexpr std::size_t kBraceOfTensors = 8;

std::string head_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kHeadBytes, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

FileKind kind_in(const Metadata& metadata) {
  const auto format = metadata.find("format");
  const auto kind = metadata.find("kind");
  if (format == metadata.end() || format->second != "mbn" || kind == metadata.end()) {
    return FileKind::other;
  }
  return value_named<FileKind>(kind->second).value_or(FileKind::other);
}

}  // namespace

FileKind file_kind(const std::filesystem::path& path) {
  std::error_code ignored;
  // The reader says what is wrong with a file that is missing, a folder, or a pipe.
  if (!std::filesystem::is_regular_file(path, ignored))
    return kind_in(TensorReader(path).metadata());
  const std::string head = head_of(path);
  if (head.size() > kBraceOfTensors && head[kBraceOfTensors] == '{' && head[0] != '{') {
    return kind_in(TensorReader(path).metadata());
  }
  if (head.starts_with('\x08')) return FileKind::student;
  if (head.starts_with('{') && head.find("\"mbn vocabulary\"") != std::string::npos) {
    return FileKind::vocabulary;
  }
  return FileKind::other;
}

CheckpointInfo checkpoint_info(const std::filesystem::path& path) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  const TensorReader file(path);
  check_kind(file, "checkpoint", "a checkpoint");
  const auto options = file.metadata().find("options");
  if (options == file.metadata().end()) file.fail("the metadata lacks 'options'");
  return {options_from_json(options->second, file.name()),
          read_number(file, "training_rows", 0, kAny), read_number(file, "columns", 0, kAny),
          static_cast<std::uint32_t>(
              read_number(file, "layers", 0, std::numeric_limits<std::uint32_t>::max()))};
}

}  // namespace mbn
