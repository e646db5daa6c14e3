// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/job.hpp"
#include "network/model_data.hpp"

namespace mbn {

/// How far prepared rows, of the kind of the bottom layer's kept rows, lie from the kept rows: the
/// distance to the sixth nearest kept row. (A training row is most often in the kept rows itself,
/// so that is five others.)
std::vector<double> distances_to_kept(const BottomLayer& bottom, Metric metric, RowsView rows,
                                      Job& job);

/// The median of that over kept rows, of which at most a thousand are asked; 1 when the rows are
/// all the same.
double usual_distance_to_kept(const BottomLayer& bottom, Metric metric, Job& job);

}  // namespace mbn
