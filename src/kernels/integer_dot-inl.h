// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for every instruction set by integer_dot.cpp, which explains it.
#if defined(MBN_KERNELS_INTEGER_DOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_INTEGER_DOT_INL_H_
#undef MBN_KERNELS_INTEGER_DOT_INL_H_
#else
#define MBN_KERNELS_INTEGER_DOT_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwy/highway.h>
#include "kernels/integer_dot.hpp"

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// Without vectors the reference is the kernel.
inline void integer_products(const std::int16_t* a, std::size_t rows_a, const std::int16_t* b,
                             std::size_t rows_b, std::size_t stride, std::int32_t* c,
                             std::int16_t* /*scratch*/) {
  reference::integer_products(a, rows_a, b, rows_b, stride, c);
}
using reference::find_below;
using reference::find_below_each;
using reference::squared_distance;

#else

namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes, so that a panel of two vectors never exceeds the padding of product_stride().
using Products = hn::CappedTag<std::int32_t, 16>;
using Cells = hn::Repartition<std::int16_t, Products>;

constexpr std::size_t kChunkCells = 512;  // a panel of 16 rows then takes half of a small L1 cache
constexpr std::size_t kBlockRows = 256;   // rows on the left that stay in the L2 cache

// Packs rows `first` .. first + 2 lanes of `b`, cells [begin, begin + 2 pairs), so that one load
// has the same pair of cells of many rows. Rows after the last are zero.
inline void pack_panel(const std::int16_t* HWY_RESTRICT b, std::size_t rows_b, std::size_t stride,
                       std::size_t first, std::size_t begin, std::size_t pairs,
                       std::int16_t* HWY_RESTRICT panel) {
  const std::size_t width = 2 * hn::Lanes(Products());
  for (std::size_t r = 0; r < width; ++r) {
    if (first + r < rows_b) {
      const std::int16_t* row = b + (first + r) * stride + begin;
      for (std::size_t p = 0; p < pairs; ++p) {
        std::memcpy(panel + 2 * (p * width + r), row + 2 * p, 2 * sizeof(std::int16_t));
      }
    } else {
      for (std::size_t p = 0; p < pairs; ++p) {
        std::memset(panel + 2 * (p * width + r), 0, 2 * sizeof(std::int16_t));
      }
    }
  }
}

HWY_INLINE hn::Vec<Cells> broadcast_pair(const std::int16_t* cells) {
  std::int32_t pair;
  std::memcpy(&pair, cells, sizeof(pair));
  return hn::BitCast(Cells(), hn::Set(Products(), pair));
}

