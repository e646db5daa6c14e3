// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for every instruction set by masked_sums.cpp, which explains it.
#if defined(MBN_KERNELS_MASKED_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_MASKED_SUMS_INL_H_
#undef MBN_KERNELS_MASKED_SUMS_INL_H_
#else
#define MBN_KERNELS_MASKED_SUMS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>
#include "kernels/masked_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// Without vectors the reference is the kernel.
using reference::close_below;
using reference::masked_sums;
using reference::multiply;
using reference::scale_terms;
using reference::split_words;
using reference::square_byte_differences;
using reference::square_differences;
using reference::sum_of_squares;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Words = hn::CappedTag<std::uint16_t, 16>;  // two of them make one group of 32 features
using Bytes = hn::CappedTag<std::uint8_t, 32>;

inline void square_byte_differences(const std::uint8_t* HWY_RESTRICT x,
                                    const std::uint8_t* HWY_RESTRICT w, std::size_t features,
                                    std::uint16_t* HWY_RESTRICT words) {
  const Words d;
  const hn::Rebind<std::uint8_t, Words> d8;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t f = 0;
  for (; f + lanes <= features; f += lanes) {
    const auto difference =
        hn::Sub(hn::PromoteTo(d, hn::LoadU(d8, x + f)), hn::PromoteTo(d, hn::LoadU(d8, w + f)));
    hn::StoreU(hn::Mul(difference, difference), d, words + f);
  }
  for (; f < features; ++f) {
    const int difference = static_cast<int>(x[f]) - static_cast<int>(w[f]);
    words[f] = static_cast<std::uint16_t>(difference * difference);
  }
}

HWY_INLINE void store_words(hn::Vec<Floats> numbers, float offset, float factor,
                            std::uint16_t* words) {
  const Floats d;
  const hn::Rebind<std::int32_t, Floats> d32;
  const hn::Rebind<std::uint16_t, Floats> d16;
  const auto scaled = hn::Mul(hn::Sub(numbers, hn::Set(d, offset)), hn::Set(d, factor));
  hn::StoreU(hn::DemoteTo(d16, hn::ConvertTo(d32, scaled)), d16, words);
}

inline float largest_difference(const float* HWY_RESTRICT x, const float* HWY_RESTRICT w,
                                std::size_t features) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  auto largest = hn::Zero(d);
  std::size_t f = 0;
  for (; f + lanes <= features; f += lanes) {
    largest = hn::Max(largest, hn::Abs(hn::Sub(hn::LoadU(d, x + f), hn::LoadU(d, w + f))));
  }
  float result = hn::GetLane(hn::MaxOfLanes(d, largest));
  for (; f < features; ++f) result = std::max(result, std::fabs(x[f] - w[f]));
  return result;
}

inline WordScale square_differences(const float* HWY_RESTRICT x, const float* HWY_RESTRICT w,
                                    std::size_t features, std::uint16_t* HWY_RESTRICT words) {
  const WordScale scale = square_scale(largest_difference(x, w, features));
  if (!scale.usable) return scale;
  const float factor = scale.factor;
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t f = 0;
  for (; f + lanes <= features; f += lanes) {
    const auto difference = hn::Sub(hn::LoadU(d, x + f), hn::LoadU(d, w + f));
    store_words(hn::Mul(difference, difference), 0.0F, factor, words + f);
  }
  for (; f < features; ++f) {
    const float difference = x[f] - w[f];
    const float square = difference * difference;
    words[f] = static_cast<std::uint16_t>(square * factor);
  }
  return scale;
}

inline void product_range(const float* HWY_RESTRICT x, const float* HWY_RESTRICT w,
                          std::size_t features, float* least, float* largest) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  auto low = hn::Set(d, x[0] * w[0]);
  auto high = low;
  std::size_t f = 0;
  for (; f + lanes <= features; f += lanes) {
    const auto product = hn::Mul(hn::LoadU(d, x + f), hn::LoadU(d, w + f));
    low = hn::Min(low, product);
    high = hn::Max(high, product);
  }
  *least = hn::GetLane(hn::MinOfLanes(d, low));
  *largest = hn::GetLane(hn::MaxOfLanes(d, high));
  for (; f < features; ++f) {
    const float product = x[f] * w[f];
    *least = std::min(*least, product);
    *largest = std::max(*largest, product);
  }
}

inline WordScale multiply(const float* HWY_RESTRICT x, const float* HWY_RESTRICT w,
                          std::size_t features, std::uint16_t* HWY_RESTRICT words) {
  float least = 0;
  float largest = 0;
  product_range(x, w, features, &least, &largest);
  const WordScale scale = product_scale(least, largest);
  if (!scale.usable) return scale;
  const float offset = scale.offset;
  const float factor = scale.factor;
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t f = 0;
  for (; f + lanes <= features; f += lanes) {
    store_words(hn::Mul(hn::LoadU(d, x + f), hn::LoadU(d, w + f)), offset, factor, words + f);
  }
  for (; f < features; ++f) {
    const float product = x[f] * w[f];
    const float above = product - offset;
    words[f] = static_cast<std::uint16_t>(above * factor);
  }
  return scale;
}

inline void scale_terms(const float* HWY_RESTRICT terms, const WordScale& scale,
                        std::size_t features, std::uint16_t* HWY_RESTRICT words) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const float factor = scale.factor;
  std::size_t f = 0;
  for (; f + lanes <= features; f += lanes) {
    store_words(hn::LoadU(d, terms + f), 0.0F, factor, words + f);
  }
  for (; f < features; ++f) words[f] = static_cast<std::uint16_t>(terms[f] * factor);
}

