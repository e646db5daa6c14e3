// SPDX-License-Identifier: Apache-2.0
//
// Randomised subspace iteration (Halko, Martinsson and Tropp, 2011). With A the matrix and b a few
// more columns than wanted, from random numbers,
//
//     Y <- orthonormal(A (A^T Y))      on the smaller side of A, eight times,
//
// the span of Y approaches that of the leading singular vectors by the factor (s_{b+1} / s_i)^2 in
// every round. What is not yet exact are the last directions, whose variances are nearly equal
// anyway. When b is the whole rank, the span is complete at once.
#include "base/principal_axes.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"

namespace mbn::pca {

namespace {

constexpr int kRounds = 8;
constexpr std::uint32_t kStream = 4;
// A direction with less of the whole scatter than this is rounding noise.
constexpr double kLeastShare = 1e-10;

std::size_t columns_for(std::uint64_t rank_bound, std::uint64_t wanted) {
  const std::uint64_t columns = wanted + std::max<std::uint64_t>(16, wanted / 4);
  return static_cast<std::size_t>(std::min(columns, rank_bound));
}

}  // namespace

PrincipalAxes principal_axes(const Operator& matrix, Block directions) {
  Job& job = matrix.job();
  const Block basis = orthonormalised(std::move(directions), job);
  const SmallEigen eigen = symmetric_eigen(gram(matrix.multiply(basis), job));
  return {rotated(basis, eigen.vectors, job), eigen.values};
}

PrincipalAxes leading_axes(const Operator& matrix, std::size_t wanted) {
  Job& job = matrix.job();
  const double total = matrix.total_scatter();
  if (!(total > 0)) return {};
  const bool on_rows = matrix.rows() <= matrix.entries();
  Block side(on_rows ? matrix.rows() : matrix.entries(), columns_for(matrix.rank_bound(), wanted));
  Random random(0, Purpose::projection, kStream);
  for (double& cell : side.cells) cell = random.uniform() - 0.5;
  for (int round = 0; round < kRounds && side.columns > 0; ++round) {
    side = on_rows ? matrix.multiply(matrix.multiply_transposed(side))
                   : matrix.multiply_transposed(matrix.multiply(side));
    side = orthonormalised_roughly(std::move(side), job);
  }
  PrincipalAxes axes =
      principal_axes(matrix, on_rows ? matrix.multiply_transposed(side) : std::move(side));
  Eigen::Index kept = 0;
  while (kept < axes.scatter.size() && kept < static_cast<Eigen::Index>(wanted) &&
         axes.scatter[kept] > kLeastShare * total) {
    ++kept;
  }
  axes.directions = first_columns(axes.directions, static_cast<std::size_t>(kept));
  axes.scatter = axes.scatter.head(kept).eval();
  return axes;
}

std::uint64_t leading_axes_bytes(std::uint64_t rows, std::uint64_t entries, std::uint64_t wanted) {
  const std::uint64_t columns = columns_for(std::min(rows, entries), wanted);
  // The side, its image, and copies of either while it is orthonormalised.
  return (2 * rows + 3 * entries) * columns * sizeof(double);
}

}  // namespace mbn::pca
