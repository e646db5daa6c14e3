// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/job.hpp"
#include "base/notes.hpp"
#include "bottom/bottom_settings.hpp"
#include "bottom/draws.hpp"

namespace mbn {

/// Tries settings from cheap to costly on sampled kept rows and takes the first that reaches the
/// wished recall; exact search itself when none does, or when it is cheaper.
/// `rows` is how many will be encoded. The result depends on the arguments only, not on threads.
/// Where exact search will take long, `notes` gets one, when there are notes.
BottomSettings calibrate_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                double wished_recall, std::uint64_t seed, std::uint64_t rows,
                                Job& job, Notes* notes = nullptr);

/// The sizes that decide what a search at the bottom costs.
struct BottomSizes {
  Shape kept;
  std::uint64_t rows = 0;  ///< to encode
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
  std::uint64_t features = 0;  ///< that a clustering draws
};

/// Estimated seconds on one core of the engine that `calibrate_bottom` would take, when the
/// walk agrees well enough (`may_walk`), its choice included.
double bottom_seconds(const BottomSizes& sizes, Metric metric, bool may_walk);

/// The recall of the walk under these settings, as in BottomSettings::recall. Below 0 when
/// too few pairs can be compared.
double measure_recall(MatrixView kept, const Draws& draws, Metric metric,
                      const BottomSettings& settings, std::uint64_t seed, Job& job);

}  // namespace mbn
