// SPDX-License-Identifier: Apache-2.0
//
// Latent semantic analysis: the truncated singular value decomposition X = U S V^T of sparse rows.
// The right singular vectors V are the eigenvectors of X^T X, so the PCA solvers of the network
// find them, through products with X and X^T. X is not centred, because that would fill in its
// zeros. Singular values are the square roots of the scatter along each direction. Directions with
// less than 1e-10 of the sum of all squares are rounding noise and become zero columns.
#include "project/lsa.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "base/validate.hpp"
#include "project/solvers.hpp"
#include "rows/kinds.hpp"
#include "rows/preparation.hpp"
#include "rows/sparse_operator.hpp"
#include "rows/store_direction.hpp"

namespace mbn {

namespace {

constexpr double kLeastShare = 1e-10;
constexpr std::size_t kRowsPerTask = 256;

/// The rows, checked for finite values, as sparse rows, and of unit norm when the metric is cosine.
Rows compressed(RowsView rows, Metric metric, Job& job) {
  require_finite(rows, job);
  Rows sparse = as_sparse(rows);
  if (metric == Metric::euclidean) return sparse;
  Preparation preparation;
  preparation.scaler.metric = metric;
  preparation.sparse = true;
  return prepare_rows(preparation, sparse.view(), job);
}

}  // namespace

void validate(const LsaOptions& options) {
  validate_fields(options);
  if (options.metric == Metric::euclidean || options.metric == Metric::cosine) return;
  const std::string seen(name_of(options.metric));
  throw InvalidArgument(ErrorCode::unknown_choice,
                        {option("metric", seen), " is not for latent semantic analysis; choose ",
                         option("metric", "euclidean"), " or ", option("metric", "cosine")},
                        {.option = "metric", .value = seen});
}

LsaData fit_lsa(RowsView given, const LsaOptions& options, Job& job) {
  validate(options);
  const Rows kept = compressed(given, options.metric, job);
  const SparseView rows = kept.view().sparse();
  if (rows.rows() == 0 || rows.columns() == 0) {
    throw InvalidArgument(ErrorCode::too_small,
                          fmt::format("latent semantic analysis needs rows, but there are {} of {} "
                                      "columns; give at least one",
                                      rows.rows(), rows.columns()));
  }
  LsaData lsa;
  lsa.options = options;
  lsa.training_rows = rows.rows();
  lsa.loadings = Matrix(rows.columns(), options.components);
  lsa.singular_values.resize(options.components);
  const pca::SparseOperator operation(rows, job);
  const double total = operation.total_scatter();
  if (!(total > 0)) return lsa;
  const std::size_t wanted = std::min<std::size_t>(options.components, operation.rank_bound());
  const pca::PrincipalAxes axes =
      pca::principal_axes(operation, pca::lanczos_pca(operation, wanted, options.seed));
  const std::size_t found = std::min(wanted, axes.directions.columns);
  for (std::size_t c = 0; c < found; ++c) {
    const double scatter = axes.scatter[static_cast<Eigen::Index>(c)];
    if (!(scatter > kLeastShare * total)) break;
    lsa.singular_values[c] = std::sqrt(scatter);
    store_direction(axes.directions, c, lsa.loadings);
  }
  return lsa;
}

Matrix project_rows(const LsaData& lsa, RowsView given, Job& job) {
  const Rows kept = compressed(given, lsa.options.metric, job);
  const SparseView rows = kept.view().sparse();
  if (rows.columns() != lsa.columns()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format(
            "the rows have {} columns, but those of the training had {}; use the same vocabulary",
            rows.columns(), lsa.columns()));
  }
  Matrix embedding(rows.rows(), lsa.options.components);
  const std::size_t tasks = blocks(rows.rows(), kRowsPerTask);
  job.stage("projecting", 1, tasks);
  job.parallel(tasks, [&](std::size_t task, unsigned) {
    std::vector<double> sum(lsa.options.components);
    const std::size_t last = std::min((task + 1) * kRowsPerTask, rows.rows());
    for (std::size_t i = task * kRowsPerTask; i < last; ++i) {
      const auto indices = rows.indices(i);
      const auto values = rows.values(i);
      std::ranges::fill(sum, 0.0);
      for (std::size_t c = 0; c < indices.size(); ++c) {
        const float* loading = lsa.loadings.row<float>(indices[c]);
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += double{values[c]} * loading[k];
      }
      float* out = embedding.mutable_row<float>(i);
      for (std::size_t k = 0; k < sum.size(); ++k) out[k] = static_cast<float>(sum[k]);
    }
  });
  return embedding;
}

}  // namespace mbn
