// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/job.hpp"
#include "network/model_data.hpp"

namespace mbn {

/// The distance of prepared rows to their sixth nearest kept row of the bottom layer. (A training
/// row is most often a kept row itself, so that is its fifth nearest other row.) The rows must be
/// dense or sparse as the kept rows are.
std::vector<double> distances_to_kept(const BottomLayer& bottom, Metric metric, RowsView rows,
                                      Job& job);

/// The median of that distance over at most a thousand kept rows; 1 when all rows are the same.
double usual_distance_to_kept(const BottomLayer& bottom, Metric metric, Job& job);

}  // namespace mbn
