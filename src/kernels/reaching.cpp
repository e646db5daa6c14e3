// SPDX-License-Identifier: Apache-2.0
//
// One kept row, all clusterings: a product (or a difference) and a comparison each. Nearly all kept
// rows rows fail in all clusterings, so this test is what the sparse bottom layer spends its time
// on.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reaching-inl.h"
#include <hwy/foreach_target.h>
// The target that all machines have comes last.
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
