// SPDX-License-Identifier: Apache-2.0
//
// Both products cut the inner dimension into pieces of 512: a piece is a product of float32
// (kernels/dense_product.hpp), and pieces are added in double, in order. A task owns some rows of
// the result, so threads change nothing.
#include "rows/dense_operator.hpp"

#include <algorithm>
#include <vector>

#include "base/large_array.hpp"
#include "kernels/dense_product.hpp"

namespace mbn::pca {

namespace {

constexpr std::size_t kPiece = 512;

// c = a b, with `a` rows x inner and `b`, `c` of `columns` columns.
void product(StridedCells a, std::size_t rows, std::size_t inner, const double* b,
             std::size_t columns, double* c, Job& job) {
  std::vector<float> right(b, b + inner * columns);
  job.parallel(blocks(rows, kProductRows), [&](std::size_t task, unsigned) {
    const std::size_t first = task * kProductRows;
    const std::size_t count = std::min(kProductRows, rows - first);
    const std::size_t longest = std::min(kPiece, inner);
    LargeArray<float> packed_left(left_panels(count) * kLeftPanel * longest);
    LargeArray<float> packed_right(right_panels(columns) * kRightPanel * longest);
    std::vector<float> part(count * columns);
    std::fill_n(c + first * columns, count * columns, 0.0);
    for (std::size_t begin = 0; begin < inner; begin += kPiece) {
      const std::size_t length = std::min(kPiece, inner - begin);
      pack_left({a.cells + first * a.row_step + begin * a.column_step, a.row_step, a.column_step},
                count, length, 0, left_panels(count), packed_left.data());
      pack_right({right.data() + begin * columns, columns, 1}, length, columns, 0,
                 right_panels(columns), packed_right.data());
      multiply_packed(packed_left.data(), packed_right.data(), length, {0, count, 0, columns},
                      part.data(), columns);
      for (std::size_t i = 0; i < count * columns; ++i) c[first * columns + i] += double{part[i]};
    }
  });
}

}  // namespace

DenseOperator::DenseOperator(MatrixView rows, Job& job) : Operator(job), rows_(rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float* row = rows.row<float>(i);
    for (std::size_t j = 0; j < rows.columns(); ++j) total_scatter_ += double{row[j]} * row[j];
  }
}

void DenseOperator::multiply(const double* x, std::size_t columns, double* y) const {
  product({rows_.row<float>(0), rows_.row_stride(), 1}, rows(), entries(), x, columns, y, job());
}

void DenseOperator::multiply_transposed(const double* y, std::size_t columns, double* x) const {
  product({rows_.row<float>(0), 1, rows_.row_stride()}, entries(), rows(), y, columns, x, job());
}

}  // namespace mbn::pca
