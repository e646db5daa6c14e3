// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/job.hpp"
#include "bottom/bottom_engine.hpp"
#include "bottom/bottom_settings.hpp"
#include "neighbours/neighbour_lists.hpp"

namespace mbn {

/// The row-outer walk. `kept` and `draws` must outlive the engine. Building it takes time in
/// proportion to clusterings x centroids: keep it when rows come one at a time. `batch_rows` rows
/// have their lists in memory at a time; 0 chooses.
std::unique_ptr<BottomEngine> make_walk_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                               const BottomSettings& settings,
                                               std::size_t batch_rows, Job& job);

/// The walk over lists that are there already; `lists` may be longer than the settings ask for.
void walk_lists(MatrixView kept, const Draws& draws, Metric metric, const BottomSettings& settings,
                MatrixView rows, const NeighbourLists& lists, CodeMatrix& codes, Job& job);

/// What the walk keeps between calls: who drew each drawn row and its codes there, masks of the
/// features, and the projections of the drawn rows.
std::uint64_t walk_bottom_kept_bytes(Shape drawn, const Draws& draws,
                                     const BottomSettings& settings);

/// What it takes in all, with lists for `rows` rows at a time: at a length that is usually enough.
std::uint64_t walk_bottom_bytes(Shape kept, std::uint64_t rows, std::uint64_t clusterings,
                                std::uint64_t centroids, Metric metric, unsigned threads);

}  // namespace mbn
