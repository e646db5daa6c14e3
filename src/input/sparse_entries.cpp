// SPDX-License-Identifier: Apache-2.0
#include "input/sparse_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include <mbn/error.hpp>

namespace mbn {

void check_sparse_shape(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t cells) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (rows == 0 || columns == 0 || rows > kMost || columns > kMost) {
    throw FormatError(
        ErrorCode::bad_value,
        fmt::format("{}: the matrix has {} rows and {} columns; both must be from 1 to {}", name,
                    rows, columns, kMost),
        {.path = name});
  }
  if (rows / 100 > cells + 100) {
    throw FormatError(
        ErrorCode::bad_value,
        fmt::format("{}: the matrix has {} rows, but only {} nonzeros; leave out rows of zeros",
                    name, rows, cells),
        {.path = name});
  }
}

SparseMatrix rows_from_entries(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                               std::vector<SparseEntry> cells) {
  const auto place = [](const SparseEntry& cell) { return std::tie(cell.row, cell.column); };
  const auto before = [&](const SparseEntry& a, const SparseEntry& b) {
    return place(a) < place(b);
  };
  if (!std::is_sorted(cells.begin(), cells.end(), before)) {
    std::sort(cells.begin(), cells.end(), before);
  }
  for (std::size_t n = 1; n < cells.size(); ++n) {
    if (place(cells[n - 1]) != place(cells[n])) continue;
    throw FormatError(
        ErrorCode::bad_value,
        fmt::format("{}: row {}, column {} (counted from 1) is stored twice; sum duplicates "
                    "(SciPy: sum_duplicates) and write the file again",
                    name, cells[n].row + 1, cells[n].column + 1),
        {.path = name, .place = {.row = cells[n].row + 1, .column = cells[n].column + 1}});
  }
  SparseMatrix matrix;
  matrix.columns = columns;
  matrix.starts.reserve(rows + 1);
  matrix.indices.reserve(cells.size());
  matrix.values.reserve(cells.size());
  std::size_t n = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (; n < cells.size() && cells[n].row == row; ++n) {
      if (cells[n].value == 0) continue;
      matrix.indices.push_back(cells[n].column);
      matrix.values.push_back(cells[n].value);
    }
    matrix.starts.push_back(matrix.indices.size());
  }
  return matrix;
}

}  // namespace mbn
