// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for every instruction set by dense_product.cpp, which explains it.
#if defined(MBN_KERNELS_DENSE_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_DENSE_PRODUCT_INL_H_
#undef MBN_KERNELS_DENSE_PRODUCT_INL_H_
#else
#define MBN_KERNELS_DENSE_PRODUCT_INL_H_
#endif

#include <hwy/highway.h>
#include "kernels/dense_product.hpp"

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {

// Vectors whose size is known only at run time cannot be elements of an array.
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

inline void multiply_packed(const float* left, const float* right, std::size_t inner,
                            const ProductBlock& block, float* c, std::size_t c_stride) {
  reference::multiply_packed(left, right, inner, block, c, c_stride);
}
using reference::adam_step;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kRightPanel>;
constexpr std::size_t kLanes = hn::MaxLanes(Lanes());
constexpr std::size_t kVectors = kRightPanel / kLanes;
// A tile is kTileRows rows of some left panels against all columns of some right ones. Its sums
// must fit in the registers: 24 of 32 with vectors of 16 lanes, 12 of 16 with 8 lanes, 8 of 16 with
// 4 lanes. More than ten sums are also needed to hide the latency of a multiply-add.
constexpr std::size_t kTilePanels = kVectors == 1 ? 2 : 1;
constexpr std::size_t kTileRows = kVectors > 2 ? 2 : kLeftPanel;
static_assert(kLeftPanel % kTileRows == 0);

// Over this many inner steps, the right panels of a tile take half to two thirds of an L1 cache.
constexpr std::size_t kInnerBlock = 256;

// Where the panels of a tile begin: the first one, and the distance to the next.
struct Panels {
  const float* first;
  std::size_t step;
};

#if !HWY_NATIVE_FMA
// p + c, rounded to odd: where the sum is not a double, to the neighbour whose last bit is 1. That
// can be rounded once more, to a float, as if it were the sum itself (Boldo and Melquiond, 2008).
template <class V>
HWY_INLINE V add_to_odd(V p, V c) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<decltype(d)> bits;
  const V sum = hn::Add(p, c);
  const V of_c = hn::Sub(sum, p);
  const V error = hn::Add(hn::Sub(p, hn::Sub(sum, of_c)), hn::Sub(c, of_c));
  const auto one = hn::Set(bits, 1);
  const auto digits = hn::BitCast(bits, sum);
  // An error that is not a number belongs to a sum that is none, or infinite: that stays.
  const auto inexact =
      hn::VecFromMask(bits, hn::RebindMask(bits, hn::Gt(hn::Abs(error), hn::Zero(d))));
  const auto step = hn::And(inexact, hn::Xor(hn::And(digits, one), one));
  const auto inwards = hn::And(step, hn::ShiftRight<63>(hn::Xor(hn::BitCast(bits, error), digits)));
  return hn::BitCast(d, hn::Sub(hn::Sub(hn::Add(digits, step), inwards), inwards));
}

// a b + c, rounded once. The product of two floats is a double.
template <class V>
HWY_INLINE V fused_multiply_add(V a, V b, V c) {
  const hn::DFromV<V> d;
  const hn::Half<decltype(d)> half;
  const hn::Rebind<double, decltype(half)> wide;
  const auto part = [&](auto x, auto y, auto z) {
    return hn::DemoteTo(half, add_to_odd(hn::Mul(hn::PromoteTo(wide, x), hn::PromoteTo(wide, y)),
                                         hn::PromoteTo(wide, z)));
  };
  return hn::Combine(d,
                     part(hn::UpperHalf(half, a), hn::UpperHalf(half, b), hn::UpperHalf(half, c)),
                     part(hn::LowerHalf(half, a), hn::LowerHalf(half, b), hn::LowerHalf(half, c)));
}
#endif

// a b + c, rounded once where that is asked for or costs nothing.
template <bool Fused, class V>
HWY_INLINE V multiply_add(V a, V b, V c) {
#if !HWY_NATIVE_FMA
  if constexpr (Fused) return fused_multiply_add(a, b, c);
#endif
  return hn::MulAdd(a, b, c);
}

// c = a b, or c + a b, for kTileRows rows of each of `Lefts` left panels and all columns of
// `Rights` right panels.
template <bool Fused, std::size_t Lefts, std::size_t Rights>
HWY_INLINE void multiply_tile(Panels left, Panels right, std::size_t inner, bool add,
                              float* HWY_RESTRICT c, std::size_t c_stride) {
  const Lanes d;
  constexpr std::size_t kRows = Lefts * kTileRows;
  constexpr std::size_t kColumns = Rights * kVectors;
  const auto row = [&](std::size_t r) {
    return c + (r / kTileRows * kLeftPanel + r % kTileRows) * c_stride;
  };
  hn::Vec<Lanes> sums[kRows][kColumns];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kColumns; ++v) {
      sums[r][v] = add ? hn::LoadU(d, row(r) + v * kLanes) : hn::Zero(d);
    }
  }
  const float* HWY_RESTRICT l = left.first;
  const float* HWY_RESTRICT m = right.first;
  for (std::size_t k = 0; k < inner; ++k) {
    hn::Vec<Lanes> b[kColumns];
    for (std::size_t v = 0; v < kColumns; ++v) {
      b[v] = hn::Load(d, m + v / kVectors * right.step + v % kVectors * kLanes);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto a = hn::Set(d, l[r / kTileRows * left.step + r % kTileRows]);
      for (std::size_t v = 0; v < kColumns; ++v) {
        sums[r][v] = multiply_add<Fused>(a, b[v], sums[r][v]);
      }
    }
    l += kLeftPanel;
    m += kRightPanel;
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kColumns; ++v) hn::StoreU(sums[r][v], d, row(r) + v * kLanes);
  }
}

