// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/codes.hpp>

#include "base/job.hpp"

namespace mbn {

/// The numbers of all rows, in an order in which a few hundred rows that follow each other are
/// similar in most clusterings. `similar_order` looks at the first codes only, which is enough to
/// find things in the cache, and takes a fraction of the time. The order changes the time of what
/// works in it, never a result.
std::vector<std::uint32_t> block_order(const CodeMatrix& rows, Job& job);

/// Bytes of the order and of what making it takes.
std::uint64_t block_order_bytes(std::uint64_t rows, std::uint64_t centroids);

}  // namespace mbn
