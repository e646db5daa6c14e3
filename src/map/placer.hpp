// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/matrix.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "map/joint_index.hpp"
#include "map/map_data.hpp"

namespace mbn {

/// Finds the places of rows on a map. A row that is on it gets its own place; any other is drawn to
/// its nearest kept rows. The place depends on the row and the map only. Ready when it is made;
/// many threads may use it at once. The map and the kept rows must outlive it.
class Placer {
 public:
  /// Rows that are worth placing at a time: more take more memory, fewer more time.
  static constexpr std::size_t kBatchRows = 16384;

  Placer(const MapData& map, RowsView kept, std::uint64_t seed, Job& job);

  /// About how much memory it takes.
  std::uint64_t bytes() const;
  /// `prepared` as the bottom layer sees them, with their components.
  Matrix place(RowsView prepared, MatrixView components, Job& job) const;

 private:
  const MapData& map_;
  std::uint64_t seed_;
  JointIndex index_;
  Matrix places_;  // of the index's rows
};

}  // namespace mbn
