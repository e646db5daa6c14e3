// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <mbn/codes.hpp>

#include "base/operator.hpp"

namespace mbn::pca {

/// The centred one-hot matrix Zc = Z - 1 m^T of codes, rows x (clusterings * centroids). It is
/// never stored; only products with it are computed. `codes` and `job` must outlive it. Products
/// give the same bytes for any number of threads; each costs rows * clusterings additions for each
/// column.
class CodeOperator final : public Operator {
 public:
  CodeOperator(const CodeMatrix& codes, Job& job);

  std::size_t rows() const override { return codes_.rows(); }
  /// clusterings * centroids, the number of entries of a one-hot code.
  std::size_t entries() const override { return mean_.size(); }
  const CodeMatrix& codes() const { return codes_; }
  /// m, the mean one-hot code: the share of the rows that have each entry set.
  const std::vector<double>& mean() const { return mean_; }
  /// The sum of all squares of Zc. Exactly 0 when all rows have the same codes.
  double total_scatter() const override { return total_scatter_; }
  /// An upper bound of the rank of Zc, min(rows - 1, clusterings * (centroids - 1)): the rows of Zc
  /// add up to zero, and so do the entries of each clustering.
  std::size_t rank_bound() const override;

  using Operator::multiply;
  using Operator::multiply_transposed;
  void multiply(const double* x, std::size_t columns, double* y) const override;
  void multiply_transposed(const double* y, std::size_t columns, double* x) const override;

 private:
  const CodeMatrix& codes_;
  std::vector<double> mean_;
  double total_scatter_ = 0;
};

}  // namespace mbn::pca
