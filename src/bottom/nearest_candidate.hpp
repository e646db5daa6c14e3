// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mbn {

/// The nearest of the drawn rows that estimates could not tell apart, the first of equals.
/// `next(from)` is the first candidate at or after `from`, or `count` and more when there is none;
/// there is at least one. A single candidate needs no distance: `prepare()` and then `distance_to`,
/// with the number of a candidate, are called only when there are more.
template <class Next, class Prepare, class Distance>
std::uint32_t nearest_candidate(std::size_t count, const Next& next, const Prepare& prepare,
                                const Distance& distance_to) {
  std::size_t best = next(0);
  std::size_t other = next(best + 1);
  if (other >= count) return static_cast<std::uint32_t>(best);
  prepare();
  double best_distance = distance_to(best);
  for (; other < count; other = next(other + 1)) {
    const double d = distance_to(other);
    if (!(d < best_distance)) continue;
    best = other;
    best_distance = d;
  }
  return static_cast<std::uint32_t>(best);
}

}  // namespace mbn
