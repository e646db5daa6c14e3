// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <mbn/sparse.hpp>

namespace mbn {

struct SparseEntry {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  float value = 0;
};

/// FormatError unless rows and columns are counts that compressed rows can have. Also when there
/// are so many more rows than nonzeros (`cells`) that a small file would need much memory.
void check_sparse_shape(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t cells);

/// Compressed rows from nonzeros in any order. FormatError when two are in the same place. Zeros
/// are left out. All must lie inside the shape, which must have been checked.
SparseMatrix rows_from_entries(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                               std::vector<SparseEntry> cells);

}  // namespace mbn
