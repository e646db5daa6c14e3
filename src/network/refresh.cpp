// SPDX-License-Identifier: Apache-2.0
//
// The layers hold nothing of the training rows but the kept ones, so everything above them can be
// made for any rows: their top codes take the place of the training rows'. With the training rows
// themselves every step gets what it got in the fit, and gives the same bytes. The kept rows need
// not be among the new rows; their components come from codes of their own.
#include "network/refresh.hpp"

#include <algorithm>
#include <utility>

#include "base/stopwatch.hpp"
#include "map/joint_space.hpp"
#include "map/make_map.hpp"
#include "map/placer.hpp"
#include "network/encode.hpp"
#include "network/planning.hpp"
#include "network/schedule.hpp"
#include "rows/kinds.hpp"
#include "rows/preparation.hpp"

namespace mbn {

namespace {

CodeMatrix encode_prepared(const ModelData& model, RowsView prepared, Job& job) {
  CodeMatrix codes = encode_bottom(model.bottom, model.options.metric, prepared, 0, job);
  for (const UpperLayer& layer : model.upper) codes = encode_upper(layer, codes, job);
  return codes;
}

std::size_t kept_batch_rows(const ModelData& model, const RunOptions& run) {
  return transform_batch_rows(model.bottom.kept.rows(), model.bottom.draws.clusterings,
                              model.bottom.draws.centroids, run);
}

Matrix place_all(const ModelData& model, RowsView rows, MatrixView components, Job& job) {
  const Placer placer(model.map, model.bottom.kept, model.options.seed, job);
  Matrix map(rows.rows(), model.map.places.columns());
  for (std::size_t first = 0; first < rows.rows(); first += Placer::kBatchRows) {
    const std::size_t count = std::min(Placer::kBatchRows, rows.rows() - first);
    const Rows same_kind =
        as_worked_on(rows.slice(first, count), model.preparation.sparse, model.options.metric);
    const Rows prepared = prepare_rows(model.preparation, same_kind, job);
    const Matrix places = placer.place(prepared, components.slice(first, count), job);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(places.row<float>(i), map.columns(), map.mutable_row<float>(first + i));
    }
  }
  return map;
}

void draw_map(TrainedNetwork& trained, RowsView rows, const CodeMatrix& codes,
              const RunOptions& run, Job& job) {
  const Stopwatch watch;
  ModelData& model = trained.model;
  MapComponents found = components_for_map(trained, codes, job);
  const Projection& projection =
      found.projection.components == 0 ? model.projection : found.projection;
  Matrix kept = project(projection, codes_of_kept(model, run, job), job);
  model.map = make_map(model.bottom.kept, std::move(kept), map_request(model.options), job);
  model.map.space.projection = std::move(found.projection);
  trained.map = place_all(model, rows, found.rows, job);
  trained.map_seconds = watch.seconds();
}

}  // namespace

CodeMatrix codes_of_kept(const ModelData& model, const RunOptions& run, Job& job) {
  const RowsView kept = model.bottom.kept;
  const std::size_t batch_rows = kept_batch_rows(model, run);
  CodeMatrix all(kept.rows(), model.bottom.draws.clusterings,
                 model.draws(model.layer_count() - 1).centroids);
  for (std::size_t first = 0; first < kept.rows(); first += batch_rows) {
    const std::size_t count = std::min(batch_rows, kept.rows() - first);
    all.copy_rows(first, encode_prepared(model, kept.slice(first, count), job));
  }
  return all;
}

TrainedNetwork refresh(ModelData model, RowsView rows, const CodeMatrix& codes,
                       const RunOptions& run, Job& job) {
  constexpr double kComponentsShare = 0.2;
  constexpr double kMapShare = 0.7;
  TrainedNetwork trained;
  trained.model = std::move(model);
  trained.model.updated_rows = rows.rows();
  const bool has_map = trained.model.options.map != 0;
  job.stage("projection", has_map ? kComponentsShare : 1 - kComponentsShare, kProjectionSteps);
  add_components(trained, codes, trained.model.projection.components, job);
  if (trained.model.options.clusters.is_number()) {
    job.stage("clusters", has_map ? 1 - kComponentsShare - kMapShare : kComponentsShare, 1);
    add_clusters(trained, codes, run, job);
  }
  if (has_map) {
    job.stage("map", kMapShare, make_map_steps(trained.model.bottom.kept.rows()));
    draw_map(trained, rows, codes, run, job);
  }
  return trained;
}

std::uint64_t refresh_bytes(const ModelData& model, std::uint64_t rows, const RunOptions& run,
                            unsigned threads) {
  const std::uint64_t clusterings = model.bottom.draws.clusterings;
  const std::uint64_t top = model.draws(model.layer_count() - 1).centroids;
  const std::uint64_t code_bytes = clusterings * CodeMatrix::element_bytes(top);
  const std::uint64_t batch =
      2 * clusterings * CodeMatrix::element_bytes(model.bottom.draws.centroids);
  const std::uint64_t encoding =
      batch * transform_batch_rows(rows, clusterings, model.bottom.draws.centroids, run);
  const std::uint64_t own = map_components(model.options);
  const bool has_map = model.options.map != 0;
  const std::uint64_t components =
      std::max<std::uint64_t>(model.projection.components, has_map ? own : 0);
  std::uint64_t above =
      projection_workspace_bytes(rows, clusterings, top, components, model.options.solver);
  if (has_map) {
    const std::uint64_t kept = model.bottom.kept.rows();
    const std::uint64_t columns =
        joint_columns(model.bottom.kept.columns(), model.bottom.is_sparse(), own);
    above = std::max({above, kept * code_bytes + batch * kept_batch_rows(model, run),
                      make_map_bytes(kept, columns, model.options.neighbours, threads)});
  }
  const std::uint64_t results =
      rows * (model.projection.components + (has_map ? own + model.options.map : 0)) *
      sizeof(float);
  return rows * code_bytes + std::max(encoding, results + above);
}

}  // namespace mbn
