// SPDX-License-Identifier: Apache-2.0
#include "store/kind.hpp"

#include <fmt/format.h>

#include <mbn/error.hpp>
#include <mbn/version.hpp>

#include "store/decimal.hpp"
#include "store/model_reader.hpp"

namespace mbn {

namespace {

std::string_view text_of(const TensorReader& file, std::string_view key) {
  const auto found = file.metadata().find(key);
  return found == file.metadata().end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace

Metadata common_metadata(std::string kind) {
  Metadata metadata;
  metadata["format"] = "mbn";
  metadata["format_version"] = std::to_string(kFormatVersion);
  metadata["kind"] = std::move(kind);
  metadata["library_version"] = version();
  return metadata;
}

void check_kind(const TensorReader& file, std::string_view kind, std::string_view hint) {
  if (text_of(file, "format") != "mbn") {
    file.fail("not a file of mbn: a safetensors file of something else",
              ErrorCode::not_this_format);
  }
  if (const auto seen = parse_decimal(text_of(file, "format_version"));
      !seen || *seen == 0 || *seen > kFormatVersion) {
    file.fail(fmt::format("its format version is {}, and this build (mbn {}) reads up to {}; use a "
                          "newer mbn",
                          in_quotes(text_of(file, "format_version")), version(), kFormatVersion),
              ErrorCode::too_new);
  }
  if (text_of(file, "kind") != kind) {
    file.fail(fmt::format("its kind is {}, and a file of kind '{}' was asked for; {}",
                          in_quotes(text_of(file, "kind")), kind, hint),
              ErrorCode::wrong_kind);
  }
}

std::uint64_t read_number(const TensorReader& file, std::string_view key, std::uint64_t maximum) {
  const auto value = parse_decimal(text_of(file, key));
  if (!value || *value > maximum) {
    file.fail(fmt::format("'{}' in the metadata is {}; it must be a number up to {}", key,
                          in_quotes(text_of(file, key)), maximum));
  }
  return *value;
}

const TensorInfo& find_tensor(const TensorReader& file, std::string_view name, TensorType type,
                              std::size_t rank) {
  const TensorInfo* info = file.find(name);
  if (info == nullptr) file.fail(fmt::format("the tensor '{}' is missing", name));
  if (info->type != type || info->shape.size() != rank) {
    file.fail(fmt::format("the tensor '{}' has another type or shape than it should", name));
  }
  return *info;
}

}  // namespace mbn
