// SPDX-License-Identifier: Apache-2.0
//
// Products of tall matrices with small ones, and orthonormal columns through the small Gram matrix
// B^T B. With D = diag(B^T B) and the eigenvectors V and values L
// of D^-1/2 B^T B D^-1/2,
//
//     Q = B D^-1/2 V L^-1/2       has       Q^T Q = I.
//
// This passes over the tall matrix only twice. Columns that depend on the others show as small
// eigenvalues and are dropped. Forming B^T B loses half of the digits, so the whole step is done
// twice: the second time B is nearly orthonormal already, and no more digits are lost.
//
// Sums run over rows in a fixed order; tasks are bands of the small matrix or blocks of rows, so no
// sum is ever split between threads.
#include "base/block.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mbn::pca {

namespace {

constexpr std::size_t kRowsPerTask = 512;
constexpr std::size_t kBand = 8;
// Relative to the largest eigenvalue of the scaled Gram matrix: smaller eigenvalues are rounding
// noise.
constexpr double kNoise = 1e-13;

}  // namespace

Eigen::MatrixXd gram(const Block& block, Job& job) {
  const std::size_t columns = block.columns;
  std::vector<double> sums(columns * columns);
  job.parallel(blocks(columns, kBand), [&](std::size_t task, unsigned) {
    const std::size_t first = task * kBand;
    const std::size_t last = std::min(first + kBand, columns);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double* row = block.row(i);
      for (std::size_t a = first; a < last; ++a) {
        const double factor = row[a];
        double* sum = sums.data() + a * columns;
        for (std::size_t c = 0; c < columns; ++c) sum[c] += factor * row[c];
      }
    }
  });
  return Eigen::Map<const Eigen::MatrixXd>(sums.data(), static_cast<Eigen::Index>(columns),
                                           static_cast<Eigen::Index>(columns));
}

Block rotated(const Block& block, const Eigen::MatrixXd& rotation, Job& job) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor table = rotation;
  const auto columns = static_cast<std::size_t>(rotation.cols());
  Block result(block.rows, columns);
  job.parallel(blocks(block.rows, kRowsPerTask), [&](std::size_t task, unsigned) {
    const std::size_t last = std::min((task + 1) * kRowsPerTask, block.rows);
    for (std::size_t i = task * kRowsPerTask; i < last; ++i) {
      const double* from = block.row(i);
      double* to = result.row(i);
      for (std::size_t a = 0; a < block.columns; ++a) {
        const double factor = from[a];
        const double* turn = table.data() + a * columns;
        for (std::size_t c = 0; c < columns; ++c) to[c] += factor * turn[c];
      }
    }
  });
  return result;
}

Block orthonormalised_roughly(Block block, Job& job) {
  if (block.columns == 0) return block;
  Eigen::MatrixXd products = gram(block, job);
  const Eigen::Index columns = products.rows();
  Eigen::VectorXd scale(columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    scale[c] = products(c, c) > 0 ? 1 / std::sqrt(products(c, c)) : 0.0;
  }
  products = scale.asDiagonal() * products * scale.asDiagonal();
  const SmallEigen eigen = symmetric_eigen(products);
  Eigen::Index kept = 0;
  while (kept < columns && eigen.values[kept] > kNoise * eigen.values[0]) ++kept;
  Eigen::MatrixXd rotation = scale.asDiagonal() * eigen.vectors.leftCols(kept);
  for (Eigen::Index c = 0; c < kept; ++c) rotation.col(c) /= std::sqrt(eigen.values[c]);
  return rotated(block, rotation, job);
}

Block orthonormalised(Block block, Job& job) {
  return orthonormalised_roughly(orthonormalised_roughly(std::move(block), job), job);
}

Block first_columns(const Block& block, std::size_t count) {
  Block first(block.rows, count);
  for (std::size_t i = 0; i < block.rows; ++i) std::copy_n(block.row(i), count, first.row(i));
  return first;
}

SmallEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues().reverse(), solver.eigenvectors().rowwise().reverse()};
}

}  // namespace mbn::pca
