// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/fit.hpp>

namespace mbn {

/// Completes the outputs for the rows of a pool, `pool` of `all`, by those of the other rows, which
/// go through the new network as any row would.
void add_other_rows(FitResult& result, RowsView all, std::span<const std::uint32_t> pool,
                    const RunOptions& run);

}  // namespace mbn