// Four rows of `a` against one panel: eight sums in registers. Only the first `rows`
// of them are kept.
inline void multiply_tile(const std::int16_t* HWY_RESTRICT a0, const std::int16_t* HWY_RESTRICT a1,
                          const std::int16_t* HWY_RESTRICT a2, const std::int16_t* HWY_RESTRICT a3,
                          const std::int16_t* HWY_RESTRICT panel, std::size_t pairs,
                          std::int32_t* HWY_RESTRICT c, std::size_t c_stride, std::size_t rows,
                          bool add) {
  const Products d;
  const Cells d16;
  const std::size_t lanes = hn::Lanes(d);
  using V = hn::Vec<Products>;
  const V zero = hn::Zero(d);
  V s00 = zero, s01 = zero, s10 = zero, s11 = zero, s20 = zero, s21 = zero, s30 = zero, s31 = zero;
  // Targets that widen into two vectors use these as the second one; on x86 they stay zero.
  V t00 = zero, t01 = zero, t10 = zero, t11 = zero, t20 = zero, t21 = zero, t30 = zero, t31 = zero;
  for (std::size_t p = 0; p < pairs; ++p) {
    const auto b0 = hn::LoadU(d16, panel + p * 4 * lanes);
    const auto b1 = hn::LoadU(d16, panel + p * 4 * lanes + 2 * lanes);
    const auto x0 = broadcast_pair(a0 + 2 * p);
    s00 = hn::ReorderWidenMulAccumulate(d, x0, b0, s00, t00);
    s01 = hn::ReorderWidenMulAccumulate(d, x0, b1, s01, t01);
    const auto x1 = broadcast_pair(a1 + 2 * p);
    s10 = hn::ReorderWidenMulAccumulate(d, x1, b0, s10, t10);
    s11 = hn::ReorderWidenMulAccumulate(d, x1, b1, s11, t11);
    const auto x2 = broadcast_pair(a2 + 2 * p);
    s20 = hn::ReorderWidenMulAccumulate(d, x2, b0, s20, t20);
    s21 = hn::ReorderWidenMulAccumulate(d, x2, b1, s21, t21);
    const auto x3 = broadcast_pair(a3 + 2 * p);
    s30 = hn::ReorderWidenMulAccumulate(d, x3, b0, s30, t30);
    s31 = hn::ReorderWidenMulAccumulate(d, x3, b1, s31, t31);
  }
  const auto store = [&](std::size_t row, V s0, V t0, V s1, V t1) HWY_ATTR {
    if (row >= rows) return;
    std::int32_t* out = c + row * c_stride;
    V sum0 = hn::RearrangeToOddPlusEven(s0, t0);
    V sum1 = hn::RearrangeToOddPlusEven(s1, t1);
    if (add) {
      sum0 = hn::Add(sum0, hn::LoadU(d, out));
      sum1 = hn::Add(sum1, hn::LoadU(d, out + lanes));
    }
    hn::StoreU(sum0, d, out);
    hn::StoreU(sum1, d, out + lanes);
  };
  store(0, s00, t00, s01, t01);
  store(1, s10, t10, s11, t11);
  store(2, s20, t20, s21, t21);
  store(3, s30, t30, s31, t31);
}

inline std::int32_t dot(const std::int16_t* HWY_RESTRICT a, const std::int16_t* HWY_RESTRICT b,
                        std::size_t count) {
  const Products d;
  const Cells d16;
  const std::size_t lanes = hn::Lanes(d16);
  auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  std::size_t k = 0;
  for (; k + 2 * lanes <= count; k += 2 * lanes) {
    sum0 =
        hn::ReorderWidenMulAccumulate(d, hn::LoadU(d16, a + k), hn::LoadU(d16, b + k), sum0, sum1);
    sum2 = hn::ReorderWidenMulAccumulate(d, hn::LoadU(d16, a + k + lanes),
                                         hn::LoadU(d16, b + k + lanes), sum2, sum3);
  }
  const auto sums = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
  std::int32_t total = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; k < count; ++k) total += a[k] * b[k];
  return total;
}

inline void integer_products(const std::int16_t* a, std::size_t rows_a, const std::int16_t* b,
                             std::size_t rows_b, std::size_t stride, std::int32_t* c,
                             std::int16_t* scratch) {
  const std::size_t c_stride = product_stride(rows_b);
  // Packing costs as much as several products: for few rows it is not worth it.
  if (rows_a < 8) {
    for (std::size_t i = 0; i < rows_a; ++i) {
      for (std::size_t j = 0; j < rows_b; ++j) {
        c[i * c_stride + j] = dot(a + i * stride, b + j * stride, stride);
      }
    }
    return;
  }
  const std::size_t width = 2 * hn::Lanes(Products());
  const std::size_t panels = (rows_b + width - 1) / width;
  // Chunks of about equal size, so that none is too short for its overhead.
  const std::size_t chunks = (stride + kChunkCells - 1) / kChunkCells;
  const std::size_t chunk = (stride / 2 + chunks - 1) / chunks * 2;
  for (std::size_t begin = 0; begin < stride; begin += chunk) {
    const std::size_t pairs = std::min(chunk, stride - begin) / 2;
    const std::size_t panel_cells = 2 * pairs * width;
    for (std::size_t q = 0; q < panels; ++q) {
      pack_panel(b, rows_b, stride, q * width, begin, pairs, scratch + q * panel_cells);
    }
    for (std::size_t block = 0; block < rows_a; block += kBlockRows) {
      const std::size_t end = std::min(rows_a, block + kBlockRows);
      for (std::size_t q = 0; q < panels; ++q) {
        for (std::size_t i = block; i < end; i += 4) {
          const std::size_t rows = std::min<std::size_t>(4, end - i);
          const std::int16_t* row = a + i * stride + begin;
          const auto step = [&](std::size_t r) { return row + std::min(r, rows - 1) * stride; };
          multiply_tile(row, step(1), step(2), step(3), scratch + q * panel_cells, pairs,
                        c + i * c_stride + q * width, c_stride, rows, begin != 0);
        }
      }
    }
  }
}

