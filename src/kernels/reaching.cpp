// SPDX-License-Identifier: Apache-2.0
//
// Tests the upper bound of one kept row's score against the best score of all clusterings: one
// product (or difference) and one comparison for each,
//
//     bound * term_v >= best_v      or      bound - term_v >= best_v.
//
// Nearly all kept rows fail in all clusterings, so the sparse bottom engine
// (bottom/sparse_bounds.cpp) spends most of its time in this test.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reaching-inl.h"
#include <hwy/foreach_target.h>
// The target that every machine has comes last.
#include "kernels/reaching-inl.h"
#include "kernels/targets.hpp"

namespace mbn {

namespace {
HWY_EXPORT(reaching_scaled);
HWY_EXPORT(reaching_shifted);

template <class Reach>
bool reaching_plainly(const float* best, std::size_t words, std::uint64_t* hits,
                      const Reach& reach) {
  bool any = false;
  for (std::size_t word = 0; word < words; ++word) hits[word] = 0;
  for (std::size_t v = 0; v < 64 * words; ++v) {
    if (!(reach(v) >= best[v])) continue;
    hits[v / 64] |= std::uint64_t{1} << (v % 64);
    any = true;
  }
  return any;
}
}  // namespace

bool reaching_scaled(const float* terms, const float* best, float bound, std::size_t words,
                     std::uint64_t* hits) {
  return MBN_DISPATCH(reaching_scaled)(terms, best, bound, words, hits);
}

bool reaching_shifted(const float* terms, const float* best, float bound, std::size_t words,
                      std::uint64_t* hits) {
  return MBN_DISPATCH(reaching_shifted)(terms, best, bound, words, hits);
}

namespace reference {

bool reaching_scaled(const float* terms, const float* best, float bound, std::size_t words,
                     std::uint64_t* hits) {
  return reaching_plainly(best, words, hits, [&](std::size_t v) { return bound * terms[v]; });
}

bool reaching_shifted(const float* terms, const float* best, float bound, std::size_t words,
                      std::uint64_t* hits) {
  return reaching_plainly(best, words, hits, [&](std::size_t v) { return bound - terms[v]; });
}

}  // namespace reference

}  // namespace mbn
