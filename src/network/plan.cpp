// SPDX-License-Identifier: Apache-2.0
//
// Memory at each moment of a fit is the sum of what is alive then:
//   the data, and a prepared copy of it while the bottom layer is built (when scaled or cosine);
//   the layers so far: kept rows or their codes, and the numbers of what was drawn;
//   the codes of the layer below and of the layer being built, rows x clusterings each;
//   the work space of the engine on every thread, or of the projection at the end.
// The largest of these sums is the peak. When it is over the limit, the bottom engine's batch is
// halved until it fits: nothing else can shrink without changing the answer.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <thread>

#include <mbn/error.hpp>

#include "base/job.hpp"
#include "base/memory.hpp"
#include "bottom/bottom_engine.hpp"
#include "bottom/calibrate_bottom.hpp"
#include "bottom/draws.hpp"
#include "bottom/walk_bottom.hpp"
#include "cluster/kmeans_cost.hpp"
#include "network/planning.hpp"
#include "network/schedule.hpp"
#include "network/votes.hpp"
#include "project/projection.hpp"
#include "rows/kinds.hpp"
#include "rows/scaler.hpp"
#include "upper/upper_engine.hpp"
#include "upper/upper_engines.hpp"

namespace mbn {

namespace {

struct Sizes {
  Shape data;
  DataSize size;
  std::uint64_t clusterings;
  std::uint64_t threads;
  bool copies_rows;
  Metric metric;
  bool may_walk;
  std::vector<std::uint32_t> centroids;

