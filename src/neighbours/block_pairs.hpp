// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/job.hpp"

namespace mbn {

/// Calls `meet(left, right, worker)` for every block of rows and every block of kept rows, by all
/// threads. When both are the `same` rows, each pair of blocks meets once: block I meets I, I + 1,
/// ... up to half of all blocks, cyclically.
template <class Meet>
void for_block_pairs(std::size_t row_blocks, std::size_t kept_blocks, bool same, Job& job,
                     const Meet& meet) {
  const std::size_t rounds = same ? kept_blocks / 2 + 1 : kept_blocks;
  job.parallel(rounds * row_blocks, [&](std::size_t task, unsigned worker) {
    const std::size_t round = task / row_blocks;
    const std::size_t left = task % row_blocks;
    const bool met_before = same && 2 * round == kept_blocks && left >= round;
    if (!met_before) meet(left, (left + round) % kept_blocks, worker);
  });
}

}  // namespace mbn
