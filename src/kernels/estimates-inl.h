// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for every instruction set by estimates.cpp, which explains it.
#if defined(MBN_KERNELS_ESTIMATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_ESTIMATES_INL_H_
#undef MBN_KERNELS_ESTIMATES_INL_H_
#else
#define MBN_KERNELS_ESTIMATES_INL_H_
#endif

#include <hwy/highway.h>
#include "kernels/estimates.hpp"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline float finish_estimates(const float* HWY_RESTRICT offset, const float* HWY_RESTRICT factor,
                              std::size_t count, float* HWY_RESTRICT values) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = count - count % (2 * lanes);
  const auto finish = [&](std::size_t j) HWY_ATTR {
    const auto value = hn::Add(hn::LoadU(d, offset + j),
                               hn::Mul(hn::LoadU(d, factor + j), hn::LoadU(d, values + j)));
    hn::StoreU(value, d, values + j);
    return value;
  };
  // Not Min, which keeps a NaN on some processors. Two chains, because one would wait for the
  // latency of each step.
  auto smallest = hn::Set(d, std::numeric_limits<float>::infinity());
  auto other = smallest;
  for (std::size_t j = 0; j < whole; j += 2 * lanes) {
    const auto one = finish(j);
    const auto two = finish(j + lanes);
    smallest = hn::IfThenElse(hn::Lt(one, smallest), one, smallest);
    other = hn::IfThenElse(hn::Lt(two, other), two, other);
  }
  const float rest =
      reference::finish_estimates(offset + whole, factor + whole, count - whole, values + whole);
  const float both = hn::GetLane(hn::MinOfLanes(d, hn::Min(smallest, other)));
  return rest < both ? rest : both;
}

inline std::size_t find_at_most(const float* HWY_RESTRICT values, std::size_t first,
                                std::size_t count, float limit) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto bound = hn::Set(d, limit);
  const auto hits = [&](std::size_t j) HWY_ATTR { return hn::Le(hn::LoadU(d, values + j), bound); };
  std::size_t j = first;
  for (; j + 2 * lanes <= count; j += 2 * lanes) {
    if (!hn::AllFalse(d, hn::Or(hits(j), hits(j + lanes)))) break;
  }
  return reference::find_at_most(values, j, count, limit);
}

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
