// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/matrix.hpp>

#include "cluster/distance.hpp"

namespace mbn::lloyd {

/// k-means++ starts: rows, drawn with chances proportional to the squared distance from the nearest
/// one drawn before. Once every row is a start, the rest are copies of the first. One random stream
/// per (seed, restart); one thread.
Centres draw_starts(MatrixView rows, std::uint32_t clusters, std::uint64_t seed,
                    std::uint32_t restart);

}  // namespace mbn::lloyd
