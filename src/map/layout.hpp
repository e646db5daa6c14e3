// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/matrix.hpp>

#include "base/job.hpp"
#include "map/neighbour_graph.hpp"

namespace mbn {

/// How rows are moved.
struct LayoutSettings {
  std::uint32_t epochs = 500;
  std::uint32_t negatives = 2;  ///< rows at random that push, for each edge that pulls
  float pull = 1.0F;
  float push = 1.0F;
  float early_pull = 2;  ///< edges pull so much harder at first, falling evenly to 1 at half time
  float step = 1;        ///< what moves are multiplied by at first, falling evenly to 0. Larger
                         ///< values forget more of the start.
  /// Every edge acts in every epoch, as much as it weighs. Otherwise it acts fully in as large a
  /// share of the epochs: faster, and as good where many rows even out chance.
  bool every_edge = false;
};

/// The settings for so many rows.
LayoutSettings layout_settings(std::uint64_t rows);

/// Moves rows from where they start to where connected rows lie near each other and others apart.
/// In an epoch every row reads where all were before it and moves itself only, so the places are
/// the same for any number of threads. `places` has 1 to 3 columns.
void lay_out(const NeighbourGraph& graph, const LayoutSettings& settings, std::uint64_t seed,
             Matrix& places, Job& job);

/// Moves a row that is not on the map: `neighbours` are rows of the map, nearest first.
/// Everything else stands still, and the same rows of the map push every new row, so its place
/// depends on its neighbours only.
void settle(MatrixView map, std::span<const std::uint32_t> neighbours, std::uint64_t seed,
            float* place);

/// About how many seconds on one core.
double layout_seconds(std::uint64_t rows, std::uint64_t neighbours);

}  // namespace mbn
