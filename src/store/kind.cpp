// SPDX-License-Identifier: Apache-2.0
#include "store/kind.hpp"

#include <fmt/format.h>

#include <limits>

#include <mbn/error.hpp>
#include <mbn/version.hpp>

#include "store/decimal.hpp"

namespace mbn {

Metadata common_metadata(std::string kind, std::uint64_t format_version) {
  Metadata metadata;
  metadata["format"] = "mbn";
  metadata["format_version"] = std::to_string(format_version);
  metadata["kind"] = std::move(kind);
  metadata["library_version"] = version();
  return metadata;
}

const std::string& read_text(const TensorReader& file, std::string_view key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) {
    file.fail(fmt::format("the metadata lacks '{}'; the file is not one that mbn wrote", key),
              ErrorCode::not_this_format);
  }
  return found->second;
}

std::uint64_t read_number(const TensorReader& file, std::string_view key, std::uint64_t minimum,
                          std::uint64_t maximum) {
  const std::string& text = read_text(file, key);
  const auto value = parse_decimal(text);
  if (!value || *value < minimum || *value > maximum) {
    file.fail(fmt::format("'{}' in the metadata is {}; it must be a number from {} to {}", key,
                          in_quotes(text), minimum, maximum));
  }
  return *value;
}

std::uint64_t read_format_version(const TensorReader& file) {
  const auto format = file.metadata().find("format");
  if (format == file.metadata().end() || format->second != "mbn") {
    file.fail("not an mbn model: a safetensors file of something else", ErrorCode::not_this_format);
  }
  const std::uint64_t seen =
      read_number(file, "format_version", 1, std::numeric_limits<std::uint64_t>::max());
  const auto kind = file.metadata().find("kind");
  const bool is_index = kind != file.metadata().end() && kind->second == "index";
  const std::uint64_t highest = is_index ? kIndexVersion : kFormatVersion;
  if (seen > highest) {
    file.fail(fmt::format("the file has format version {}, and this build (mbn {}) reads up to "
                          "version {}; use a newer mbn",
                          seen, version(), highest),
              ErrorCode::too_new);
  }
  return seen;
}

const std::string& read_kind(const TensorReader& file) {
  read_format_version(file);
  return read_text(file, "kind");
}

void check_kind(const TensorReader& file, std::string_view kind, std::string_view wanted) {
  const std::string& seen = read_kind(file);
  if (seen == kind) return;
  file.fail(fmt::format("its kind is {}, and {} was asked for", in_quotes(seen), wanted),
            ErrorCode::wrong_kind);
}

const TensorInfo& find_tensor(const TensorReader& file, std::string_view name, std::size_t rank) {
  const TensorInfo* info = file.find(name);
  if (info == nullptr) file.fail(fmt::format("the tensor '{}' is missing", name));
  if (info->shape.size() != rank) {
    file.fail(fmt::format("tensor '{}' has the shape [{}]; it must have {} extents", name,
                          fmt::join(info->shape, ", "), rank));
  }
  return *info;
}

const TensorInfo& find_tensor(const TensorReader& file, std::string_view name, TensorType type,
                              std::size_t rank) {
  const TensorInfo& info = find_tensor(file, name, rank);
  if (info.type != type) {
    file.fail(fmt::format("tensor '{}' is {}; it must be {}", name, type_name(info.type),
                          type_name(type)));
  }
  return info;
}

}  // namespace mbn
