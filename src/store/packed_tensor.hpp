// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/packed_numbers.hpp"
#include "store/tensor_file.hpp"

namespace mbn {

/// Matrices of whole numbers, packed (base/packed_numbers.hpp) into tensors U8 whose rows begin at
/// a byte. `bound` is what all numbers are below; it decides how many bits each gets.

/// A tensor of rows x count numbers. They must stay valid until it is written; no copy is made.
template <class T>
TensorSource packed_source(std::string name, const T* numbers, std::uint64_t rows,
                           std::uint64_t count, std::uint64_t bound);

/// The same for rows that are sets, ascending: a bit for each number below `bound`, or the numbers
/// themselves where that is smaller (`packed_as_mask`).
TensorSource packed_sets_source(std::string name, const std::uint32_t* numbers, std::uint64_t rows,
                                std::uint64_t count, std::uint64_t bound);

/// FormatError unless the rows of the tensor have the bytes that they must have. To be called
/// before memory for the numbers is taken.
void check_packed(const TensorReader& file, const TensorInfo& tensor, std::uint64_t count,
                  std::uint64_t bound);

/// Reads rows x count numbers from a tensor that was checked, and returns the highest of them: it
/// may reach `bound` when the file is not sound. FormatError when padding is not zero.
template <class T>
T read_packed(const TensorReader& file, const TensorInfo& tensor, std::uint64_t count,
              std::uint64_t bound, T* to);

/// Reads rows of sets, with all these checks. Masks ascend and are below `bound`; packed numbers
/// are returned as they are.
std::vector<std::uint32_t> read_packed_sets(const TensorReader& file, const TensorInfo& tensor,
                                            std::uint64_t count, std::uint64_t bound);

}  // namespace mbn
