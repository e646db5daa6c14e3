// SPDX-License-Identifier: Apache-2.0
//
// Memory at each moment of a fit is the sum of what is alive then:
//   the data, and a prepared copy of it while the bottom layer is built (when weighted, scaled,
//   cosine, or brought to directions);
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
#include "base/packed_numbers.hpp"
#include "bottom/bottom_engine.hpp"
#include "bottom/calibrate_bottom.hpp"
#include "bottom/draws.hpp"
#include "bottom/partial_bottom.hpp"
#include "bottom/walk_bottom.hpp"
#include "cluster/kmeans_cost.hpp"
#include "map/joint_space.hpp"
#include "map/make_map.hpp"
#include "network/planning.hpp"
#include "network/schedule.hpp"
#include "network/settle_options.hpp"
#include "network/votes.hpp"
#include "project/projection.hpp"
#include "rows/completion.hpp"
#include "rows/kinds.hpp"
#include "rows/metric.hpp"
#include "rows/missing_cells.hpp"
#include "rows/preparation.hpp"
#include "upper/upper_engine.hpp"
#include "upper/upper_engines.hpp"

namespace mbn {

namespace {

struct Sizes {
  Shape data;    // as given
  Shape bottom;  // as the bottom layer sees it
  bool sparse;   // the bottom layer works on compressed rows
  std::uint32_t directions;
  std::uint32_t distance_codes;  // 0: rows are not distances
  DataSize size;
  std::uint64_t clusterings;
  std::uint64_t threads;
  bool changes_values;  // by weights, a scaler or unit norm
  bool copies_rows;
  Metric metric;
  bool may_walk;
  bool partial;         // cells may be missing
  bool partial_bottom;  // also as the bottom layer sees them
  std::vector<std::uint32_t> centroids;
  std::uint64_t map;             // dimensions; 0: there is no map
  std::uint64_t map_neighbours;  // 0: there is no map
  std::uint32_t map_components;  // 0: there is no map
  std::uint64_t joint_columns;
  bool own_map_directions;

