// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/matrix.hpp>

#include "cluster/distance.hpp"

namespace mbn::lloyd {

/// k-means++ starts: rows, drawn with probability proportional to the squared distance to the
/// nearest start so far. When every row equals a start, the remaining starts are copies of the
/// first. One random stream for each (seed, restart); one thread.
Centres draw_starts(MatrixView rows, std::uint32_t clusters, std::uint64_t seed,
                    std::uint32_t restart);

}  // namespace mbn::lloyd
