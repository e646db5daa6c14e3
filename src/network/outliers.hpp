// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/job.hpp"
#include "network/model_data.hpp"

namespace mbn {

/// How far prepared rows, of the kind of the bottom layer's pool, lie from the pool: the distance
/// to the sixth nearest pool row. (A training row is most often in the pool itself, so that is five
/// others.)
std::vector<double> distances_to_pool(const BottomLayer& bottom, Metric metric, RowsView rows,
                                      Job& job);

/// The median of that over pool rows, of which at most a thousand are asked; 1 when the rows are
/// all the same.
double usual_distance_to_pool(const BottomLayer& bottom, Metric metric, Job& job);

}  // namespace mbn