  std::uint64_t code_bytes(std::size_t layer) const {
    return data.rows * clusterings * CodeMatrix::element_bytes(centroids[layer]);
  }
};

std::vector<LayerInfo> layer_infos(const Sizes& sizes, const FitOptions& options) {
  std::vector<LayerInfo> infos;
  for (std::size_t l = 0; l < sizes.centroids.size(); ++l) {
    LayerInfo info;
    info.centroids = sizes.centroids[l];
    info.features = drawn_features(*options.feature_fraction,
                                   l == 0 ? sizes.bottom.columns : sizes.clusterings);
    info.kept_rows = std::min<std::uint64_t>(drawable_rows(sizes.data.rows, options),
                                             sizes.clusterings * info.centroids);
    const std::uint64_t cell_bytes = l == 0 ? element_bytes(sizes.bottom.type)
                                            : CodeMatrix::element_bytes(sizes.centroids[l - 1]);
    const std::uint64_t width = l == 0 ? sizes.bottom.columns : sizes.clusterings;
    const bool compressed = l == 0 && sizes.sparse;
    info.bytes = (compressed ? sparse_bytes(sizes.size.nonzeros, info.kept_rows)
                             : info.kept_rows * width * cell_bytes) +
                 Draws::bytes(sizes.clusterings, info.centroids, info.features);
    infos.push_back(info);
  }
  return infos;
}

// Codes and draws are packed in a file (store/packed_tensor.hpp); all else is as in memory.
std::uint64_t layer_file_bytes(const Sizes& sizes, const std::vector<LayerInfo>& layers,
                               std::size_t layer) {
  const LayerInfo& info = layers[layer];
  const std::uint64_t inputs = layer == 0 ? sizes.bottom.columns : sizes.clusterings;
  const std::uint64_t kept =
      layer == 0 ? info.bytes - Draws::bytes(sizes.clusterings, info.centroids, info.features)
                 : info.kept_rows * packed_bytes(inputs, packed_bits(sizes.centroids[layer - 1]));
  // At most, what the header says of a layer's tensors.
  constexpr std::uint64_t kHeader = 700;
  return kept + kHeader +
         sizes.clusterings * (packed_bytes(info.centroids, packed_bits(info.kept_rows)) +
                              packed_set_bytes(info.features, inputs));
}

// An upper bound for all engines that may be used.
std::uint64_t bottom_bytes(const Sizes& sizes, const LayerInfo& layer, std::uint64_t forced_batch) {
  if (sizes.sparse) {
    return sparse_bottom_bytes({.kept_rows = layer.kept_rows,
                                .nonzeros = sizes.size.nonzeros,
                                .columns = sizes.data.columns,
                                .clusterings = sizes.clusterings,
                                .centroids = layer.centroids,
                                .metric = sizes.metric},
                               sizes.threads);
  }
  const std::uint64_t exact_batch = default_batch_rows(sizes.data.rows, layer.centroids);
  const std::uint64_t exact =
      sizes.threads *
      exact_bottom_bytes(layer.centroids, layer.features,
                         forced_batch != 0 ? std::min(forced_batch, exact_batch) : exact_batch);
  if (sizes.partial_bottom) {
    return sizes.threads * partial_bottom_bytes(layer.centroids, layer.features,
                                                forced_batch != 0
                                                    ? std::min(forced_batch, exact_batch)
                                                    : exact_batch);
  }
  if (!sizes.may_walk) return exact;
  const std::uint64_t rows = forced_batch != 0 ? forced_batch : sizes.data.rows;
  const std::uint64_t walk = walk_bottom_bytes(
      {layer.kept_rows, sizes.bottom.columns, ElementType::float32}, rows, sizes.clusterings,
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

PreparingSizes preparing_sizes(const Sizes& sizes) {
  const std::uint64_t compressed =
      sizes.size.worked_bytes() / std::max<std::uint64_t>(1, sizes.data.rows);
  return {
      .rows = sizes.data.rows,
      .columns = sizes.data.columns,
      .given_row_bytes =
          sizes.size.is_sparse ? compressed : sizes.data.columns * element_bytes(sizes.data.type),
      .worked_row_bytes = sizes.size.is_sparse ? compressed : sizes.data.columns * sizeof(float),
      .sparse = sizes.size.is_sparse,
      .changes_values = sizes.changes_values,
      .partial = sizes.partial,
      .directions = sizes.directions};
}

// What making the map takes: embeddings and places of all rows, directions of its own, the layout.
std::uint64_t map_peak_bytes(const Sizes& sizes, const Plan& plan) {
  if (sizes.map_neighbours == 0) return 0;
  const std::uint64_t kept_rows = plan.layers[0].kept_rows;
  const std::uint64_t results =
      sizes.data.rows * (plan.components + sizes.map_components + sizes.map) * sizeof(float);
  PreparingSizes finding = preparing_sizes(sizes);
  finding.rows = kept_rows;
  finding.columns = sizes.bottom.columns;
  // The rows of the input's half, when the map changes them and takes no directions.
  const bool changes = map_change(sizes.metric) != Metric::euclidean;
  const std::uint64_t half =
      changes && !sizes.own_map_directions ? kept_rows * sizes.bottom.columns * sizeof(float) : 0;
  finding.changes_values = changes;
  if (!sizes.sparse) {
    finding.given_row_bytes = finding.worked_row_bytes = sizes.bottom.columns * sizeof(float);
  }
  finding.sparse = sizes.sparse;
  finding.directions = sizes.own_map_directions
                           ? static_cast<std::uint32_t>(sizes.joint_columns - sizes.map_components)
                           : 0;
  return results +
         std::max(preparing_bytes(finding),
                  half + make_map_bytes(kept_rows, sizes.joint_columns, sizes.map_neighbours,
                                        static_cast<unsigned>(sizes.threads)));
}

// Which columns the codes of distances come from; the first layer draws as many rows.
std::uint64_t drawn_column_bytes(const Sizes& sizes) {
  return std::uint64_t{sizes.distance_codes} * sizes.centroids[0] * sizeof(std::uint32_t);
}

std::uint64_t peak_bytes(const Sizes& sizes, const Plan& plan, Solver solver,
                         std::uint64_t forced_batch) {
  const std::uint64_t data =
      sizes.size.given_bytes + (sizes.size.converts ? sizes.size.worked_bytes() : 0);
  const std::uint64_t prepared = !sizes.copies_rows ? 0
                                 : sizes.sparse     ? sizes.size.worked_bytes()
                                                    : sizes.bottom.bytes();
  std::uint64_t model =
      sizes.directions * sizes.data.columns * sizeof(float) + drawn_column_bytes(sizes);
  std::uint64_t peak = data + preparing_bytes(preparing_sizes(sizes));
  if (sizes.distance_codes != 0) {
    peak = data + model + prepared +
           nearest_drawn_bytes(sizes.data.columns, sizes.distance_codes, sizes.threads);
  }
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
  const std::uint64_t components = std::max(plan.components, sizes.map_components);
  const std::uint64_t projection = projection_workspace_bytes(
      sizes.data.rows, sizes.clusterings, sizes.centroids[top], components, solver);
  const std::uint64_t at_the_top = data + model + sizes.code_bytes(top);
  return std::max(peak, at_the_top + std::max(projection, map_peak_bytes(sizes, plan)));
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
                                                       .centroids = bottom.centroids,
                                                       .metric = sizes.metric});
  std::vector<double> seconds = {
      sizes.sparse ? sparse_seconds
      : sizes.partial_bottom
          ? partial_bottom_seconds(sizes.data.rows, sizes.clusterings, bottom.centroids,
                                   bottom.features)
          : bottom_seconds({.kept = {bottom.kept_rows, sizes.bottom.columns, sizes.bottom.type},
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
  const double map = options.map == 0
                         ? 0
                         : make_map_seconds(sizes.data.rows, work.plan.layers[0].kept_rows,
                                            sizes.joint_columns, options.neighbours);
  const double total = std::accumulate(layers.begin(), layers.end(), projection + clustering + map);
  const std::uint64_t completed =
      sizes.data.rows +
      kCompletionRounds * std::min<std::uint64_t>(sizes.data.rows, direction_rows(false));
  const double completing =
      sizes.partial ? completing_seconds(completed, sizes.data.columns, sizes.directions) : 0;
  work.plan.fit_seconds = (total + completing) / static_cast<double>(sizes.threads);
  for (const double layer : layers) work.layer_share.push_back(layer / total);
  work.projection_share = projection / total;
  work.clustering_share = clustering / total;
  work.map_share = map / total;
}

}  // namespace

std::uint64_t DataSize::worked_bytes() const {
  return is_sparse ? sparse_bytes(nonzeros, shape.rows) : shape.bytes();
}

DataSize size_of(Shape shape) {
  return {.shape = shape, .given_bytes = shape.bytes()};
}

DataSize size_of(RowsView rows, const FitOptions& options, Job& job) {
  if (options.missing == MissingValues::partial) {
    require_values(rows, options.missing, job);
    return size_of(rows.dense().shape());
  }
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
  if (rows.is_sparse() && options.metric == Metric::correlation) {
    throw InvalidArgument(
        ErrorCode::sparse_rows,
        {option("metric", "correlation"),
         " would fill in the zeros of sparse rows; where nearly all values are zero, ",
         option("metric", "cosine"), " is nearly the same; or give dense rows"},
        {.option = "metric", .value = "correlation"});
  }
  const bool as_given = options.metric == Metric::precomputed;
  const bool dense = scaled || options.metric == Metric::correlation;
  const std::uint64_t nonzeros = dense      ? 0
                                 : as_given ? rows.sparse().nonzeros()
                                            : count_nonzeros(rows, job);
  DataSize size;
  size.shape = rows.is_sparse() ? Shape{rows.rows(), rows.columns(), ElementType::float32}
                                : rows.dense().shape();
  size.is_sparse =
      as_given ? rows.is_sparse() : !dense && mostly_zeros(nonzeros, rows.rows(), rows.columns());
  if (size.is_sparse) size.nonzeros = nonzeros;
  size.given_bytes = rows.is_sparse() ? sparse_bytes(rows.sparse().nonzeros(), rows.rows())
                                      : rows.dense().shape().bytes();
  size.converts = size.is_sparse != rows.is_sparse();
  return size;
}

namespace {

// Of the map in a model: places and components of the kept rows, and what a new row needs.
std::uint64_t map_bytes(const Sizes& sizes, const Plan& plan) {
  if (sizes.map == 0) return 0;
  const std::uint64_t input = sizes.joint_columns - sizes.map_components;
  return plan.layers[0].kept_rows * (sizes.map + sizes.map_components) * sizeof(float) +
         (sizes.map_components == plan.components
              ? 0
              : Projection::bytes(sizes.clusterings, sizes.centroids.back(),
                                  sizes.map_components)) +
         (sizes.own_map_directions ? input * (sizes.bottom.columns + 3) * sizeof(float) : 0);
}

}  // namespace

WorkPlan plan_known(const DataSize& size, const FitOptions& options, const RunOptions& run) {
  const Shape data = size.shape;
  if (data.columns == 0) throw InvalidArgument(ErrorCode::too_small, "the data has no columns");
  check_solver(options.solver, data.rows);
  Sizes sizes;
  sizes.data = data;
  sizes.size = size;
  sizes.directions = options.directions.count_or(0);
  const bool distances = options.metric == Metric::precomputed;
  sizes.sparse = size.is_sparse && sizes.directions == 0 && !distances;
  sizes.clusterings = *options.clusterings;
  sizes.distance_codes = distances ? codes_of_distances(*options.clusterings) : 0;
  sizes.threads = Job(run).threads();
  sizes.changes_values = options.scale != Scale::none || changes_rows(options.metric) ||
                         options.weighting != Weighting::counts;
  sizes.copies_rows = sizes.changes_values || sizes.directions != 0 || distances;
  sizes.bottom = {data.rows,
                  distances               ? sizes.distance_codes
                  : sizes.directions != 0 ? sizes.directions
                                          : data.columns,
                  sizes.copies_rows ? ElementType::float32 : data.type};
  sizes.metric = compared_by(options.metric);
  sizes.may_walk = options.engine == Engine::automatic;
  sizes.partial = options.missing == MissingValues::partial && data.type == ElementType::float32;
  sizes.partial_bottom = sizes.partial && sizes.directions == 0;
  sizes.centroids = schedule(data.rows, options);
  sizes.map = options.map;
  sizes.map_neighbours = options.map == 0 ? 0 : options.neighbours;
  sizes.map_components = options.map == 0 ? 0 : map_components(options);
  sizes.joint_columns =
      joint_columns(sizes.bottom.columns, sizes.sparse, sizes.map_components, options.metric);
  sizes.own_map_directions =
      sizes.joint_columns > sizes.map_components &&
      (sizes.sparse || sizes.joint_columns - sizes.map_components < sizes.bottom.columns);
  WorkPlan work;
  Plan& plan = work.plan;
  plan.layers = layer_infos(sizes, options);
  plan.components = embedding_components(options);
  plan.clusterings = *options.clusterings;
  plan.directions = sizes.directions;
  const std::uint32_t clusters = options.clusters.count_or(0);
  const std::uint64_t network_top =
      Projection::bytes(sizes.clusterings, sizes.centroids.back(), plan.components) +
      Shape{clusters, plan.components}.bytes() +
      votes_bytes(sizes.clusterings, sizes.centroids.back(), clusters) +
      (options.scale != Scale::none ? Scaler::bytes(data.columns) : 0) +
      sizes.directions * (data.columns + 1) * sizeof(float) + drawn_column_bytes(sizes);
  const std::uint64_t top = network_top + map_bytes(sizes, plan);
  constexpr std::uint64_t kHeader = 4000;  // options, and what was tried before they were chosen
  plan.model_bytes = top;
  plan.file_bytes = top + kHeader;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    plan.model_bytes += plan.layers[l].bytes;
    plan.file_bytes += layer_file_bytes(sizes, plan.layers, l);
  }
  fit_into_memory(sizes, work, options.solver, run.memory_limit);
  share_out_time(sizes, options, work);
  return work;
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
