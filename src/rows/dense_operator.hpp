// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/matrix.hpp>

#include "base/operator.hpp"

namespace mbn::pca {

/// Dense float rows, as they are. `rows` must outlive it. Products are made of float32 in short
/// pieces that are added in double, so they are quick and good to about seven digits.
class DenseOperator final : public Operator {
 public:
  DenseOperator(MatrixView rows, Job& job);

  std::size_t rows() const override { return rows_.rows(); }
  std::size_t entries() const override { return rows_.columns(); }
  std::size_t rank_bound() const override { return std::min(rows(), entries()); }
  double total_scatter() const override { return total_scatter_; }
  using Operator::multiply;
  using Operator::multiply_transposed;
  void multiply(const double* x, std::size_t columns, double* y) const override;
  void multiply_transposed(const double* y, std::size_t columns, double* x) const override;

 private:
  MatrixView rows_;
  double total_scatter_ = 0;
};

}  // namespace mbn::pca
