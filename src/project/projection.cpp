// SPDX-License-Identifier: Apache-2.0
//
// Finds the linear map from codes to the embedding. A solver finds the space of the leading
// principal components; one more step, the same for all solvers, finds the components inside it
// (Rayleigh-Ritz): with Q an orthonormal basis of the space and Zc Q = Y,
//
//     Y^T Y = R L R^T,     loadings W = Q R,     variance = L / (rows - 1).
//
// So the three solvers give the same components up to their convergence, and the variances are
// those of the loadings. Components with less than 1e-10 of the total variance are rounding noise
// and become zero columns.
//
// Loadings are rounded to float32 first. The sign rule and the offset m W are computed from the
// rounded loadings, so that the loadings in a model file obey the rule, and the scores of the
// training rows have mean zero in spite of the rounding.
#include "project/projection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "project/solvers.hpp"

namespace mbn {

namespace {

constexpr double kLeastShare = 1e-10;
constexpr std::size_t kRowsPerTask = 256;
constexpr std::size_t kColumnsTogether = 8;

Solver resolve(Solver solver, std::uint64_t rows) {
  if (solver != Solver::automatic) return solver;
  return rows <= kKernelRows ? Solver::kernel : Solver::lanczos;
}

pca::Block solve(const pca::CodeOperator& codes, std::size_t wanted, Solver solver,
                 std::uint64_t seed) {
  switch (resolve(solver, codes.rows())) {
    case Solver::kernel:
      return pca::kernel_pca(codes, wanted);
    case Solver::em:
      return pca::em_pca(codes, wanted, seed);
    default:
      return pca::lanczos_pca(codes, wanted, seed);
  }
}

/// Rounds one component to float32 and stores it, with the sign of the rule; returns its offset.
double store_component(const pca::Block& directions, std::size_t component,
                       const std::vector<double>& mean, Projection& projection) {
  float largest = 0;
  for (std::size_t d = 0; d < directions.rows; ++d) {
    const auto loading = static_cast<float>(directions.row(d)[component]);
    if (std::abs(loading) > std::abs(largest)) largest = loading;
  }
  const float sign = largest < 0 ? -1.0F : 1.0F;
  double offset = 0;
  for (std::size_t d = 0; d < directions.rows; ++d) {
    // Adding zero turns -0.0 into 0.0.
    const float loading = sign * static_cast<float>(directions.row(d)[component]) + 0.0F;
    projection.loadings[d * projection.components + component] = loading;
    offset += mean[d] * double{loading};
  }
  return offset;
}

/// The embedding of one row: `Width` components from `first` on.
template <std::size_t Width, class Code>
void project_row(const Projection& projection, const Code* code, std::size_t first, float* out) {
  const std::size_t components = projection.components;
  const float* loadings = projection.loadings.data() + first;
  std::array<double, Width> sum{};
  for (std::size_t v = 0; v < projection.clusterings; ++v) {
    const float* loading = loadings + (v * projection.centroids + code[v]) * components;
    for (std::size_t c = 0; c < Width; ++c) sum[c] += double{loading[c]};
  }
  for (std::size_t c = 0; c < Width; ++c) {
    out[first + c] = static_cast<float>(sum[c] - projection.offset[first + c]);
  }
}

}  // namespace

void check_solver(Solver solver, std::uint64_t rows) {
  if (solver != Solver::kernel || rows <= kKernelMostRows) return;
  throw InvalidArgument(
      ErrorCode::too_large,
      {option("solver", "kernel"),
       fmt::format(" works on a table of rows x rows and takes at most {} rows, but "
                   "there are {}; use ",
                   kKernelMostRows, rows),
       option("solver", "lanczos"), " or ", option("solver", "auto")},
      {.option = "solver", .value = "kernel"});
}

Projection fit_projection(const CodeMatrix& codes, std::uint32_t components, Solver solver,
                          std::uint64_t seed, Job& job) {
  check_solver(solver, codes.rows());
  if (codes.rows() == 0 || codes.clusterings() == 0) {
    throw InvalidArgument(
        ErrorCode::too_small,
        fmt::format("principal components need codes, but there are {} rows of {} clusterings; "
                    "give at least one of each",
                    codes.rows(), codes.clusterings()));
  }
  if (components == 0) {
    throw InvalidArgument(ErrorCode::out_of_range,
                          "principal components: 0 were asked for; ask for at least 1",
                          {.option = "components", .value = "0"});
  }
  Projection projection;
  projection.components = components;
  projection.clusterings = static_cast<std::uint32_t>(codes.clusterings());
  projection.centroids = static_cast<std::uint32_t>(codes.centroids());
  projection.offset.resize(components);
  projection.variance.resize(components);
  const pca::CodeOperator operation(codes, job);
  projection.loadings.resize(operation.entries() * components);
  const std::size_t wanted = std::min<std::size_t>(components, operation.rank_bound());
  const double total = operation.total_scatter();
  if (wanted == 0 || !(total > 0)) return projection;

  const auto divisor = static_cast<double>(codes.rows() - 1);
  projection.total_variance = total / divisor;
  const pca::PrincipalAxes axes =
      pca::principal_axes(operation, solve(operation, wanted, solver, seed));
  const std::size_t found = std::min(wanted, axes.directions.columns);
  for (std::size_t c = 0; c < found; ++c) {
    const double scatter = axes.scatter[static_cast<Eigen::Index>(c)];
    if (!(scatter > kLeastShare * total)) break;
    projection.variance[c] = scatter / divisor;
    projection.offset[c] = store_component(axes.directions, c, operation.mean(), projection);
  }
  return projection;
}

double projection_seconds(std::uint64_t rows, std::uint64_t clusterings) {
  return static_cast<double>(rows) * static_cast<double>(clusterings) * 1.8e-7;
}

std::uint64_t projection_workspace_bytes(std::uint64_t rows, std::uint64_t clusterings,
                                         std::uint64_t centroids, std::uint64_t components,
                                         Solver solver) {
  const std::uint64_t entries = clusterings * centroids;
  const std::uint64_t rank = std::min(rows, entries);
  const std::uint64_t wanted = std::min(components, rank);
  // The result and its mean, then the last pass: basis, axes and scores.
  const std::uint64_t common = entries * (components * sizeof(float) + sizeof(double));
  std::uint64_t doubles = 3 * wanted * (entries + rows);
  // Directions, their images and axes, and the latent coordinates.
  const std::uint64_t columns = pca::em_columns(rank, wanted);
  const std::uint64_t em = columns * (4 * entries + 2 * rows);
  switch (resolve(solver, rows)) {
    case Solver::kernel:
      // The kernel, the eigenvectors, their reversed copy.
      doubles += 3 * rows * rows;
      break;
    case Solver::em:
      doubles += em;
      break;
    default:
      // Spectra's basis and a copy for restarts, with twice the vectors in a second attempt; or
      // em_pca, when the basis would be as large as the space.
      doubles += pca::lanczos_vectors(wanted) >= rank
                     ? em
                     : 4 * pca::lanczos_vectors(wanted) * rank + entries + rows;
  }
  return common + doubles * sizeof(double);
}

Matrix project(const Projection& projection, const CodeMatrix& codes, Job& job) {
  if (codes.clusterings() != projection.clusterings || codes.centroids() != projection.centroids) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("the projection is for {} clusterings of {} centroids, but the codes have {} "
                    "of {}; give codes of the same network",
                    projection.clusterings, projection.centroids, codes.clusterings(),
                    codes.centroids()));
  }
  const std::size_t components = projection.components;
  Matrix embedding(codes.rows(), components);
  job.parallel(blocks(codes.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
    const std::size_t last = std::min((task + 1) * kRowsPerTask, codes.rows());
    codes.visit([&](const auto* cells) {
      for (std::size_t i = task * kRowsPerTask; i < last; ++i) {
        const auto* code = cells + i * codes.clusterings();
        float* out = embedding.mutable_row<float>(i);
        std::size_t c = 0;
        for (; c + kColumnsTogether <= components; c += kColumnsTogether) {
          project_row<kColumnsTogether>(projection, code, c, out);
        }
        for (; c + 2 <= components; c += 2) project_row<2>(projection, code, c, out);
        if (c < components) project_row<1>(projection, code, c, out);
      }
    });
  });
  return embedding;
}

}  // namespace mbn
