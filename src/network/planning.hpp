// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <mbn/fit.hpp>

namespace mbn {

/// A plan with what only the fitter needs: how the time is likely to be shared out.
struct WorkPlan {
  Plan plan;
  std::uint64_t forced_batch_rows = 0;  ///< when memory is short; 0 lets the engine choose
  std::vector<double> layer_share;      ///< of the whole time, one per layer
  double projection_share = 0;
  double clustering_share = 0;
};

WorkPlan plan_work(Shape data, const FitOptions& options, const RunOptions& run);

/// Rows that `transform` takes at a time through a network whose layers have these widths.
std::size_t transform_batch_rows(std::uint64_t rows, std::uint64_t clusterings,
                                 std::uint64_t widest, const RunOptions& run);

}  // namespace mbn