template <class Small>
HWY_INLINE std::size_t collect(std::size_t count, std::uint32_t* HWY_RESTRICT hits,
                               const Small& small) {
  const Products d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  for (std::size_t j = 0; j < count; j += lanes) {
    const auto mask = small(j);
    if (HWY_LIKELY(hn::AllFalse(d, mask))) continue;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    std::uint32_t bits = bytes[0] | (static_cast<std::uint32_t>(bytes[1]) << 8);
    for (; bits != 0; bits &= bits - 1) {
      const auto hit = static_cast<std::uint32_t>(j + hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
      if (hit < count) hits[found++] = hit;
    }
  }
  return found;
}

inline std::size_t find_below(const std::int32_t* HWY_RESTRICT products,
                              const std::int32_t* HWY_RESTRICT norms, std::size_t count,
                              std::int32_t limit, std::uint32_t* HWY_RESTRICT hits) {
  const Products d;
  const std::size_t whole = count - count % hn::Lanes(d);
  const auto limits = hn::Set(d, limit);
  std::size_t found = collect(whole, hits, [&](std::size_t j) HWY_ATTR {
    const auto product = hn::LoadU(d, products + j);
    return hn::Lt(hn::Sub(hn::LoadU(d, norms + j), hn::Add(product, product)), limits);
  });
  for (std::size_t j = whole; j < count; ++j) {
    if (norms[j] - 2 * products[j] < limit) hits[found++] = static_cast<std::uint32_t>(j);
  }
  return found;
}

inline std::size_t find_below_each(const std::int32_t* HWY_RESTRICT products, std::int32_t norm,
                                   const std::int32_t* HWY_RESTRICT limits, std::size_t count,
                                   std::uint32_t* HWY_RESTRICT hits) {
  const Products d;
  const std::size_t whole = count - count % hn::Lanes(d);
  const auto norms = hn::Set(d, norm);
  std::size_t found = collect(whole, hits, [&](std::size_t j) HWY_ATTR {
    const auto product = hn::LoadU(d, products + j);
    return hn::Lt(hn::Sub(norms, hn::Add(product, product)), hn::LoadU(d, limits + j));
  });
  for (std::size_t j = whole; j < count; ++j) {
    if (norm - 2 * products[j] < limits[j]) hits[found++] = static_cast<std::uint32_t>(j);
  }
  return found;
}

inline std::uint64_t squared_distance(const std::uint8_t* HWY_RESTRICT a,
                                      const std::uint8_t* HWY_RESTRICT b, std::size_t count) {
  const Products d;
  const Cells d16;
  const hn::Rebind<std::uint8_t, Cells> d8;
  const std::size_t lanes = hn::Lanes(d16);
  // A lane adds two squares below 2^16 at a time: some thousand of them fit.
  constexpr std::size_t kPart = 16384;
  std::uint64_t total = 0;
  std::size_t k = 0;
  while (k + lanes <= count) {
    auto sum0 = hn::Zero(d), sum1 = sum0;
    const std::size_t end = std::min(count, k + kPart);
    for (; k + lanes <= end; k += lanes) {
      const auto difference = hn::Sub(hn::PromoteTo(d16, hn::LoadU(d8, a + k)),
                                      hn::PromoteTo(d16, hn::LoadU(d8, b + k)));
      sum0 = hn::ReorderWidenMulAccumulate(d, difference, difference, sum0, sum1);
    }
    HWY_ALIGN std::int32_t sums[hn::MaxLanes(d)];
    hn::Store(hn::Add(sum0, sum1), d, sums);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) total += static_cast<std::uint32_t>(sums[i]);
  }
  return total + reference::squared_distance(a + k, b + k, count - k);
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif
