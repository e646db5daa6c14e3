// SPDX-License-Identifier: Apache-2.0
#include "input/scipy_arrays.hpp"

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "input/sparse_entries.hpp"

namespace mbn {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& problem) {
  throw FormatError(
      ErrorCode::damaged,
      fmt::format(
          "{}: the sparse matrix is damaged: {}; write it again (SciPy: scipy.sparse.save_npz)",
          name, problem),
      {.path = name});
}

// Starts must lead through the indices from the first to the last.
void check_starts(const std::string& name, const ScipyArrays& arrays, std::uint64_t lines) {
  const auto& starts = arrays.starts;
  if (starts.size() != lines + 1) {
    fail(name, fmt::format("'indptr' has {} numbers for {} {}", starts.size(), lines,
                           arrays.by_column ? "columns" : "rows"));
  }
  if (arrays.indices.size() != arrays.values.size()) {
    fail(name, fmt::format("there are {} indices but {} values", arrays.indices.size(),
                           arrays.values.size()));
  }
  if (starts.front() != 0 || starts.back() > arrays.indices.size()) {
    fail(name, fmt::format("'indptr' goes from {} to {}, and there are {} indices", starts.front(),
                           starts.back(), arrays.indices.size()));
  }
  for (std::size_t i = 1; i < starts.size(); ++i) {
    if (starts[i] < starts[i - 1])
      fail(name, fmt::format("'indptr' is not ascending at its number {}", i));
  }
}

void check_index(const std::string& name, std::uint64_t index, std::uint64_t width) {
  if (index >= width) fail(name, fmt::format("it has an index {} of {}", index, width));
}

/// Whether the indices of every row ascend, as they mostly do.
bool are_sorted(const ScipyArrays& arrays) {
  for (std::size_t row = 0; row + 1 < arrays.starts.size(); ++row) {
    for (std::uint64_t n = arrays.starts[row] + 1; n < arrays.starts[row + 1]; ++n) {
      if (arrays.indices[n] <= arrays.indices[n - 1]) return false;
    }
  }
  return true;
}

/// Rows that are compressed and sorted already: without a list of cells to sort.
SparseMatrix sorted_rows(const std::string& name, const ScipyArrays& arrays) {
  SparseMatrix matrix;
  matrix.columns = arrays.shape[1];
  matrix.starts.reserve(arrays.starts.size());
  matrix.indices.reserve(arrays.starts.back());
  matrix.values.reserve(arrays.starts.back());
  for (std::size_t row = 0; row + 1 < arrays.starts.size(); ++row) {
    for (std::uint64_t n = arrays.starts[row]; n < arrays.starts[row + 1]; ++n) {
      check_index(name, arrays.indices[n], arrays.shape[1]);
      if (arrays.values[n] == 0) continue;
      matrix.indices.push_back(static_cast<std::uint32_t>(arrays.indices[n]));
      matrix.values.push_back(arrays.values[n]);
    }
    matrix.starts.push_back(matrix.indices.size());
  }
  return matrix;
}

}  // namespace

SparseMatrix rows_from_scipy(const std::string& name, const ScipyArrays& arrays) {
  if (arrays.shape.size() != 2) {
    fail(name, fmt::format("its shape has {} numbers", arrays.shape.size()));
  }
  const std::uint64_t rows = arrays.shape[0];
  const std::uint64_t columns = arrays.shape[1];
  // In csr the file holds the starts of all rows; in csc nothing bounds the number of rows.
  check_sparse_shape(name, rows, columns, arrays.by_column ? arrays.indices.size() : rows);
  const std::uint64_t lines = arrays.by_column ? columns : rows;
  const std::uint64_t width = arrays.by_column ? rows : columns;
  check_starts(name, arrays, lines);
  if (!arrays.by_column && are_sorted(arrays)) return sorted_rows(name, arrays);
  std::vector<SparseEntry> cells;
  cells.reserve(arrays.starts.back());
  for (std::uint64_t line = 0; line < lines; ++line) {
    for (std::uint64_t n = arrays.starts[line]; n < arrays.starts[line + 1]; ++n) {
      const std::uint64_t index = arrays.indices[n];
      check_index(name, index, width);
      const auto here = static_cast<std::uint32_t>(line);
      const auto there = static_cast<std::uint32_t>(index);
      cells.push_back(
          {arrays.by_column ? there : here, arrays.by_column ? here : there, arrays.values[n]});
    }
  }
  return rows_from_entries(name, rows, columns, std::move(cells));
}

}  // namespace mbn
