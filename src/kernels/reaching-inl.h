// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for every instruction set by reaching.cpp, which explains it.
#if defined(MBN_KERNELS_REACHING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_REACHING_INL_H_
#undef MBN_KERNELS_REACHING_INL_H_
#else
#define MBN_KERNELS_REACHING_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>
#include "kernels/reaching.hpp"

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// Without vectors the reference is the kernel.
using reference::reaching_scaled;
using reference::reaching_shifted;

#else

namespace hn = hwy::HWY_NAMESPACE;

template <class Reach>
HWY_INLINE bool reaching(const float* HWY_RESTRICT best, std::size_t words,
                         std::uint64_t* HWY_RESTRICT hits, const Reach& reach) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint64_t any = 0;
  for (std::size_t word = 0; word < words; ++word) {
    // Mostly no clustering is reached: that is tested without making a bit mask.
    auto reaches = hn::MaskFromVec(hn::Zero(d));
    for (std::size_t lane = 0; lane < 64; lane += lanes) {
      const std::size_t v = word * 64 + lane;
      reaches = hn::Or(reaches, hn::Ge(reach(v), hn::LoadU(d, best + v)));
    }
    hits[word] = 0;
    if (hn::AllFalse(d, reaches)) continue;
    std::uint64_t reached = 0;
    for (std::size_t lane = 0; lane < 64; lane += lanes) {
      const std::size_t v = word * 64 + lane;
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Ge(reach(v), hn::LoadU(d, best + v)), bytes);
      const std::uint64_t bits = bytes[0] | (static_cast<std::uint64_t>(bytes[1]) << 8);
      reached |= bits << lane;
    }
    hits[word] = reached;
    any |= reached;
  }
  return any != 0;
}

inline bool reaching_scaled(const float* HWY_RESTRICT terms, const float* HWY_RESTRICT best,
                            float bound, std::size_t words, std::uint64_t* HWY_RESTRICT hits) {
  const hn::CappedTag<float, 16> d;
  const auto bounds = hn::Set(d, bound);
  return reaching(best, words, hits,
                  [&](std::size_t v) HWY_ATTR { return hn::Mul(bounds, hn::LoadU(d, terms + v)); });
}

inline bool reaching_shifted(const float* HWY_RESTRICT terms, const float* HWY_RESTRICT best,
                             float bound, std::size_t words, std::uint64_t* HWY_RESTRICT hits) {
  const hn::CappedTag<float, 16> d;
  const auto bounds = hn::Set(d, bound);
  return reaching(best, words, hits,
                  [&](std::size_t v) HWY_ATTR { return hn::Sub(bounds, hn::LoadU(d, terms + v)); });
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif
