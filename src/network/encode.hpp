// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/job.hpp"
#include "bottom/bottom_search.hpp"
#include "network/model_data.hpp"
#include "upper/upper_search.hpp"

namespace mbn {

/// Sends prepared rows, of the kind of the layer's pool, through the bottom layer, or codes through
/// a layer above: the one place that makes engines, for `fit` and `transform` alike.
CodeMatrix encode_bottom(const BottomLayer& layer, Metric metric, RowsView rows,
                         std::size_t batch_rows, Job& job);
CodeMatrix encode_upper(const UpperLayer& layer, const CodeMatrix& rows, Job& job);

/// The engines of all layers of a model, made when they are first needed and kept: building one can
/// take longer than a thousand rows. May be used from many threads at once. `model` must outlive
/// it.
class Engines {
 public:
  explicit Engines(const ModelData& model) : model_(model), upper_(model.upper.size()) {}

  CodeMatrix encode_bottom(RowsView rows, Job& job);
  /// `layer` counts the layers above the bottom from 0.
  CodeMatrix encode_upper(std::size_t layer, const CodeMatrix& rows, Job& job);

  /// An upper bound of what all engines together take.
  static std::uint64_t bytes(const ModelData& model);

 private:
  const BottomSearch& bottom();
  const SparseBottomSearch& sparse_bottom();
  const UpperSearch& upper(std::size_t layer);

  const ModelData& model_;
  std::mutex mutex_;
  std::unique_ptr<BottomSearch> bottom_;
  std::unique_ptr<SparseBottomSearch> sparse_bottom_;
  std::vector<std::unique_ptr<UpperSearch>> upper_;
};

}  // namespace mbn