  std::uint64_t code_bytes(std::size_t layer) const {
    return data.rows * clusterings * CodeMatrix::element_bytes(centroids[layer]);
  }
};

std::vector<LayerInfo> layer_infos(const Sizes& sizes, const FitOptions& options) {
  std::vector<LayerInfo> infos;
  for (std::size_t l = 0; l < sizes.centroids.size(); ++l) {
    LayerInfo info;
    info.centroids = sizes.centroids[l];
    info.features =
        drawn_features(options.feature_fraction, l == 0 ? sizes.data.columns : sizes.clusterings);
    info.kept_rows = std::min<std::uint64_t>(drawable_rows(sizes.data.rows, options),
                                             sizes.clusterings * info.centroids);
    const std::uint64_t cell_bytes =
        l == 0 ? (sizes.copies_rows ? sizeof(float) : element_bytes(sizes.data.type))
               : CodeMatrix::element_bytes(sizes.centroids[l - 1]);
    const std::uint64_t width = l == 0 ? sizes.data.columns : sizes.clusterings;
    const bool compressed = l == 0 && sizes.size.is_sparse;
    info.bytes = (compressed ? sparse_bytes(sizes.size.nonzeros, info.kept_rows)
                             : info.kept_rows * width * cell_bytes) +
                 Draws::bytes(sizes.clusterings, info.centroids, info.features);
    infos.push_back(info);
  }
  return infos;
}

// An upper bound for all engines that may be used.
std::uint64_t bottom_bytes(const Sizes& sizes, const LayerInfo& layer, std::uint64_t forced_batch) {
  if (sizes.size.is_sparse) {
    return sparse_bottom_bytes({.kept_rows = layer.kept_rows,
                                .nonzeros = sizes.size.nonzeros,
                                .columns = sizes.data.columns,
                                .clusterings = sizes.clusterings,
                                .centroids = layer.centroids},
                               sizes.threads);
  }
  const std::uint64_t exact_batch = default_batch_rows(sizes.data.rows, layer.centroids);
  const std::uint64_t exact =
      sizes.threads *
      exact_bottom_bytes(layer.centroids, layer.features,
                         forced_batch != 0 ? std::min(forced_batch, exact_batch) : exact_batch);
  if (!sizes.may_walk) return exact;
  const std::uint64_t rows = forced_batch != 0 ? forced_batch : sizes.data.rows;
  const std::uint64_t walk = walk_bottom_bytes(
      {layer.kept_rows, sizes.data.columns, ElementType::float32}, rows, sizes.clusterings,
      layer.centroids, sizes.metric, static_cast<unsigned>(sizes.threads));
  return std::max(exact, walk);
}

UpperSizes upper_sizes(const Sizes& sizes, const Plan& plan, std::size_t layer) {
  const LayerInfo& info = plan.layers[layer];
  return {.rows = sizes.data.rows,
          .kept_rows = info.kept_rows,
          .inputs = sizes.clusterings,
          .centroids_below = sizes.centroids[layer - 1],
          .clusterings = sizes.clusterings,
          .centroids = info.centroids,
          .features = info.features};
}

std::uint64_t peak_bytes(const Sizes& sizes, const Plan& plan, Solver solver,
                         std::uint64_t forced_batch) {
  const std::uint64_t data =
      sizes.size.given_bytes + (sizes.size.converts ? sizes.size.worked_bytes() : 0);
  const std::uint64_t prepared = !sizes.copies_rows ? 0
                                 : sizes.size.is_sparse
                                     ? sizes.size.worked_bytes()
                                     : sizes.data.rows * sizes.data.columns * sizeof(float);
  std::uint64_t model = 0;
  std::uint64_t peak = 0;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    const LayerInfo& layer = plan.layers[l];
    model += layer.bytes;
    const std::uint64_t space =
        l == 0 ? bottom_bytes(sizes, layer, forced_batch)
               : upper_engine_bytes(upper_sizes(sizes, plan, l), sizes.threads);
    const std::uint64_t below = l == 0 ? prepared : sizes.code_bytes(l - 1);
    peak = std::max(peak, data + model + below + sizes.code_bytes(l) + space);
  }
  const std::size_t top = sizes.centroids.size() - 1;
  const std::uint64_t projection = projection_workspace_bytes(
      sizes.data.rows, sizes.clusterings, sizes.centroids[top], plan.components, solver);
  return std::max(peak, data + model + sizes.code_bytes(top) + projection);
}

void fit_into_memory(const Sizes& sizes, WorkPlan& work, Solver solver,
                     std::optional<std::uint64_t> memory_limit) {
  Plan& plan = work.plan;
  plan.batch_rows = default_batch_rows(sizes.data.rows, sizes.centroids[0]);
  plan.peak_bytes = peak_bytes(sizes, plan, solver, 0);
  // The data is in memory already, so it is not part of the free memory.
  const std::uint64_t free_bytes = available_memory();
  const std::uint64_t limit = memory_limit.value_or(
      free_bytes != 0 ? free_bytes + sizes.size.given_bytes : ~std::uint64_t{0});
  for (std::uint64_t batch = std::bit_ceil(sizes.data.rows) / 2;
       plan.peak_bytes > limit && batch > 0; batch /= 2) {
    work.forced_batch_rows = batch;
    plan.batch_rows = std::min(plan.batch_rows, batch);
    plan.peak_bytes = peak_bytes(sizes, plan, solver, batch);
  }
  if (plan.peak_bytes <= limit) return;
  throw MemoryLimitExceeded(
      ErrorCode::memory,
      fmt::format("this fit needs at least {}, but {} {}; fewer clusterings or centroids need less",
                  readable_bytes(plan.peak_bytes),
                  memory_limit ? "the memory limit is" : "the machine has only",
                  readable_bytes(limit)),
      {.option = "memory_limit", .value = std::to_string(limit)});
}

// Seconds on one core. Every engine has its own estimate, with constants measured on one machine.
std::vector<double> layer_seconds(const Sizes& sizes, const Plan& plan) {
  const LayerInfo& bottom = plan.layers[0];
  const double sparse_seconds = static_cast<double>(sizes.data.rows) *
                                sparse_bottom_seconds({.kept_rows = bottom.kept_rows,
                                                       .nonzeros = sizes.size.nonzeros,
                                                       .columns = sizes.data.columns,
                                                       .clusterings = sizes.clusterings,
                                                       .centroids = bottom.centroids});
  std::vector<double> seconds = {
      sizes.size.is_sparse
          ? sparse_seconds
          : bottom_seconds({.kept = {bottom.kept_rows, sizes.data.columns, sizes.data.type},
                            .rows = sizes.data.rows,
                            .clusterings = sizes.clusterings,
                            .centroids = bottom.centroids,
                            .features = bottom.features},
                           sizes.metric, sizes.may_walk)};
  for (std::size_t l = 1; l < plan.layers.size(); ++l) {
    const UpperSizes upper = upper_sizes(sizes, plan, l);
    const Likeness likeness = usual_likeness(upper);
    seconds.push_back(upper_seconds(cheapest_upper(upper, likeness), upper, likeness));
  }
  return seconds;
}

void share_out_time(const Sizes& sizes, const FitOptions& options, WorkPlan& work) {
  const std::vector<double> layers = layer_seconds(sizes, work.plan);
  const double projection = projection_seconds(sizes.data.rows, sizes.clusterings);
  const double clustering = kmeans_seconds(sizes.data.rows, work.plan.components,
                                           options.clusters.count_or(0), options.restarts);
  const double total = std::accumulate(layers.begin(), layers.end(), projection + clustering);
  work.plan.fit_seconds = total / static_cast<double>(sizes.threads);
  for (const double layer : layers) work.layer_share.push_back(layer / total);
  work.projection_share = projection / total;
  work.clustering_share = clustering / total;
}

}  // namespace

