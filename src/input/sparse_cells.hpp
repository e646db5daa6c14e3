// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <mbn/sparse.hpp>

namespace mbn {

struct SparseCell {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  float value = 0;
};

/// FormatError unless rows and columns are counts that compressed rows can have, and the rows are
/// not so many more than the cells that a few bytes would claim much memory.
void check_sparse_shape(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t cells);

/// Compressed rows from cells in any order. FormatError when two cells have the same place. Zeros
/// are left out. The cells must lie inside the shape, which must have been checked.
SparseMatrix compress_cells(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                            std::vector<SparseCell> cells);

}  // namespace mbn
