// SPDX-License-Identifier: Apache-2.0
#include "network/encode.hpp"

#include "bottom/walk_bottom.hpp"
#include "upper/upper_engines.hpp"
#include "upper/upper_index.hpp"

namespace mbn {

namespace {

CodeMatrix encode(const BottomSearch& engine, const Draws& draws, MatrixView rows, Job& job) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  engine.encode(rows, codes, job);
  return codes;
}

CodeMatrix encode(const SparseBottomSearch& engine, const Draws& draws, SparseView rows, Job& job) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  engine.encode(rows, codes, job);
  return codes;
}

CodeMatrix encode(const UpperSearch& engine, const Draws& draws, const CodeMatrix& rows, Job& job) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  engine.encode(rows, codes, job);
  return codes;
}

}  // namespace

CodeMatrix encode_bottom(const BottomLayer& layer, Metric metric, RowsView rows,
                         std::size_t batch_rows, Job& job) {
  if (layer.is_sparse()) {
    return encode(*make_sparse_bottom_search(layer.sparse_pool, layer.draws, metric), layer.draws,
                  rows.sparse(), job);
  }
  return encode(*make_bottom_search(layer.pool, layer.draws, metric, layer.settings, batch_rows),
                layer.draws, rows.dense(), job);
}

CodeMatrix encode_upper(const UpperLayer& layer, const CodeMatrix& rows, Job& job) {
  return encode(*make_upper_search(layer.pool, layer.draws), layer.draws, rows, job);
}

CodeMatrix Engines::encode_bottom(RowsView rows, Job& job) {
  if (model_.bottom.is_sparse()) {
    return encode(sparse_bottom(), model_.bottom.draws, rows.sparse(), job);
  }
  return encode(bottom(), model_.bottom.draws, rows.dense(), job);
}

CodeMatrix Engines::encode_upper(std::size_t layer, const CodeMatrix& rows, Job& job) {
  return encode(upper(layer), model_.upper[layer].draws, rows, job);
}

const BottomSearch& Engines::bottom() {
  const std::lock_guard lock(mutex_);
  if (!bottom_) {
    bottom_ = make_bottom_search(model_.bottom.pool, model_.bottom.draws, model_.options.metric,
                                 model_.bottom.settings);
  }
  return *bottom_;
}

const SparseBottomSearch& Engines::sparse_bottom() {
  const std::lock_guard lock(mutex_);
  if (!sparse_bottom_) {
    sparse_bottom_ = make_sparse_bottom_search(model_.bottom.sparse_pool, model_.bottom.draws,
                                               model_.options.metric);
  }
  return *sparse_bottom_;
}

const UpperSearch& Engines::upper(std::size_t layer) {
  const std::lock_guard lock(mutex_);
  if (!upper_[layer]) {
    upper_[layer] = make_upper_search(model_.upper[layer].pool, model_.upper[layer].draws);
  }
  return *upper_[layer];
}

std::uint64_t Engines::bytes(const ModelData& model) {
  const Draws& draws = model.bottom.draws;
  // Who drew each pool row, its codes there, and masks of features or projections of the pool.
  std::uint64_t sum = draws.clusterings * (model.bottom.pool.rows() / 8 + draws.centroids * 4 +
                                           std::uint64_t{model.columns}) +
                      model.bottom.pool.rows() * 2 * model.bottom.settings.directions.count;
  if (model.bottom.is_sparse()) {
    sum = sparse_bottom_bytes({.pool_rows = model.bottom.sparse_pool.rows(),
                               .pool_cells = model.bottom.sparse_pool.indices.size(),
                               .columns = model.columns,
                               .clusterings = draws.clusterings,
                               .centroids = draws.centroids},
                              1);
  }
  for (const UpperLayer& layer : model.upper) {
    sum += UpperIndex::bytes({.pool_rows = layer.pool.rows(),
                              .inputs = layer.pool.clusterings(),
                              .centroids_below = layer.pool.centroids(),
                              .clusterings = layer.draws.clusterings,
                              .centroids = layer.draws.centroids,
                              .features = layer.draws.features});
  }
  return sum;
}

}  // namespace mbn