std::uint64_t DataSize::worked_bytes() const {
  return is_sparse ? sparse_bytes(nonzeros, shape.rows) : shape.bytes();
}

DataSize size_of(Shape shape) {
  return {.shape = shape, .given_bytes = shape.bytes()};
}

DataSize size_of(RowsView rows, const FitOptions& options, Job& job) {
  // Left open, sparse rows stay as they are.
  const bool scaled = options.scale != Scale::none && options.scale != Scale::automatic;
  if (rows.is_sparse() && scaled) {
    throw InvalidArgument(
        ErrorCode::sparse_rows,
        {option("scale"), " would fill in the zeros of sparse rows; leave it out (",
         option("scale", "none"), "), choose ", option("metric", "cosine"),
         " for rows of different norm, or give dense rows"},
        {.option = "scale", .value = std::string(name_of(options.scale))});
  }
  const std::uint64_t nonzeros = scaled ? 0 : count_nonzeros(rows, job);
  DataSize size;
  size.shape = rows.is_sparse() ? Shape{rows.rows(), rows.columns(), ElementType::float32}
                                : rows.dense().shape();
  size.is_sparse = !scaled && mostly_zeros(nonzeros, rows.rows(), rows.columns());
  if (size.is_sparse) size.nonzeros = nonzeros;
  size.given_bytes = rows.is_sparse() ? sparse_bytes(rows.sparse().nonzeros(), rows.rows())
                                      : rows.dense().shape().bytes();
  size.converts = size.is_sparse != rows.is_sparse();
  return size;
}

namespace {

WorkPlan plan_known(const DataSize& size, const FitOptions& options, const RunOptions& run) {
  const Shape data = size.shape;
  if (data.columns == 0) throw InvalidArgument(ErrorCode::too_small, "the data has no columns");
  check_solver(options.solver, data.rows);
  Sizes sizes;
  sizes.data = data;
  sizes.size = size;
  sizes.clusterings = options.clusterings;
  sizes.threads = Job(run).threads();
  sizes.copies_rows = options.scale != Scale::none || options.metric == Metric::cosine;
  sizes.metric = options.metric;
  sizes.may_walk = options.engine == Engine::automatic;
  sizes.centroids = schedule(data.rows, options);
  WorkPlan work;
  Plan& plan = work.plan;
  plan.layers = layer_infos(sizes, options);
  plan.components = embedding_components(options);
  const std::uint32_t clusters = options.clusters.count_or(0);
  for (const LayerInfo& layer : plan.layers) plan.model_bytes += layer.bytes;
  plan.model_bytes +=
      Projection::bytes(sizes.clusterings, sizes.centroids.back(), plan.components) +
      Shape{clusters, plan.components}.bytes() +
      votes_bytes(sizes.clusterings, sizes.centroids.back(), clusters) +
      (options.scale != Scale::none ? Scaler::bytes(data.columns) : 0);
  fit_into_memory(sizes, work, options.solver, run.memory_limit);
  share_out_time(sizes, options, work);
  return work;
}

}  // namespace

WorkPlan plan_work(const DataSize& size, const FitOptions& options, const RunOptions& run) {
  validate(options);
  // The most that `choose` could make of open options: the deepest decay, and of the numbers of
  // clusters either the lowest, which has most layers, or the highest.
  FitOptions known = options;
  known.decay = options.decay.value_or(kDeepestDecay);
  if (known.clusters != Clusters::find) return plan_known(size, known, run);
  known.clusters = 1;
  WorkPlan few = plan_known(size, known, run);
  known.clusters =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(options.most_clusters, size.shape.rows));
  WorkPlan many = plan_known(size, known, run);
  return few.plan.peak_bytes > many.plan.peak_bytes ? few : many;
}

Plan plan(Shape data, const FitOptions& options, const RunOptions& run) {
  return plan_work(size_of(data), options, run).plan;
}

Plan plan(RowsView rows, const FitOptions& options, const RunOptions& run) {
  Job job(run);
  return plan_work(size_of(rows, options, job), options, run).plan;
}

std::size_t transform_batch_rows(std::uint64_t rows, std::uint64_t clusterings,
                                 std::uint64_t widest, const RunOptions& run) {
  // Two layers of codes are alive at a time. With larger batches fewer engines are made.
  constexpr std::uint64_t kDefaultBytes = 512'000'000;
  const std::uint64_t budget = run.memory_limit ? *run.memory_limit / 4 : kDefaultBytes;
  const std::uint64_t row_bytes = 2 * clusterings * CodeMatrix::element_bytes(widest);
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(budget / row_bytes, 1, std::max<std::uint64_t>(rows, 1)));
}

}  // namespace mbn
