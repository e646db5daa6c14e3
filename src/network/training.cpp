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

#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "map/joint_space.hpp"
#include "map/make_map.hpp"
#include "map/placer.hpp"
#include "network/schedule.hpp"
#include "network/settle_options.hpp"
#include "network/train_layer.hpp"
#include "rows/check_distances.hpp"
#include "rows/gather.hpp"
#include "rows/kinds.hpp"
#include "rows/missing_cells.hpp"
#include "rows/preparation.hpp"
#include "rows/weights.hpp"

namespace mbn {

Training::Training(RowsView rows, const FitOptions& given, const RunOptions& run, Job& job,
                   Notes& notes)
    : run_(run), job_(job), notes_(notes) {
  require_training_values(rows, given.missing, job);
  if (given.metric == Metric::precomputed) {
    if (auto note = check_distances(rows)) {
      notes_.add({NoteCode::distances_differ, *std::move(note)});
    }
  }
  const DataSize size = size_of(rows, given, job);
  const FitOptions options = settle_options(given, size);
  work_ = plan_work(size, options, run);
  worked_on_ = as_worked_on(rows, size.is_sparse, options.metric);
  rows_ = worked_on_;
  const ColumnStatistics statistics = column_statistics(rows_, job);
  ModelData& model = so_far_.model;
  model.options = options;
  model.training_rows = rows_.rows();
  model.columns = rows_.columns();
  give_advice(statistics);
  model.preparation = make_preparation(rows_, statistics, options, job);
  pool_ = draw_pool();
}

void Training::give_advice(const ColumnStatistics& statistics) {
  const FitOptions& options = so_far_.model.options;
  const bool as_columns = !options.directions.is_number();
  const bool by_size = options.metric == Metric::euclidean || options.metric == Metric::manhattan;
  if (options.scale == Scale::none && by_size && as_columns) {
    if (auto note = dominance_note(statistics)) {
      notes_.add({NoteCode::columns_differ, *std::move(note)});
    }
  }
  if (options.weighting == Weighting::counts && (by_size || options.metric == Metric::cosine) &&
      rows_.is_sparse() && are_counts(rows_.sparse())) {
    notes_.add({NoteCode::plain_counts,
                {"these sparse rows look like counts, and are compared as they are; if they count "
                 "words, ",
                 option("weighting", "log-tfidf"), " with ", option("metric", "cosine"),
                 " serves much better, and if they count genes in cells, ",
                 option("weighting", "cells")}});
  }
  if (options.map != 0) {
    if (auto note = map_note(options.metric)) {
      notes_.add({NoteCode::map_differs, *std::move(note)});
    }
  }
  if (work_.plan.layers[0].features == 1 && rows_.columns() > 1) {
    notes_.add({NoteCode::few_columns,
                {fmt::format("each clustering sees 1 of {} columns; for data of so few columns, ",
                             rows_.columns()),
                 option("feature_fraction", "1"), " usually serves better"}});
  }
}

// Rows of distances cannot be left out (every row has one to each of them), but not all need be
// drawn. Of other rows there are never more than the pool's here.
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

LayerRequest Training::layer_request(std::size_t below) const {
  const FitOptions& options = so_far_.model.options;
  return {.seed = options.seed,
          .layer = static_cast<std::uint32_t>(below + 1),
          .clusterings = *options.clusterings,
          .centroids = work_.plan.layers[below].centroids,
          .feature_fraction = *options.feature_fraction,
          .pool = pool_,
          .blocks = below == 0 ? drawn_blocks(options) : std::span<const ColumnBlock>()};
}

void Training::add_layer() {
  const Stopwatch watch;
  const FitOptions& options = so_far_.model.options;
  const std::size_t below = layers_done();
  const auto number = static_cast<std::uint32_t>(below + 1);
  job_.stage("layer", work_.layer_share[below], *options.clusterings, number,
             static_cast<std::uint32_t>(work_.plan.layers.size()));
  if (below == 0) {
    add_bottom(layer_request(below));
  } else {
    add_upper(layer_request(below));
  }
  layer_seconds_.push_back(watch.seconds());
}

void Training::add_bottom(const LayerRequest& request) {
  const FitOptions& options = so_far_.model.options;
  const Rows prepared = prepare_rows(so_far_.model.preparation, rows_, job_);
  auto [layer, codes] = train_layer(prepared.view(), request,
                                    {.metric = options.metric,
                                     .engine = options.engine,
                                     .excess = options.excess,
                                     .recall = options.recall,
                                     .partial = options.missing == MissingValues::partial,
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
  std::vector<std::uint32_t> kept;
  if (so_far_.model.options.map != 0) {
    kept = kept_numbers(layer_request(0), rows_.rows(), so_far_.model.bottom.kept.columns());
  }
  trained.model = std::move(so_far_.model);
  const FitOptions& options = trained.model.options;
  job_.stage("projection", work_.projection_share, kProjectionSteps);
  add_components(trained, so_far_.codes, work_.plan.components, job_);
  if (options.clusters.is_number()) {
    job_.stage("clusters", work_.clustering_share, 1);
    add_clusters(trained, so_far_.codes, run_, job_);
  }
  if (options.map != 0) {
    job_.stage("map", work_.map_share, make_map_steps(trained.model.bottom.kept.rows()));
    draw_map(trained, kept);
  }
  trained.layer_seconds = std::move(layer_seconds_);
  return trained;
}

void Training::draw_map(TrainedNetwork& trained, std::span<const std::uint32_t> kept) {
  const Stopwatch watch;
  ModelData& model = trained.model;
  MapComponents found = components_for_map(trained, so_far_.codes, job_);
  model.map =
      make_map(model.bottom.kept, gather_rows(found.rows, kept), map_request(model.options), job_);
  model.map.space.projection = std::move(found.projection);
  trained.map = place_all(model, found.rows, kept);
  trained.map_seconds = watch.seconds();
}

// Kept rows have their places; the others are drawn to them, as any row would be.
Matrix Training::place_all(const ModelData& model, MatrixView components,
                           std::span<const std::uint32_t> kept) {
  Matrix map(rows_.rows(), model.map.places.columns());
  const auto put = [&](std::size_t row, const Matrix& places, std::size_t place) {
    std::copy_n(places.view().row<float>(place), map.columns(), map.mutable_row<float>(row));
  };
  for (std::size_t i = 0; i < kept.size(); ++i) put(kept[i], model.map.places, i);
  if (kept.size() == map.rows()) return map;
  const Placer placer(model.map, model.bottom.kept, model.options.seed, job_);
  std::vector<std::uint32_t> others;
  for (std::uint32_t row = 0, next = 0; row < map.rows(); ++row) {
    if (next < kept.size() && kept[next] == row) {
      ++next;
    } else {
      others.push_back(row);
    }
  }
  for (std::size_t first = 0; first < others.size(); first += Placer::kBatchRows) {
    const auto batch =
        std::span(others).subspan(first, std::min(Placer::kBatchRows, others.size() - first));
    const Rows given = gather(rows_, batch);
    const Rows prepared = prepare_rows(model.preparation, given, job_);
    const Matrix places = placer.place(prepared, gather_rows(components, batch), job_);
    for (std::size_t i = 0; i < batch.size(); ++i) put(batch[i], places, i);
  }
  return map;
}

}  // namespace mbn
