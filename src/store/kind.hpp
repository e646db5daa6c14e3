// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/tensor_file.hpp"

namespace mbn {

/// The metadata that every file of ours begins with.
Metadata common_metadata(std::string kind);

/// FormatError unless the file is of this kind and of a version that this build reads. `hint` says
/// who makes such a file.
void check_kind(const TensorReader& file, std::string_view kind, std::string_view hint);

/// A number in the metadata.
std::uint64_t read_number(const TensorReader& file, std::string_view key, std::uint64_t maximum);

/// A tensor that must be there with this type and `rank` extents.
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
