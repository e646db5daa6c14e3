// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mbn {

/// Which of many clusterings a kept row could still win. Each clustering v has a number `terms[v]`
/// for the kept row and its best score so far; the row's best possible score there is
/// `bound * terms[v]` (scaled) or `bound - terms[v]` (shifted). Sets the bits of `hits` where that
/// reaches the best, and returns whether there is one. A term that is not a number never reaches.
/// `terms` and `best` have a multiple of 64 cells.
bool reaching_scaled(const float* terms, const float* best, float bound, std::size_t words,
                     std::uint64_t* hits);
bool reaching_shifted(const float* terms, const float* best, float bound, std::size_t words,
                      std::uint64_t* hits);

/// Plain loops that say what the kernels mean; tests compare every target with them.
namespace reference {
bool reaching_scaled(const float* terms, const float* best, float bound, std::size_t words,
                     std::uint64_t* hits);
bool reaching_shifted(const float* terms, const float* best, float bound, std::size_t words,
                      std::uint64_t* hits);
}  // namespace reference

}  // namespace mbn
