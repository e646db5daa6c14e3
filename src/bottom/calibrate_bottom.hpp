// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/job.hpp"
#include "base/notes.hpp"
#include "bottom/bottom_settings.hpp"
#include "bottom/draws.hpp"

namespace mbn {

/// How good the walk must be on a sample.
struct WalkDemand {
  double excess = 0;  ///< BottomSettings::excess, at most
  std::optional<double> recall =
      std::nullopt;  ///< BottomSettings::recall, at least; 1: exact search
};

/// Tries settings of the walk from cheap to costly on sampled kept rows and takes the first that
/// meets the demand. Exact search when none does, or when exact search is cheaper. `rows` is how
/// many rows will be encoded. The result depends on the arguments only, not on the number of
/// threads.
/// Where exact search will take long, `notes` gets one, when there are notes.
BottomSettings calibrate_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                const WalkDemand& demand, std::uint64_t seed, std::uint64_t rows,
                                Job& job, Notes* notes = nullptr);

/// The sizes that decide what encoding at the bottom layer costs.
struct BottomSizes {
  Shape kept;
  std::uint64_t rows = 0;  ///< to encode
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
  std::uint64_t features = 0;  ///< that a clustering draws
};

/// Estimated seconds on one core to encode all rows. With `may_walk`, of the engine that
/// `calibrate_bottom` would take if the walk reaches its recall, including the calibration itself;
/// without, of exact search.
double bottom_seconds(const BottomSizes& sizes, Metric metric, bool may_walk);

/// The recall and the excess of the walk under these settings, as in BottomSettings. Nothing when
/// too few pairs can be compared.
struct WalkQuality {
  double recall = 1;
  double excess = 0;
};
std::optional<WalkQuality> measure_walk(MatrixView kept, const Draws& draws, Metric metric,
                                        const BottomSettings& settings, std::uint64_t seed,
                                        Job& job);

}  // namespace mbn
