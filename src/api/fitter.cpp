// SPDX-License-Identifier: Apache-2.0
//
// Training is encoding: a layer draws rows and features from its input, keeps the rows that were
// drawn (the pool), and the whole input is encoded against them. The codes are the next layer's
// input; the layer below is not needed any more. At the top, principal components turn codes into
// the embedding and k-means turns the embedding into labels.
//
// All that is random is drawn from (seed, layer, clustering), so a fit that goes on from a
// checkpoint continues exactly as it would have.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include <mbn/choose.hpp>
#include <mbn/cluster.hpp>
#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "base/job.hpp"
#include "base/part_of.hpp"
#include "base/random.hpp"
#include "network/encode.hpp"
#include "network/model_data.hpp"
#include "network/planning.hpp"
#include "network/schedule.hpp"
#include "network/votes.hpp"
#include "rows/gather.hpp"
#include "rows/scaler.hpp"
#include "store/model_file.hpp"

namespace mbn {

namespace {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Of the time of a fit that chooses its own options.
constexpr double kChoosingShare = 0.7;

// Tells one data set from another, so that a checkpoint is not continued on the wrong one.
std::uint64_t hash_rows(RowsView given) {
  if (given.is_sparse()) {
    std::uint64_t sparse_hash = XXH3_64bits_withSeed(nullptr, 0, given.columns());
    for (std::size_t i = 0; i < given.rows(); ++i) {
      const auto at = given.sparse().indices(i);
      const auto values = given.sparse().values(i);
      sparse_hash = XXH3_64bits_withSeed(at.data(), at.size_bytes(), sparse_hash);
      sparse_hash = XXH3_64bits_withSeed(values.data(), values.size_bytes(), sparse_hash);
    }
    return sparse_hash;
  }
  const MatrixView rows = given.dense();
  std::uint64_t hash = XXH3_64bits_withSeed(nullptr, 0, rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    rows.visit([&](const auto* cells) {
      const auto* row = cells + i * rows.row_stride();
      hash = XXH3_64bits_withSeed(row, rows.columns() * sizeof(*row), hash);
    });
  }
  return hash;
}

}  // namespace

struct Fitter::State {
  State(RowsView data, const FitOptions& options, const RunOptions& run_options)
      : run(run_options), job(run_options) {
    require_finite(data, job);
    const DataSize size = size_of(data, options, job);
    work = plan_work(size, options, run);
    worked_on = size.is_sparse ? as_sparse(data) : as_dense(data);
    rows = worked_on.view();
    const ColumnStatistics statistics = column_statistics(rows, job);
    if (options.scale == Scale::none && options.metric == Metric::euclidean) {
      if (auto note = dominance_note(statistics)) job.note(*std::move(note));
    }
    const std::uint32_t features = work.plan.layers[0].features;
    if (features == 1 && rows.columns() > 1) {
      job.note(fmt::format(
          "each clustering sees 1 of {} columns; for data of so few columns, --feature-fraction 1 "
          "usually serves better",
          rows.columns()));
    }
    model.options = options;
    model.training_rows = rows.rows();
    model.columns = rows.columns();
    model.scaler = make_scaler(statistics, options.scale, options.metric);
    pool_rows = choose_pool();
  }

  Draws draw_next(std::uint64_t input_features) const {
    const LayerInfo& info = work.plan.layers[layers];
    Draws draws =
        draw({.seed = model.options.seed,
              .layer = static_cast<std::uint32_t>(layers + 1),
              .clusterings = model.options.clusterings,
              .centroids = info.centroids,
              .features = info.features,
              .input_rows = static_cast<std::uint32_t>(drawable_rows(rows.rows(), model.options)),
              .input_features = static_cast<std::uint32_t>(input_features)});
    if (!pool_rows.empty()) {
      for (std::uint32_t& row : draws.rows) row = pool_rows[row];
    }
    return draws;
  }

