// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/job.hpp"
#include "bottom/bottom_engine.hpp"
#include "bottom/bottom_settings.hpp"
#include "neighbours/neighbour_lists.hpp"

namespace mbn {

/// The walk over lists of nearest kept rows (walk_bottom.cpp). `kept` and `draws` must outlive the
/// engine. Making it takes time in proportion to clusterings x centroids: keep it when rows come
/// one at a time. `batch_rows` rows have their lists in memory at a time; more take more memory; 0
/// chooses.
std::unique_ptr<BottomEngine> make_walk_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                               const BottomSettings& settings,
                                               std::size_t batch_rows, Job& job);

/// The same over lists that were found before; `lists` may be longer than `settings.list_length`.
void walk_lists(MatrixView kept, const Draws& draws, Metric metric, const BottomSettings& settings,
                MatrixView rows, const NeighbourLists& lists, CodeMatrix& codes, Job& job);

/// Bytes that the walk keeps between calls: for each kept row the clusterings that drew it and its
/// codes there, masks of the drawn features, and the projections of the kept rows.
std::uint64_t walk_bottom_kept_bytes(Shape kept, const Draws& draws,
                                     const BottomSettings& settings);

/// Bytes that it takes in all, with lists for `rows` rows at a time. The length of the lists is not
/// known before calibration; a length that is usually enough is assumed.
std::uint64_t walk_bottom_bytes(Shape kept, std::uint64_t rows, std::uint64_t clusterings,
                                std::uint64_t centroids, Metric metric, unsigned threads);

}  // namespace mbn
