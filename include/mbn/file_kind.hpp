// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include <mbn/options.hpp>

namespace mbn {

/// What a file is, of those that this library writes: `Model::save`, `Student::save` (ONNX),
/// `Index::save`, `Lsa::save`, `Fitter::save_checkpoint`, `Vectorizer::save`; or none of them.
enum class FileKind : std::uint8_t { model, student, index, lsa, checkpoint, vocabulary, other };
template <>
constexpr auto enum_names<FileKind>() {
  return std::array<std::string_view, 7>{"model",      "student",    "index", "lsa",
                                         "checkpoint", "vocabulary", "other"};
}

/// Decided by the first bytes and the header, not by the file's name. The rest is not checked: a
/// damaged file has its kind too, and is refused when it is loaded. IoError when the file cannot be
/// read; FormatError when it begins like one of ours and its header is damaged.
FileKind file_kind(const std::filesystem::path& path);

/// The header of a checkpoint: the fit that is not finished.
struct CheckpointInfo {
  FitOptions options;  ///< with what was chosen
  std::uint64_t training_rows = 0;
  std::uint64_t columns = 0;
  std::uint32_t layers_done = 0;
};

/// FormatError when the file is not a checkpoint.
CheckpointInfo checkpoint_info(const std::filesystem::path& path);

}  // namespace mbn
