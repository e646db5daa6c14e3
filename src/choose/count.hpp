// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/selection.hpp>

#include "choose/pilot.hpp"

namespace mbn {

/// Labels of all rows by one pilot's network, cut into 2, 3, ... `most` clusters. Each number is
/// cut from the layer at which a network for this many clusters would stop.
std::vector<Labelling> cut_into(const Pilot& pilot, const FitOptions& options, std::uint32_t most,
                                const RunOptions& run);

/// The stability of every number of clusters from 2 to `options.most_clusters`, or to the largest
/// number that half of the rows allow; empty when that is less than 2.
std::vector<ClusterCount> try_counts(RowsView rows, const FitOptions& options,
                                     const RunOptions& run, Job& job);

/// The number of clusters with the best stability; 1 (no clusters) when every stability is as low
/// as on noise.
std::uint32_t best_count(std::span<const ClusterCount> counts);

}  // namespace mbn
