// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

#include "base/job.hpp"

namespace mbn {

/// Principal components of one-hot codes: a linear map from codes to the embedding.
///
/// With z the one-hot code of a row (clusterings blocks of `centroids` entries) and m the mean code
/// of the training rows, the embedding is (z - m) W: the sum of one row of `loadings` for each
/// clustering, minus `offset` = m W. Scores are neither whitened nor normalised.
struct Projection {
  std::uint32_t components = 0;
  std::uint32_t clusterings = 0;
  std::uint32_t centroids = 0;
  /// (clusterings * centroids) x components, row-major; the columns are orthonormal. A column
  /// beyond the rank of the codes is zero.
  std::vector<float> loadings;
  /// components
  std::vector<double> offset;
  /// components, descending: the variance (divisor rows - 1) along each component.
  std::vector<double> variance;
  /// The sum of the variances of all one-hot entries, with the same divisor.
  double total_variance = 0;

  std::uint64_t bytes() const { return bytes(clusterings, centroids, components); }
  static constexpr std::uint64_t bytes(std::uint64_t clusterings, std::uint64_t centroids,
                                       std::uint64_t components) {
    return clusterings * centroids * components * sizeof(float);
  }

  bool operator==(const Projection&) const = default;
};

/// About how many parallel tasks `fit_projection` runs: its solvers make many short passes.
inline constexpr std::size_t kProjectionSteps = 4000;

/// Finds `components` principal components of the codes. The sign of each component is such that
/// its loading of largest magnitude (the first in case of ties) is positive. The same bytes for any
/// number of threads. `automatic` takes the kernel for up to kKernelRows rows and Lanczos above.
Projection fit_projection(const CodeMatrix& codes, std::uint32_t components, Solver solver,
                          std::uint64_t seed, Job& job);

inline constexpr std::size_t kKernelRows = 512;

/// The most rows for Solver::kernel. Its eigenvalues take rows^3 steps that cannot be cancelled:
/// one or two seconds for so many rows. `check_solver` throws InvalidArgument for more, before any
/// work is done.
inline constexpr std::size_t kKernelMostRows = 1000;
void check_solver(Solver solver, std::uint64_t rows);

/// Bytes that `fit_projection` needs besides the codes.
std::uint64_t projection_workspace_bytes(std::uint64_t rows, std::uint64_t clusterings,
                                         std::uint64_t centroids, std::uint64_t components,
                                         Solver solver);

/// Estimated seconds of `fit_projection` on one core: Lanczos' passes over the codes.
double projection_seconds(std::uint64_t rows, std::uint64_t clusterings);

/// The embedding of codes, rows x components, float32: for each row the sum over clusterings in
/// order, in double, rounded once.
Matrix project(const Projection& projection, const CodeMatrix& codes, Job& job);

}  // namespace mbn
