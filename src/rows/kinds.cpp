// SPDX-License-Identifier: Apache-2.0
//
// Rows are worked on as sparse when at most one value in sixteen is nonzero. There sparse rows (8
// bytes for each nonzero) take an eighth of the memory of dense ones (4 bytes for each value), and
// the engines for either kind take about the same time. Stored zeros are not counted, and are
// removed, so the same data give the same kind and the same results whether they come as a dense or
// as a sparse matrix.
#include "rows/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include <mbn/error.hpp>

#include "rows/gather.hpp"

namespace mbn {

namespace {

constexpr std::uint64_t kOneIn = 16;
constexpr std::size_t kBlockRows = 1024;

std::uint64_t count_in(RowsView rows) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.is_sparse()) {
      const auto values = rows.sparse().values(i);
      count += static_cast<std::uint64_t>(
          std::count_if(values.begin(), values.end(), [](float value) { return value != 0; }));
    } else {
      rows.dense().visit([&](const auto* cells) {
        const auto* row = cells + i * rows.dense().row_stride();
        for (std::size_t j = 0; j < rows.columns(); ++j) count += row[j] != 0 ? 1 : 0;
      });
    }
  }
  return count;
}

void append_row(SparseMatrix& sparse, RowsView rows, std::size_t row) {
  const auto append = [&](std::size_t column, float value) {
    if (value == 0) return;
    sparse.indices.push_back(static_cast<std::uint32_t>(column));
    sparse.values.push_back(value);
  };
  if (rows.is_sparse()) {
    const auto at = rows.sparse().indices(row);
    for (std::size_t n = 0; n < at.size(); ++n) append(at[n], rows.sparse().values(row)[n]);
  } else {
    rows.dense().visit([&](const auto* cells) {
      const auto* first = cells + row * rows.dense().row_stride();
      for (std::size_t j = 0; j < rows.columns(); ++j) append(j, static_cast<float>(first[j]));
    });
  }
  sparse.starts.push_back(sparse.indices.size());
}

}  // namespace

std::uint64_t count_nonzeros(RowsView rows, Job& job) {
  std::vector<std::uint64_t> counts(blocks(rows.rows(), kBlockRows));
  job.parallel(counts.size(), [&](std::size_t task, unsigned) {
    const std::size_t first = task * kBlockRows;
    counts[task] = count_in(rows.slice(first, std::min(kBlockRows, rows.rows() - first)));
  });
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

bool mostly_zeros(std::uint64_t nonzeros, std::uint64_t rows, std::uint64_t columns) {
  return nonzeros <= rows * columns / kOneIn;
}

Rows as_sparse(RowsView rows) {
  const std::uint64_t nonzeros = count_in(rows);
  if (rows.is_sparse() && rows.sparse().nonzeros() == nonzeros) return Rows::borrow(rows);
  SparseMatrix sparse;
  sparse.columns = rows.columns();
  sparse.starts.reserve(rows.rows() + 1);
  sparse.indices.reserve(nonzeros);
  sparse.values.reserve(nonzeros);
  for (std::size_t i = 0; i < rows.rows(); ++i) append_row(sparse, rows, i);
  return sparse;
}

Rows as_dense(RowsView rows) {
  if (!rows.is_sparse()) return Rows::borrow(rows);
  Matrix dense(rows.rows(), rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto at = rows.sparse().indices(i);
    float* row = dense.mutable_row<float>(i);
    for (std::size_t n = 0; n < at.size(); ++n) row[at[n]] = rows.sparse().values(i)[n];
  }
  return dense;
}

SparseMatrix gather_rows(SparseView rows, std::span<const std::uint32_t> numbers) {
  SparseMatrix gathered;
  gathered.columns = rows.columns();
  std::uint64_t nonzeros = 0;
  for (const std::uint32_t number : numbers) nonzeros += rows.indices(number).size();
  gathered.starts.reserve(numbers.size() + 1);
  gathered.indices.reserve(nonzeros);
  gathered.values.reserve(nonzeros);
  for (const std::uint32_t number : numbers) {
    const auto at = rows.indices(number);
    const auto values = rows.values(number);
    gathered.indices.insert(gathered.indices.end(), at.begin(), at.end());
    gathered.values.insert(gathered.values.end(), values.begin(), values.end());
    gathered.starts.push_back(gathered.indices.size());
  }
  return gathered;
}

Rows gather(RowsView rows, std::span<const std::uint32_t> numbers) {
  if (rows.is_sparse()) return gather_rows(rows.sparse(), numbers);
  return gather_rows(rows.dense(), numbers);
}

Rows as_kind(bool sparse, RowsView rows) {
  return sparse ? as_sparse(rows) : as_dense(rows);
}

void require_sound(SparseView rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::uint64_t lowest = 0;  // the lowest valid number of the next column
    for (const std::uint32_t column : rows.indices(i)) {
      if (column >= rows.columns()) {
        throw InvalidArgument(
            ErrorCode::unsorted,
            fmt::format("row {} (counted from 1) of the sparse rows names column {}, but there are "
                        "{} columns (counted from 0)",
                        i + 1, column, rows.columns()),
            {.place = {.row = i + 1}});
      }
      if (column < lowest) {
        throw InvalidArgument(
            ErrorCode::unsorted,
            fmt::format("row {} (counted from 1) of the sparse rows names column {} twice or out "
                        "of order; sort the columns of each row and add up repeated ones",
                        i + 1, column),
            {.place = {.row = i + 1}});
      }
      lowest = std::uint64_t{column} + 1;
    }
  }
}

}  // namespace mbn