  // The rows that may be drawn, ascending; empty when all may.
  std::vector<std::uint32_t> choose_pool() const {
    const auto all = static_cast<std::uint32_t>(rows.rows());
    const auto wished = static_cast<std::uint32_t>(drawable_rows(all, model.options));
    if (wished == all) return {};
    Random random(model.options.seed, Purpose::pool);
    std::vector<std::uint32_t> chosen = draw_without_replacement(random, all, wished);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  void add_bottom() {
    const RowStore prepared = prepare_rows(model.scaler, rows, job);
    const RowsView input = prepared.view();
    model.bottom.draws = draw_next(rows.columns());
    const auto pool = compact_to_pool(model.bottom.draws, static_cast<std::uint32_t>(rows.rows()));
    if (input.is_sparse()) {
      model.bottom.sparse_pool = gather_rows(input.sparse(), pool);
    } else {
      model.bottom.pool = gather_rows(input.dense(), pool);
    }
    // Compressed rows have one engine, which is exact.
    if (model.options.search == Search::automatic && !input.is_sparse()) {
      model.bottom.settings =
          choose_bottom_settings(model.bottom.pool, model.bottom.draws, model.options.metric,
                                 model.options.agreement, model.options.seed, rows.rows(), job);
    }
    codes = encode_bottom(model.bottom, model.options.metric, input, work.forced_batch_rows, job);
  }

  void add_upper() {
    UpperLayer layer;
    layer.draws = draw_next(model.options.clusterings);
    const auto pool = compact_to_pool(layer.draws, static_cast<std::uint32_t>(rows.rows()));
    layer.pool = codes.gather(pool);
    codes = encode_upper(layer, codes, job);
    model.upper.push_back(std::move(layer));
  }

  RowStore worked_on;
  RowsView rows;
  RunOptions run;
  Job job;
  WorkPlan work;
  Checkpoint so_far;
  ModelData& model = so_far.model;
  CodeMatrix& codes = so_far.codes;
  std::vector<std::uint32_t> pool_rows;
  std::size_t layers = 0;
  std::vector<double> layer_seconds;
};

Fitter::Fitter(RowsView rows, const FitOptions& options, const RunOptions& run) {
  if (!is_open(options)) {
    state_ = std::make_unique<State>(rows, options, run);
    return;
  }
  // Refused before the long work that it would waste.
  mbn::plan(rows, options, run);
  Selection selection = choose(rows, options, part_of(run, 0, kChoosingShare));
  state_ =
      std::make_unique<State>(rows, apply(selection, options), part_of(run, kChoosingShare, 1));
  if (selection.empty()) return;
  state_->job.note(describe(selection));
  state_->model.selection = std::move(selection);
}
Fitter::~Fitter() = default;
Fitter::Fitter(Fitter&&) noexcept = default;
Fitter& Fitter::operator=(Fitter&&) noexcept = default;

const Plan& Fitter::plan() const {
  return state_->work.plan;
}

std::uint32_t Fitter::layers_done() const {
  return static_cast<std::uint32_t>(state_->layers);
}

bool Fitter::done() const {
  return state_->layers == state_->work.plan.layers.size();
}

const CodeMatrix& Fitter::codes() const {
  return state_->codes;
}

void Fitter::add_layer() {
  if (done()) throw InvalidArgument("all layers are built already; call finish");
  State& state = *state_;
  const Stopwatch watch;
  const auto all = static_cast<std::uint32_t>(state.work.plan.layers.size());
  state.job.stage("layer", state.work.layer_share[state.layers], state.model.options.clusterings,
                  layers_done() + 1, all);
  if (state.layers == 0) {
    state.add_bottom();
  } else {
    state.add_upper();
  }
  ++state.layers;
  state.layer_seconds.push_back(watch.seconds());
}

FitResult Fitter::finish() {
  if (!done()) {
    throw InvalidArgument(fmt::format("{} of {} layers are built; add the others before finishing",
                                      layers_done(), plan().layers.size()));
  }
  State& state = *state_;
  ModelData& model = state.model;
  const FitOptions& options = model.options;

  const Stopwatch projection_watch;
  // Solvers make many short passes; about so many tasks.
  state.job.stage("projection", state.work.projection_share, 4000);
  model.projection = fit_projection(state.codes, state.work.plan.components, options.solver,
                                    options.seed, state.job);
  Matrix embedding = project(model.projection, state.codes, state.job);
  const double projection_seconds = projection_watch.seconds();

  const Stopwatch clustering_watch;
  std::vector<std::int32_t> labels;
  std::vector<float> confidence;
  if (options.clusters != 0) {
    state.job.stage("clusters", state.work.clustering_share, 1);
    RunOptions quiet = state.run;
    quiet.progress = nullptr;
    KMeans clusters = kmeans(
        embedding,
        {.clusters = options.clusters, .restarts = options.restarts, .seed = options.seed}, quiet);
    model.centres = std::move(clusters.centres);
    labels = std::move(clusters.labels);
    model.votes = count_votes(state.codes, labels, options.clusters);
    confidence = confidence_of(vote(model.votes, state.codes, state.job), labels);
  }
  FitResult result{Model(std::make_shared<const ModelData>(std::move(model))),
                   std::move(embedding),
                   std::move(labels),
                   std::move(confidence),
                   std::move(state.layer_seconds),
                   projection_seconds,
                   clustering_watch.seconds(),
                   state.job.notes()};
  state_.reset();
  return result;
}

void Fitter::save_checkpoint(const std::filesystem::path& path) {
  if (layers_done() == 0) throw InvalidArgument("there is no layer to keep yet");
  if (state_->so_far.data_hash == 0) state_->so_far.data_hash = hash_rows(state_->rows);
  write_checkpoint_file(path, state_->so_far);
}

void Fitter::resume(const std::filesystem::path& path) {
  State& state = *state_;
  Checkpoint checkpoint = read_checkpoint_file(path);
  if (checkpoint.model.options != state.model.options) {
    throw InvalidArgument(fmt::format(
        "{} belongs to a fit with other options; repeat those, or remove the file", path.string()));
  }
  if (checkpoint.data_hash != hash_rows(state.rows)) {
    throw InvalidArgument(fmt::format(
        "{} belongs to a fit of other data; remove the file to start anew", path.string()));
  }
  state.layers = checkpoint.model.layer_count();
  state.so_far = std::move(checkpoint);
  state.layer_seconds.assign(state.layers, 0.0);
}

FitResult fit_transform(RowsView rows, const FitOptions& options, const RunOptions& run) {
  Fitter fitter(rows, options, run);
  while (!fitter.done()) fitter.add_layer();
  return fitter.finish();
}

Model fit(RowsView rows, const FitOptions& options, const RunOptions& run) {
  return fit_transform(rows, options, run).model;
}

}  // namespace mbn
