// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/tensor_file.hpp"

namespace mbn {

/// The highest format version that this build reads: of an index, and of all other kinds.
inline constexpr std::uint64_t kIndexVersion = 3;
inline constexpr std::uint64_t kFormatVersion = 2;

/// The metadata that every file of ours begins with. The version is the lowest whose readers
/// understand the file.
Metadata common_metadata(std::string kind, std::uint64_t format_version = 1);

/// The functions below throw FormatError when the file does not have what they ask for.

/// The kind of a file of ours, of a version that this build reads.
const std::string& read_kind(const TensorReader& file);
/// That version.
std::uint64_t read_format_version(const TensorReader& file);
/// Checks that it is this one; `wanted` says so in words ("an index").
void check_kind(const TensorReader& file, std::string_view kind, std::string_view wanted);

/// A text and a number in the metadata, which must be there.
const std::string& read_text(const TensorReader& file, std::string_view key);
std::uint64_t read_number(const TensorReader& file, std::string_view key, std::uint64_t minimum,
                          std::uint64_t maximum);

/// A tensor that must be there with `rank` extents, and with this type.
const TensorInfo& find_tensor(const TensorReader& file, std::string_view name, std::size_t rank);
const TensorInfo& find_tensor(const TensorReader& file, std::string_view name, TensorType type,
                              std::size_t rank);

/// All of a tensor with one extent.
template <class T>
std::vector<T> read_vector(const TensorReader& file, std::string_view name) {
  const TensorInfo& info = find_tensor(file, name, tensor_type_of<T>(), 1);
  std::vector<T> values(info.shape[0]);
  file.read(info, values.data());
  return values;
}

}  // namespace mbn
