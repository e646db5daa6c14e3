// SPDX-License-Identifier: Apache-2.0
//
// Training is encoding: a layer draws rows and features from its input, keeps the rows that were
// drawn, and the whole input is encoded by them. The codes are the next layer's input; the layer
// below is not needed any more. At the top, principal components turn codes into the embedding and
// k-means turns the embedding into labels.
//
// All that is random is drawn from (seed, layer, clustering), so a training that goes on from a
// checkpoint continues exactly as it would have.
#include "network/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <mbn/assignment.hpp>
#include <mbn/cluster.hpp>

#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "network/schedule.hpp"
#include "network/train_layer.hpp"
#include "network/votes.hpp"
#include "rows/kinds.hpp"
#include "rows/scaler.hpp"

namespace mbn {

Training::Training(RowsView rows, const FitOptions& options, const RunOptions& run, Job& job,
                   Notes& notes)
    : run_(run), job_(job), notes_(notes) {
  require_finite(rows, job);
  const DataSize size = size_of(rows, options, job);
  work_ = plan_work(size, options, run);
  worked_on_ = size.is_sparse ? as_sparse(rows) : as_dense(rows);
  rows_ = worked_on_;
  const ColumnStatistics statistics = column_statistics(rows_, job);
  ModelData& model = so_far_.model;
  model.options = options;
  model.training_rows = rows_.rows();
  model.columns = rows_.columns();
  model.scaler = make_scaler(statistics, options.scale, options.metric);
  give_advice(statistics);
  pool_ = draw_pool();
}

void Training::give_advice(const ColumnStatistics& statistics) {
  const FitOptions& options = so_far_.model.options;
  if (options.scale == Scale::none && options.metric == Metric::euclidean) {
    if (auto note = dominance_note(statistics)) {
      notes_.add({NoteCode::columns_differ, *std::move(note)});
    }
  }
  if (work_.plan.layers[0].features == 1 && rows_.columns() > 1) {
    notes_.add({NoteCode::few_columns,
                {fmt::format("each clustering sees 1 of {} columns; for data of so few columns, ",
                             rows_.columns()),
                 option("feature_fraction", "1"), " usually serves better"}});
  }
}

std::vector<std::uint32_t> Training::draw_pool() const {
  const FitOptions& options = so_far_.model.options;
  const auto all = static_cast<std::uint32_t>(rows_.rows());
  const auto wished = static_cast<std::uint32_t>(drawable_rows(all, options));
  if (wished == all) return {};
  Random random(options.seed, Purpose::pool);
  std::vector<std::uint32_t> pool = draw_without_replacement(random, all, wished);
  std::sort(pool.begin(), pool.end());
  return pool;
}

void Training::add_layer() {
  const Stopwatch watch;
  const FitOptions& options = so_far_.model.options;
  const std::size_t below = layers_done();
  const auto number = static_cast<std::uint32_t>(below + 1);
  job_.stage("layer", work_.layer_share[below], options.clusterings, number,
             static_cast<std::uint32_t>(work_.plan.layers.size()));
  const LayerRequest request{.seed = options.seed,
                             .layer = number,
                             .clusterings = options.clusterings,
                             .centroids = work_.plan.layers[below].centroids,
                             .feature_fraction = options.feature_fraction,
                             .pool = pool_};
  if (below == 0) {
    add_bottom(request);
  } else {
    add_upper(request);
  }
  layer_seconds_.push_back(watch.seconds());
}

void Training::add_bottom(const LayerRequest& request) {
  const FitOptions& options = so_far_.model.options;
  const Rows prepared = prepare_rows(so_far_.model.scaler, rows_, job_);
  auto [layer, codes] = train_layer(prepared.view(), request,
                                    {.metric = options.metric,
                                     .engine = options.engine,
                                     .recall = options.recall,
                                     .batch_rows = work_.forced_batch_rows,
                                     .notes = &notes_},
                                    job_);
  so_far_.model.bottom = std::move(layer);
  so_far_.codes = std::move(codes);
}

void Training::add_upper(const LayerRequest& request) {
  auto [layer, codes] = train_layer(so_far_.codes, request, job_);
  so_far_.model.upper.push_back(std::move(layer));
  so_far_.codes = std::move(codes);
}

void Training::resume_from(Checkpoint checkpoint) {
  if (checkpoint.model.layer_count() == 0) return;
  so_far_ = std::move(checkpoint);
  layer_seconds_.assign(layers_done(), 0.0);
}

TrainedNetwork Training::finish() {
  TrainedNetwork trained;
  const FitOptions& options = so_far_.model.options;
  const Stopwatch watch;
  job_.stage("projection", work_.projection_share, kProjectionSteps);
  so_far_.model.projection =
      fit_projection(so_far_.codes, work_.plan.components, options.solver, options.seed, job_);
  trained.embedding = project(so_far_.model.projection, so_far_.codes, job_);
  trained.projection_seconds = watch.seconds();
  if (options.clusters.is_number()) find_clusters(trained);
  trained.layer_seconds = std::move(layer_seconds_);
  trained.model = std::move(so_far_.model);
  return trained;
}

void Training::find_clusters(TrainedNetwork& trained) {
  ModelData& model = so_far_.model;
  const FitOptions& options = model.options;
  const std::uint32_t clusters = options.clusters.count();
  const Stopwatch watch;
  job_.stage("clusters", work_.clustering_share, 1);
  RunOptions quiet = run_;
  quiet.progress = nullptr;
  KMeans found =
      kmeans(trained.embedding,
             {.clusters = clusters, .restarts = options.restarts, .seed = options.seed}, quiet);
  model.centres = std::move(found.centres);
  model.votes = count_votes(so_far_.codes, found.labels, clusters);
  trained.confidence = confidence_of(vote(model.votes, so_far_.codes, job_), found.labels);
  trained.labels = std::move(found.labels);
  trained.clustering_seconds = watch.seconds();
}

}  // namespace mbn
