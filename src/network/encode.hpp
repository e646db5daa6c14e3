// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/job.hpp"
#include "bottom/bottom_engine.hpp"
#include "network/model_data.hpp"
#include "upper/upper_engine.hpp"

namespace mbn {

/// Encodes prepared rows by the bottom layer, or codes by a layer above, with an engine that is
/// made for this call and not kept: for many rows at a time. Prepared rows must be dense or sparse
/// as the layer's kept rows are.
CodeMatrix encode_bottom(const BottomLayer& layer, Metric metric, RowsView rows,
                         std::size_t batch_rows, Job& job);
CodeMatrix encode_upper(const UpperLayer& layer, const CodeMatrix& rows, Job& job);

/// The engines of a model's layers, for calls with few rows or with batch after batch: making an
/// engine can take longer than encoding a thousand rows, so each is made when it is needed and then
/// kept. Above the bottom, the first few rows do not need it: an engine without tables encodes
/// them, with the same codes; and few rows and many have engines of their own there. Thread-safe: a
/// thread that needs a missing engine makes it under its own Job, and the first that is ready is
/// kept. `model` must outlive it.
class EngineCache {
 public:
  explicit EngineCache(const ModelData& model)
      : model_(model),
        upper_{Engines(model.upper.size()), Engines(model.upper.size())},
        scanned_(model.upper.size()) {}

  /// False for the first call with many rows: it may be the only one.
  bool are_worth_keeping(std::size_t rows);

  CodeMatrix encode_bottom(RowsView rows, Job& job);
  /// `layer` counts the layers above the bottom from 0.
  CodeMatrix encode_upper(std::size_t layer, const CodeMatrix& rows, Job& job);

  /// An upper bound of what all engines together take.
  static std::uint64_t bytes(const ModelData& model);

 private:
  using Engines = std::vector<std::shared_ptr<const UpperEngine>>;

  template <class Engine, class Make>
  std::shared_ptr<const Engine> get(std::shared_ptr<const Engine>& slot, Make&& make);

  // Whether so many rows more are scanned, because the layer has no engine yet and few rows came
  // before; counts them.
  bool scans(std::size_t layer, std::size_t rows);

  const ModelData& model_;
  std::mutex mutex_;
  std::shared_ptr<const BottomEngine> bottom_;
  std::array<Engines, 2> upper_;  // for few rows and for many
  bool many_rows_came_ = false;
  std::vector<std::size_t> scanned_;  // [upper layer] rows that were encoded without an engine
};

}  // namespace mbn
