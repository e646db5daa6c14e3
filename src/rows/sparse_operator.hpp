// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/sparse.hpp>

#include "base/operator.hpp"

namespace mbn::pca {

/// Sparse rows, not centred: their right singular vectors are the directions of latent semantic
/// analysis. Keeps a transposed copy; `rows` must outlive it. A product costs one multiplication
/// for each nonzero and column.
class SparseOperator final : public Operator {
 public:
  SparseOperator(SparseView rows, Job& job);

  std::size_t rows() const override { return rows_.rows(); }
  std::size_t entries() const override { return rows_.columns(); }
  std::size_t rank_bound() const override;
  double total_scatter() const override { return total_scatter_; }
  using Operator::multiply;
  using Operator::multiply_transposed;
  void multiply(const double* x, std::size_t columns, double* y) const override;
  void multiply_transposed(const double* y, std::size_t columns, double* x) const override;

 private:
  SparseView rows_;
  SparseMatrix transposed_;
  double total_scatter_ = 0;
};

}  // namespace mbn::pca