// Two vectors of words make one of low bytes and one of high bytes: the bytes of the second vector
// go between those of the first, which costs a shift instead of a shuffle.
inline void split_words(const std::uint16_t* HWY_RESTRICT words, std::size_t padded,
                        std::uint8_t* HWY_RESTRICT low, std::uint8_t* HWY_RESTRICT high) {
  const Words d;
  const hn::Repartition<std::uint8_t, Words> d8;
  const std::size_t lanes = hn::Lanes(d);
  const auto byte = hn::Set(d, std::uint16_t{255});
  for (std::size_t group = 0; group < padded; group += 32) {
    for (std::size_t t = 0; t < 16; t += lanes) {
      const auto even = hn::LoadU(d, words + group + t);
      const auto odd = hn::LoadU(d, words + group + 16 + t);
      const auto lows = hn::Or(hn::And(even, byte), hn::ShiftLeft<8>(odd));
      const auto highs = hn::Or(hn::ShiftRight<8>(even), hn::AndNot(byte, odd));
      hn::StoreU(hn::BitCast(d8, lows), d8, low + group + 2 * t);
      hn::StoreU(hn::BitCast(d8, highs), d8, high + group + 2 * t);
    }
  }
}

inline void masked_sums(const std::uint8_t* HWY_RESTRICT plane, std::size_t padded,
                        const std::uint8_t* HWY_RESTRICT masks,
                        const std::uint32_t* HWY_RESTRICT chosen, std::size_t count,
                        std::uint64_t* HWY_RESTRICT sums) {
  const Bytes d;
  const hn::Repartition<std::uint64_t, Bytes> d64;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t n = 0;
  // Four masks at a time use each load of the plane.
  for (; n + 4 <= count; n += 4) {
    const std::uint8_t* mask0 = masks + chosen[n] * padded;
    const std::uint8_t* mask1 = masks + chosen[n + 1] * padded;
    const std::uint8_t* mask2 = masks + chosen[n + 2] * padded;
    const std::uint8_t* mask3 = masks + chosen[n + 3] * padded;
    auto sum0 = hn::Zero(d64), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (std::size_t f = 0; f < padded; f += lanes) {
      const auto bytes = hn::LoadU(d, plane + f);
      sum0 = hn::Add(sum0, hn::SumsOf8(hn::And(bytes, hn::LoadU(d, mask0 + f))));
      sum1 = hn::Add(sum1, hn::SumsOf8(hn::And(bytes, hn::LoadU(d, mask1 + f))));
      sum2 = hn::Add(sum2, hn::SumsOf8(hn::And(bytes, hn::LoadU(d, mask2 + f))));
      sum3 = hn::Add(sum3, hn::SumsOf8(hn::And(bytes, hn::LoadU(d, mask3 + f))));
    }
    sums[n] = hn::GetLane(hn::SumOfLanes(d64, sum0));
    sums[n + 1] = hn::GetLane(hn::SumOfLanes(d64, sum1));
    sums[n + 2] = hn::GetLane(hn::SumOfLanes(d64, sum2));
    sums[n + 3] = hn::GetLane(hn::SumOfLanes(d64, sum3));
  }
  for (; n < count; ++n) {
    const std::uint8_t* mask = masks + chosen[n] * padded;
    auto sum = hn::Zero(d64);
    for (std::size_t f = 0; f < padded; f += lanes) {
      sum = hn::Add(sum, hn::SumsOf8(hn::And(hn::LoadU(d, plane + f), hn::LoadU(d, mask + f))));
    }
    sums[n] = hn::GetLane(hn::SumOfLanes(d64, sum));
  }
}

inline std::uint64_t sum_of_squares(const std::uint16_t* HWY_RESTRICT words, std::size_t padded) {
  const Words d;
  const hn::RebindToSigned<Words> d16;
  const hn::RepartitionToWide<decltype(d16)> d32;
  const std::size_t lanes = hn::Lanes(d);
  // A lane adds two squares below 2^20 at a time: some hundred of them fit.
  constexpr std::size_t kPart = 4096;
  std::uint64_t total = 0;
  for (std::size_t begin = 0; begin < padded; begin += kPart) {
    auto sum0 = hn::Zero(d32);
    auto sum1 = hn::Zero(d32);
    const std::size_t end = std::min(padded, begin + kPart);
    for (std::size_t f = begin; f < end; f += lanes) {
      const auto word = hn::BitCast(d16, hn::ShiftRight<6>(hn::LoadU(d, words + f)));
      sum0 = hn::ReorderWidenMulAccumulate(d32, word, word, sum0, sum1);
    }
    HWY_ALIGN std::int32_t sums[2 * hn::MaxLanes(d32)];
    hn::Store(sum0, d32, sums);
    hn::Store(sum1, d32, sums + hn::Lanes(d32));
    for (std::size_t i = 0; i < 2 * hn::Lanes(d32); ++i) {
      total += static_cast<std::uint32_t>(sums[i]);
    }
  }
  return total;
}

inline bool close_below(const float* HWY_RESTRICT values, float limit,
                        std::uint64_t* HWY_RESTRICT open, std::size_t words) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto limits = hn::Set(d, limit);
  std::uint64_t left = 0;
  for (std::size_t word = 0; word < words; ++word) {
    if (open[word] == 0) continue;
    std::uint64_t below = 0;
    for (std::size_t lane = 0; lane < 64; lane += lanes) {
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Lt(hn::LoadU(d, values + word * 64 + lane), limits), bytes);
      const std::uint64_t bits = bytes[0] | (static_cast<std::uint64_t>(bytes[1]) << 8);
      below |= bits << lane;
    }
    open[word] &= ~below;
    left |= open[word];
  }
  return left != 0;
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif
