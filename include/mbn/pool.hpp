// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// How many of `rows` rows a network is made from: FitOptions::pool at most, or 100,000. With
/// Metric::precomputed all, because every row then holds distances to all of them.
std::uint64_t pool_size(std::uint64_t rows, const FitOptions& options);

/// The numbers of those rows, from 0, ascending. They follow from the number of rows, the size of
/// the pool and the seed, so that batches, files and machines change nothing: every row has a key,
/// a one-to-one hash of 64 bits of seed and number, and the rows with the smallest keys are the
/// pool. When rows are added, most of the pool stays. Takes a few seconds for 10^9 rows, and memory
/// for the pool only.
std::vector<std::uint64_t> pool_rows(std::uint64_t rows, const FitOptions& options);

}  // namespace mbn
