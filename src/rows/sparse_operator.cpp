// SPDX-License-Identifier: Apache-2.0
//
// X x and X^T y are the same loop, over the rows or over a transposed copy: every row of the result
// is one sum that one thread makes in one order. X^T y from the rows themselves would save the
// copy, but several threads would then add to the same sums.
#include "rows/sparse_operator.hpp"

#include <algorithm>

namespace mbn::pca {

namespace {

constexpr std::size_t kRowsPerTask = 1024;

SparseMatrix transposed(SparseView rows) {
  SparseMatrix result;
  result.columns = rows.rows();
  result.starts.assign(rows.columns() + 1, 0);
  result.indices.resize(rows.nonzeros());
  result.values.resize(rows.nonzeros());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (const std::uint32_t column : rows.indices(i)) ++result.starts[column + 1];
  }
  for (std::size_t c = 0; c < rows.columns(); ++c) result.starts[c + 1] += result.starts[c];
  std::vector<std::uint64_t> place(result.starts.begin(), result.starts.end() - 1);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto indices = rows.indices(i);
    const auto values = rows.values(i);
    for (std::size_t c = 0; c < indices.size(); ++c) {
      const std::uint64_t to = place[indices[c]]++;
      result.indices[to] = static_cast<std::uint32_t>(i);
      result.values[to] = values[c];
    }
  }
  return result;
}

void product(SparseView matrix, const double* x, std::size_t columns, double* y, Job& job) {
  job.parallel(blocks(matrix.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
    const std::size_t last = std::min((task + 1) * kRowsPerTask, matrix.rows());
    for (std::size_t i = task * kRowsPerTask; i < last; ++i) {
      const auto indices = matrix.indices(i);
      const auto values = matrix.values(i);
      double* sum = y + i * columns;
      std::fill(sum, sum + columns, 0.0);
      for (std::size_t c = 0; c < indices.size(); ++c) {
        const double factor = values[c];
        const double* from = x + std::size_t{indices[c]} * columns;
        for (std::size_t k = 0; k < columns; ++k) sum[k] += factor * from[k];
      }
    }
  });
}

}  // namespace

SparseOperator::SparseOperator(SparseView rows, Job& job)
    : Operator(job), rows_(rows), transposed_(transposed(rows)) {
  for (const float value : transposed_.values) total_scatter_ += double{value} * value;
}

std::size_t SparseOperator::rank_bound() const {
  return std::min(rows(), entries());
}

void SparseOperator::multiply(const double* x, std::size_t columns, double* y) const {
  product(rows_, x, columns, y, job());
}

void SparseOperator::multiply_transposed(const double* y, std::size_t columns, double* x) const {
  product(transposed_, y, columns, x, job());
}

}  // namespace mbn::pca
