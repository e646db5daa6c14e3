// SPDX-License-Identifier: Apache-2.0
//
// Expectation maximisation for PCA (Roweis, 1998), the method of the paper. With directions W
// (entries x b) and latent coordinates X (rows x b), it alternates
//
//     E:  X = Zc W (W^T W)^-1           the coordinates that explain the codes best
//     M:  W = Zc^T X (X^T X)^-1         the directions that explain them best
//
// Here W is kept orthonormal, so the first inverse is the identity. X^T X = R L R^T gives the best
// axes W R inside the current space and the scatter L along them. The same two products give the
// residual of each axis w and its eigenvalue l,
//
//     | Zc^T Zc w - l w |   <=   1e-8 l_1      for all wanted axes: then it has converged.
//
// In every round the error shrinks by the factor l_{b+1} / l_wanted, so a few more columns are
// iterated than wanted: they cost little and save most of the rounds. When the rank of the codes is
// small, as many columns as the rank are iterated, and one round is exact. When the limit of 300
// rounds is met, the spectrum is so flat that the axes are not determined by the data; the current
// ones are returned.
#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "project/solvers.hpp"

namespace mbn::pca {

namespace {

constexpr int kMostRounds = 300;
constexpr double kTolerance = 1e-8;
constexpr std::uint32_t kStream = 1;

/// The largest norm of the residual Zc^T Zc w - l w over the first `wanted` columns.
double largest_residual(const Block& images, const Block& axes, const Eigen::VectorXd& scatter,
                        std::size_t wanted) {
  std::vector<double> squares(wanted);
  for (std::size_t d = 0; d < axes.rows; ++d) {
    for (std::size_t c = 0; c < wanted; ++c) {
      const double rest = images.row(d)[c] - scatter[static_cast<Eigen::Index>(c)] * axes.row(d)[c];
      squares[c] += rest * rest;
    }
  }
  return std::sqrt(*std::max_element(squares.begin(), squares.end()));
}

/// Eigenvectors above rounding noise, each divided by its eigenvalue: the (X^T X)^-1 of the M step.
Eigen::MatrixXd maximising_rotation(const SmallEigen& eigen) {
  Eigen::Index kept = 0;
  while (kept < eigen.values.size() && eigen.values[kept] > 1e-14 * eigen.values[0]) ++kept;
  Eigen::MatrixXd rotation = eigen.vectors.leftCols(kept);
  for (Eigen::Index c = 0; c < kept; ++c) rotation.col(c) /= eigen.values[c];
  return rotation;
}

}  // namespace

std::size_t em_columns(std::uint64_t rank_bound, std::uint64_t wanted) {
  const std::uint64_t columns = wanted + std::max<std::uint64_t>(8, wanted / 4);
  return 4 * columns >= rank_bound ? rank_bound : columns;
}

std::size_t em_columns(const Operator& codes, std::size_t wanted) {
  return em_columns(std::uint64_t{codes.rank_bound()}, std::uint64_t{wanted});
}

Block em_pca(const Operator& codes, std::size_t wanted, std::uint64_t seed) {
  Job& job = codes.job();
  // Uniform numbers: normal ones need functions of the C library whose last bit differs between
  // machines.
  Block latent(codes.rows(), em_columns(codes, wanted));
  Random random(seed, Purpose::projection, kStream);
  for (double& cell : latent.cells) cell = random.uniform() - 0.5;

  Block directions = orthonormalised(codes.multiply_transposed(latent), job);
  for (int round = 0; round < kMostRounds && directions.columns > 0; ++round) {
    latent = codes.multiply(directions);
    const SmallEigen eigen = symmetric_eigen(gram(latent, job));
    const Block images = codes.multiply_transposed(latent);
    const Block axes = rotated(directions, eigen.vectors, job);
    const std::size_t counted = std::min(wanted, axes.columns);
    const double residual =
        largest_residual(rotated(images, eigen.vectors, job), axes, eigen.values, counted);
    if (residual <= kTolerance * eigen.values[0]) {
      const auto kept = static_cast<Eigen::Index>(counted);
      return rotated(directions, eigen.vectors.leftCols(kept), job);
    }
    directions = orthonormalised(rotated(images, maximising_rotation(eigen), job), job);
  }
  return directions;
}

}  // namespace mbn::pca
