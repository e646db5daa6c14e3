// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/matrix.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"

namespace mbn {

/// clusters x columns: the mean of every column over the rows of each cluster that have a value
/// there; 0 where none has. `labels` has a number below `clusters` for each row; negative: in none.
Matrix cluster_means(RowsView rows, std::span<const std::int32_t> labels, std::uint32_t clusters,
                     Job& job);

}  // namespace mbn
