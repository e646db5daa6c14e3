// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/job.hpp"
#include "base/notes.hpp"
#include "network/model_data.hpp"

namespace mbn {

/// What one layer draws.
struct LayerRequest {
  std::uint64_t seed = 0;
  std::uint32_t layer = 1;  ///< from 1; names the random streams
  std::uint32_t clusterings = 0;
  std::uint32_t centroids = 0;
  double feature_fraction = 1;
  /// The rows that may be drawn, ascending; empty: all.
  std::span<const std::uint32_t> pool = {};
  /// Columns that are drawn together; for a bottom layer without directions only.
  std::span<const ColumnBlock> blocks = {};
};

/// What a bottom layer may draw together: with directions there are no columns left.
inline std::span<const ColumnBlock> drawn_blocks(const FitOptions& options) {
  if (options.directions.is_number()) return {};
  return options.blocks;
}

/// What a bottom layer needs in addition.
struct BottomRequest {
  Metric metric = Metric::euclidean;
  Engine engine = Engine::automatic;
  double excess = 0;  ///< that the walk may have on a sample; exact search ignores it
  std::optional<double> recall = std::nullopt;  ///< that it must reach, when asked for
  bool partial = false;                         ///< rows may have missing cells
  std::size_t batch_rows = 0;                   ///< rows per batch; 0: the engine decides
  Notes* notes = nullptr;  ///< where advice about the engine goes; null: nowhere
};

template <class Layer>
struct Trained {
  Layer layer;
  CodeMatrix codes;  ///< of all rows that were given
};

/// The one way to make a layer: draw rows and features, keep the drawn rows, and encode all rows by
/// them. The bottom layer takes prepared rows, a layer above takes codes.
Trained<BottomLayer> train_layer(RowsView rows, const LayerRequest& request,
                                 const BottomRequest& bottom, Job& job);
Trained<UpperLayer> train_layer(const CodeMatrix& rows, const LayerRequest& request, Job& job);

/// The numbers of the rows that the layer of a request keeps, ascending.
std::vector<std::uint32_t> kept_numbers(const LayerRequest& request, std::size_t rows,
                                        std::size_t features);

}  // namespace mbn
