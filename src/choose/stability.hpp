// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mbn {

using Labelling = std::vector<std::int32_t>;

/// Mutual information of two labellings of the same rows beyond chance, as a share of its maximum,
/// (I - E[I]) / ln(clusters). Labels are from 0 to below `clusters`. 1 for the same clusters of
/// equal size, 0 on average for random labels; less than 1 also for equal partitions with fewer
/// clusters or clusters of unequal size.
double stability(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                 std::uint32_t clusters);

/// Mean of `measure(first, second)` over all pairs of labellings.
template <class Measure>
double mean_over_pairs(std::span<const Labelling> labellings, Measure&& measure) {
  double sum = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < labellings.size(); ++i) {
    for (std::size_t j = i + 1; j < labellings.size(); ++j, ++pairs) {
      sum += measure(labellings[i], labellings[j]);
    }
  }
  return pairs == 0 ? 0 : sum / static_cast<double>(pairs);
}

}  // namespace mbn
