// SPDX-License-Identifier: Apache-2.0
#include "network/encode.hpp"

#include <utility>

#include "bottom/calibrate_bottom.hpp"
#include "upper/upper_engines.hpp"
#include "upper/upper_index.hpp"

namespace mbn {

namespace {

template <class Engine, class Input>
CodeMatrix encode(const Engine& engine, const Draws& draws, const Input& rows, Job& job) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  engine.encode(rows, codes, job);
  return codes;
}

bool is_many(std::size_t rows) {
  constexpr std::size_t kFewRows = 1024;
  return rows > kFewRows;
}

}  // namespace

CodeMatrix encode_bottom(const BottomLayer& layer, Metric metric, RowsView rows,
                         std::size_t batch_rows, Job& job) {
  const auto engine =
      make_bottom_engine(layer.kept, layer.draws, metric, layer.settings, batch_rows, job);
  return encode(*engine, layer.draws, rows, job);
}

CodeMatrix encode_upper(const UpperLayer& layer, const CodeMatrix& rows, Job& job) {
  const auto engine = make_upper_engine(layer.kept, layer.draws, rows.rows(), job);
  return encode(*engine, layer.draws, rows, job);
}

bool EngineCache::are_worth_keeping(std::size_t rows) {
  if (!is_many(rows)) return true;
  const std::lock_guard lock(mutex_);
  return std::exchange(many_rows_came_, true);
}

template <class Engine, class Make>
std::shared_ptr<const Engine> EngineCache::get(std::shared_ptr<const Engine>& slot, Make&& make) {
  {
    const std::lock_guard lock(mutex_);
    if (slot) return slot;
  }
  std::shared_ptr<const Engine> made = make();
  const std::lock_guard lock(mutex_);
  if (!slot) slot = std::move(made);
  return slot;
}

CodeMatrix EngineCache::encode_bottom(RowsView rows, Job& job) {
  const BottomLayer& layer = model_.bottom;
  const auto engine = get(bottom_, [&] {
    return make_bottom_engine(layer.kept, layer.draws, model_.options.metric, layer.settings, 0,
                              job);
  });
  return encode(*engine, layer.draws, rows, job);
}

CodeMatrix EngineCache::encode_upper(std::size_t layer, const CodeMatrix& rows, Job& job) {
  const UpperLayer& upper = model_.upper[layer];
  if (scans(layer, rows.rows())) {
    return encode(*make_scan_upper(upper.kept, upper.draws), upper.draws, rows, job);
  }
  const auto engine = get(upper_[is_many(rows.rows()) ? 1 : 0][layer], [&] {
    return make_upper_engine(upper.kept, upper.draws, rows.rows(), job);
  });
  return encode(*engine, upper.draws, rows, job);
}

bool EngineCache::scans(std::size_t layer, std::size_t rows) {
  // To scan so many rows takes about as long as to make the tables that spare it.
  constexpr std::size_t kScannedRows = 32;
  const std::lock_guard lock(mutex_);
  if (upper_[0][layer] != nullptr || rows > kScannedRows - scanned_[layer]) return false;
  scanned_[layer] += rows;
  return true;
}

std::uint64_t EngineCache::bytes(const ModelData& model) {
  const BottomLayer& bottom = model.bottom;
  std::uint64_t sum = bottom_engine_bytes(bottom.kept, bottom.draws, bottom.settings);
  for (const UpperLayer& layer : model.upper) {
    sum += UpperIndex::bytes({.kept_rows = layer.kept.rows(),
                              .inputs = layer.kept.clusterings(),
                              .centroids_below = layer.kept.centroids(),
                              .clusterings = layer.draws.clusterings,
                              .centroids = layer.draws.centroids,
                              .features = layer.draws.features});
  }
  return sum;
}

}  // namespace mbn
