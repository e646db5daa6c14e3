// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/job.hpp"
#include "bottom/bottom_search.hpp"
#include "neighbours/neighbour_lists.hpp"

namespace mbn {

enum class BottomEngine : std::uint8_t { exact, walk };

/// How the rows of a bottom layer are searched. Chosen once, at fit, and kept with the model:
/// a row gets the same code from the same settings, always.
struct BottomSettings {
  BottomEngine engine = BottomEngine::exact;
  /// Neighbours that the walk looks at. More are slower and nearer to exact.
  std::uint32_t list_length = 0;
  /// A clustering's search ends when tau times the expected distance of the next neighbour exceeds
  /// its best. 0 never ends early; smaller is slower and nearer to exact.
  double tau = 0;
  /// A clustering does not look at a neighbour whose expected distance lies more than this many
  /// standard deviations above its best. 0 looks at all; larger is slower and nearer to exact.
  double margin = 0;
  /// Share of sampled (row, clustering) pairs, of clusterings that did not draw the row, in which
  /// the engine found what exact search finds.
  double agreement = 1;
  /// On which neighbours are ranked first; none: on all features.
  Directions directions = {};

  bool operator==(const BottomSettings&) const = default;
};

/// The row-outer walk. `pool` and `draws` must outlive the engine. Building it takes time in
/// proportion to clusterings x centroids: keep it when rows come one at a time. `batch_rows` rows
/// have their lists in memory at a time; 0 chooses.
std::unique_ptr<BottomSearch> make_walk_bottom_search(MatrixView pool, const Draws& draws,
                                                      Metric metric, const BottomSettings& settings,
                                                      std::size_t batch_rows = 0);

/// The engine that the settings name.
std::unique_ptr<BottomSearch> make_bottom_search(MatrixView pool, const Draws& draws, Metric metric,
                                                 const BottomSettings& settings,
                                                 std::size_t batch_rows = 0);

/// The walk over lists that are there already; `lists` may be longer than the settings ask for.
void walk_lists(MatrixView pool, const Draws& draws, Metric metric, const BottomSettings& settings,
                MatrixView rows, const NeighbourLists& lists, CodeMatrix& codes, Job& job);

/// Tries settings from cheap to costly on sampled pool rows and takes the first that reaches the
/// wished agreement with exact search; exact search itself when none does, or when it is cheaper.
/// `rows` is how many will be searched. The choice depends on the arguments only, not on threads.
BottomSettings choose_bottom_settings(MatrixView pool, const Draws& draws, Metric metric,
                                      double wished_agreement, std::uint64_t seed,
                                      std::uint64_t rows, Job& job);

/// The sizes that decide what a search at the bottom costs.
struct BottomSizes {
  Shape pool;
  std::uint64_t rows = 0;  ///< to encode
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
  std::uint64_t features = 0;  ///< that a clustering draws
};

/// Estimated seconds on one core of the engine that `choose_bottom_settings` would take, when the
/// walk agrees well enough (`may_walk`), its choice included.
double bottom_seconds(const BottomSizes& sizes, Metric metric, bool may_walk);

/// The agreement of the walk under these settings, as in BottomSettings::agreement. Below 0 when
/// too few pairs can be compared.
double measure_agreement(MatrixView pool, const Draws& draws, Metric metric,
                         const BottomSettings& settings, std::uint64_t seed, Job& job);

}  // namespace mbn
