// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/selection.hpp>
#include <mbn/tree.hpp>

#include "choose/pilot.hpp"

namespace mbn {

/// Labels of all rows by one pilot's network, cut into each of these numbers of clusters, ascending
/// from 2 or more. Each number is cut from the layer at which a network for this many clusters
/// would stop.
std::vector<Labelling> cut_into(const Pilot& pilot, const FitOptions& options,
                                std::span<const std::uint32_t> numbers, const RunOptions& run);

/// What two witnesses say about the number of clusters.
struct Counting {
  std::vector<ClusterCount> counts;               ///< the stability of each number, ascending
  std::vector<std::vector<std::uint64_t>> sizes;  ///< of its clusters in the sample, largest first
  std::vector<TreeCut> cuts;                      ///< of the sample's tree, clearest first
};

/// Tries every number of clusters from 2 to 30, and of more, up to `options.most_clusters`, those
/// that the tree contains clearly; fewer when half of the rows do not allow so many. Empty when
/// there are too few rows for two.
Counting count_clusters(RowsView rows, const FitOptions& options, const RunOptions& run, Job& job);

/// The number of clusters, and what else is well supported.
struct CountDecision {
  std::uint32_t clusters = 1;  ///< 1: no clusters, because every witness is as weak as on noise
  std::vector<RunnerUp> runners_up;
};
CountDecision decide_count(const Counting& counting);

}  // namespace mbn
