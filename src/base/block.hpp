// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/eigen.hpp"
#include "base/job.hpp"

namespace mbn::pca {

/// A tall dense matrix of few columns. Row-major, because operators add whole rows of it.
struct Block {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> cells;

  Block() = default;
  Block(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), cells(row_count * column_count) {}
  double* row(std::size_t index) { return cells.data() + index * columns; }
  const double* row(std::size_t index) const { return cells.data() + index * columns; }
};

/// B^T B, summed over the rows in order.
Eigen::MatrixXd gram(const Block& block, Job& job);

/// B R, where R is `rotation`: one row for each column of the block; it may have fewer columns.
Block rotated(const Block& block, const Eigen::MatrixXd& rotation, Job& job);

/// Orthonormal columns that span the same space. Directions that are only rounding noise are left
/// out, so the result may have fewer columns, even none.
Block orthonormalised(Block block, Job& job);
/// The same in one pass, orthonormal to a few digits only: for the rounds of an iteration.
Block orthonormalised_roughly(Block block, Job& job);

/// The first `count` columns.
Block first_columns(const Block& block, std::size_t count);

/// Eigenvalues in descending order, and their eigenvectors as columns.
struct SmallEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SmallEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

}  // namespace mbn::pca
