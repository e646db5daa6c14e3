// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mbn {

/// Finds the clusterings in which a kept row could still win. Each clustering v has a number
/// `terms[v]` for the kept row and its best score so far, `best[v]`. An upper bound of the kept
/// row's score there is `bound * terms[v]` (scaled) or `bound - terms[v]` (shifted). Sets the bits
/// of `hits` where the upper bound is at least the best score, and returns whether there is one. A
/// NaN in `terms` never reaches. `terms` and `best` have 64 * `words` entries.
bool reaching_scaled(const float* terms, const float* best, float bound, std::size_t words,
                     std::uint64_t* hits);
bool reaching_shifted(const float* terms, const float* best, float bound, std::size_t words,
                      std::uint64_t* hits);

/// The same in plain loops: the reference that tests compare every target with.
namespace reference {
bool reaching_scaled(const float* terms, const float* best, float bound, std::size_t words,
                     std::uint64_t* hits);
bool reaching_shifted(const float* terms, const float* best, float bound, std::size_t words,
                      std::uint64_t* hits);
}  // namespace reference

}  // namespace mbn
