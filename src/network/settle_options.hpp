// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/options.hpp>

#include "network/planning.hpp"

namespace mbn {

/// The options with everything filled in that a rule decides from the size of the data: directions,
/// feature fraction, clusterings, the pool when there are very many rows; no scale where there is
/// none to choose (bytes, sparse rows, many columns), and the usual decay when the number of
/// clusters is unknown. What `choose` decides stays open.
/// InvalidArgument for more directions than columns.
FitOptions settle_options(FitOptions options, const DataSize& size);

/// The same for rows: how many directions, 0 for none.
std::uint32_t usual_directions(const DataSize& size, const FitOptions& options);

}  // namespace mbn