template <bool Fused, std::size_t Lefts, std::size_t Rights>
HWY_NOINLINE void multiply_panels(Panels left, Panels right, std::size_t inner, bool add, float* c,
                                  std::size_t c_stride) {
  for (std::size_t r = 0; r < kLeftPanel; r += kTileRows) {
    multiply_tile<Fused, Lefts, Rights>({left.first + r, left.step}, right, inner, add,
                                        c + r * c_stride, c_stride);
  }
}

// One left panel times one right panel at the edge of the product, through a buffer of whole
// panels.
template <bool Fused>
HWY_NOINLINE void multiply_edge(const float* left, const float* right, std::size_t inner, bool add,
                                std::size_t rows, std::size_t columns, float* c,
                                std::size_t c_stride) {
  HWY_ALIGN float whole[kLeftPanel * kRightPanel] = {};
  for (std::size_t r = 0; add && r < rows; ++r) {
    for (std::size_t j = 0; j < columns; ++j) whole[r * kRightPanel + j] = c[r * c_stride + j];
  }
  multiply_panels<Fused, 1, 1>({left, 0}, {right, 0}, inner, add, whole, kRightPanel);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t j = 0; j < columns; ++j) c[r * c_stride + j] = whole[r * kRightPanel + j];
  }
}

// All left panels of the block against one or two right ones, over one block of inner steps. As
// many panels at once as a tile takes, then those that are left over one by one.
template <bool Fused, std::size_t Rights>
HWY_INLINE void multiply_columns(Panels left, Panels right, std::size_t inner, bool add,
                                 std::size_t rows, std::size_t columns, float* c,
                                 std::size_t c_stride) {
  const bool whole = columns == Rights * kRightPanel;
  std::size_t i = 0;
  for (; whole && i + kTilePanels * kLeftPanel <= rows; i += kTilePanels * kLeftPanel) {
    multiply_panels<Fused, kTilePanels, Rights>(
        {left.first + i / kLeftPanel * left.step, left.step}, right, inner, add, c + i * c_stride,
        c_stride);
  }
  for (; i < rows; i += kLeftPanel) {
    const float* const left_panel = left.first + i / kLeftPanel * left.step;
    float* const place = c + i * c_stride;
    if (whole && i + kLeftPanel <= rows) {
      multiply_panels<Fused, 1, Rights>({left_panel, left.step}, right, inner, add, place,
                                        c_stride);
      continue;
    }
    for (std::size_t p = 0; p < Rights; ++p) {
      multiply_edge<Fused>(
          left_panel, right.first + p * right.step, inner, add, HWY_MIN(kLeftPanel, rows - i),
          HWY_MIN(kRightPanel, columns - p * kRightPanel), place + p * kRightPanel, c_stride);
    }
  }
}

template <bool Fused>
void multiply_block(const float* left, const float* right, std::size_t inner,
                    const ProductBlock& block, float* c, std::size_t c_stride) {
  c += block.first_row * c_stride + block.first_column;
  left += block.first_row * inner;
  right += block.first_column * inner;
  constexpr std::size_t kWide = kTilePanels * kRightPanel;
  for (std::size_t k = 0; k < inner; k += kInnerBlock) {
    const std::size_t steps = HWY_MIN(kInnerBlock, inner - k);
    const Panels lefts = {left + k * kLeftPanel, kLeftPanel * inner};
    std::size_t j = 0;
    for (; j + kWide <= block.columns; j += kWide) {
      multiply_columns<Fused, kTilePanels>(
          lefts, {right + j * inner + k * kRightPanel, kRightPanel * inner}, steps, k > 0,
          block.rows, kWide, c + j, c_stride);
    }
    for (; j < block.columns; j += kRightPanel) {
      multiply_columns<Fused, 1>(lefts, {right + j * inner + k * kRightPanel, kRightPanel * inner},
                                 steps, k > 0, block.rows, HWY_MIN(kRightPanel, block.columns - j),
                                 c + j, c_stride);
    }
  }
}

inline void multiply_packed(const float* left, const float* right, std::size_t inner,
                            const ProductBlock& block, float* c, std::size_t c_stride) {
  if (HWY_NATIVE_FMA || !block.fused) {
    multiply_block<false>(left, right, inner, block, c, c_stride);
  } else {
    multiply_block<true>(left, right, inner, block, c, c_stride);
  }
}

inline void adam_step(const AdamStep& step, const float* HWY_RESTRICT gradient, std::size_t count,
                      float* HWY_RESTRICT weights, float* HWY_RESTRICT mean,
                      float* HWY_RESTRICT square) {
  const Lanes d;
  const auto keep1 = hn::Set(d, step.beta1);
  const auto take1 = hn::Set(d, 1 - step.beta1);
  const auto keep2 = hn::Set(d, step.beta2);
  const auto take2 = hn::Set(d, 1 - step.beta2);
  const auto rate = hn::Set(d, step.rate);
  const auto epsilon = hn::Set(d, step.epsilon);
  const std::size_t whole = count - count % kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    const auto g = hn::LoadU(d, gradient + i);
    const auto m = hn::Add(hn::Mul(keep1, hn::LoadU(d, mean + i)), hn::Mul(take1, g));
    const auto s = hn::Add(hn::Mul(keep2, hn::LoadU(d, square + i)), hn::Mul(take2, hn::Mul(g, g)));
    const auto ratio = hn::Div(hn::Mul(rate, m), hn::Add(hn::Sqrt(s), epsilon));
    hn::StoreU(m, d, mean + i);
    hn::StoreU(s, d, square + i);
    hn::StoreU(hn::Sub(hn::LoadU(d, weights + i), ratio), d, weights + i);
  }
  reference::adam_step(step, gradient + whole, count - whole, weights + whole, mean + whole,
                       square + whole);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
