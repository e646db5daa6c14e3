// SPDX-License-Identifier: Apache-2.0
#include "rows/columns.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace mbn {

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

Matrix gather_dense(MatrixView rows, std::span<const std::uint32_t> numbers) {
  Matrix gathered(rows.rows(), numbers.size(), rows.type());
  rows.visit([&](const auto* first) {
    using T = std::remove_cvref_t<decltype(*first)>;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const T* from = rows.row<T>(i);
      T* to = gathered.mutable_row<T>(i);
      for (std::size_t j = 0; j < numbers.size(); ++j) to[j] = from[numbers[j]];
    }
  });
  return gathered;
}

SparseMatrix gather_sparse(SparseView rows, std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t> place(rows.columns(), kNowhere);
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    place[numbers[j]] = static_cast<std::uint32_t>(j);
  }
  SparseMatrix gathered;
  gathered.columns = numbers.size();
  std::vector<std::pair<std::uint32_t, float>> cells;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    cells.clear();
    for (std::size_t n = 0; n < rows.indices(i).size(); ++n) {
      const std::uint32_t column = place[rows.indices(i)[n]];
      if (column != kNowhere) cells.emplace_back(column, rows.values(i)[n]);
    }
    std::ranges::sort(cells);
    for (const auto& [column, value] : cells) {
      gathered.indices.push_back(column);
      gathered.values.push_back(value);
    }
    gathered.starts.push_back(gathered.indices.size());
  }
  return gathered;
}

Matrix transposed_dense(MatrixView rows) {
  Matrix turned(rows.columns(), rows.rows(), rows.type());
  rows.visit([&](const auto* first) {
    using T = std::remove_cvref_t<decltype(*first)>;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const T* from = rows.row<T>(i);
      for (std::size_t j = 0; j < rows.columns(); ++j) turned.mutable_row<T>(j)[i] = from[j];
    }
  });
  return turned;
}

// Counts the nonzeros of each column, then puts them there, row by row: columns come out sorted.
SparseMatrix transposed_sparse(SparseView rows) {
  SparseMatrix turned;
  turned.columns = rows.rows();
  turned.starts.assign(rows.columns() + 1, 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (const std::uint32_t column : rows.indices(i)) ++turned.starts[column + 1];
  }
  for (std::size_t j = 0; j < rows.columns(); ++j) turned.starts[j + 1] += turned.starts[j];
  turned.indices.resize(rows.nonzeros());
  turned.values.resize(rows.nonzeros());
  std::vector<std::uint64_t> next(turned.starts.begin(), turned.starts.end() - 1);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t n = 0; n < rows.indices(i).size(); ++n) {
      const std::uint64_t at = next[rows.indices(i)[n]]++;
      turned.indices[at] = static_cast<std::uint32_t>(i);
      turned.values[at] = rows.values(i)[n];
    }
  }
  return turned;
}

}  // namespace

Rows gather_columns(RowsView rows, std::span<const std::uint32_t> numbers) {
  if (rows.is_sparse()) return gather_sparse(rows.sparse(), numbers);
  return gather_dense(rows.dense(), numbers);
}

Rows transposed(RowsView rows) {
  if (rows.is_sparse()) return transposed_sparse(rows.sparse());
  return transposed_dense(rows.dense());
}

}  // namespace mbn
