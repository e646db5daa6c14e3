// SPDX-License-Identifier: Apache-2.0
#include <mbn/describe.hpp>

#include <mbn/error.hpp>

#include "api/model_access.hpp"
#include "base/job.hpp"
#include "base/random.hpp"
#include "describe/cluster_means.hpp"
#include "describe/exemplars.hpp"
#include "rows/kinds.hpp"

namespace mbn {

namespace {

// Codes of so many rows are compared.
constexpr std::uint32_t kSampledRows = 10000;

}  // namespace

std::vector<ClusterDescription> describe_clusters(const Model& model, RowsView rows,
                                                  std::span<const std::string> columns,
                                                  const DescribeOptions& options,
                                                  const RunOptions& run) {
  const auto clusters = static_cast<std::uint32_t>(model.cluster_centres().rows());
  if (clusters == 0) {
    throw InvalidArgument(ErrorCode::no_clusters,
                          {"the model has no clusters; fit it with ", option("clusters")});
  }
  const RowOutputs found = model.outputs(rows, {.labels = true}, run);
  const RunOptions quiet = without_progress(run);
  // Distances have no columns that could be named.
  const bool distances = model.options().metric == Metric::precomputed;
  const auto marks =
      cluster_marks(rows, found.labels, clusters, distances ? 0 : options.marks, quiet);
  Random random(0, Purpose::sample, 1);
  const std::vector<std::uint32_t> sample =
      draw_or_all(random, static_cast<std::uint32_t>(rows.rows()), kSampledRows);
  const auto exemplars = find_exemplars(model.codes(gather(rows, sample), 0, quiet), sample,
                                        found.labels, clusters, options.exemplars);
  std::vector<ClusterDescription> described(clusters);
  for (std::size_t c = 0; c < clusters; ++c) {
    described[c] = {marks[c].rows, 0, marks[c].marks,
                    describe(marks[c], columns, rows.is_sparse(), model.coding()), exemplars[c]};
  }
  if (options.means) {
    Job job(quiet);
    const Matrix means = cluster_means(rows, found.labels, clusters, job);
    for (std::size_t c = 0; c < clusters; ++c) {
      const float* mean = means.row<float>(c);
      described[c].mean.assign(mean, mean + means.columns());
    }
  }
  for (std::size_t i = 0; i < found.confidence.size(); ++i) {
    ClusterDescription& own = described[static_cast<std::size_t>(found.labels[i])];
    own.confidence += double{found.confidence[i]} / static_cast<double>(own.rows);
  }
  return described;
}

}  // namespace mbn
