// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/selection.hpp>

#include "choose/pilot.hpp"

namespace mbn {

/// Labels of all rows by one pilot's network, cut into 2, 3, ... `most` clusters. Each number is
/// cut from the layer where a network for so many clusters would have stopped.
std::vector<Labelling> cut_into(const Pilot& pilot, const FitOptions& options, std::uint32_t most,
                                const RunOptions& run);

/// How well pilots agree on every number of clusters from 2 to `options.most_clusters`, or to the
/// number that half of the rows allow; empty when that is less than 2.
std::vector<ClusterCount> try_counts(RowsView rows, const FitOptions& options,
                                     const RunOptions& run, Job& job);

/// The number with the best agreement; 1 when no agreement is better than that on clusters which
/// are not there.
std::uint32_t best_count(std::span<const ClusterCount> counts);

}  // namespace mbn
