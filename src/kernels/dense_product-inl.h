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

// Vectors whose length is known only at run time cannot stand in an array of sums.
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
// A tile's sums must fit in the registers: 12 of 16 with vectors of 8 lanes, 8 of 16 with 4.
constexpr std::size_t kTileRows = kVectors > 2 ? 2 : kLeftPanel;
static_assert(kLeftPanel % kTileRows == 0);

// A right panel of so many inner steps takes half of a small L1 cache.
constexpr std::size_t kInnerBlock = 256;

// c = a b, or c + a b, for kTileRows rows of a left panel and all columns of a right one.
HWY_INLINE void multiply_tile(const float* HWY_RESTRICT left, const float* HWY_RESTRICT right,
                              std::size_t inner, bool add, float* HWY_RESTRICT c,
                              std::size_t c_stride) {
  const Lanes d;
  hn::Vec<Lanes> sums[kTileRows][kVectors];
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[r][v] = add ? hn::LoadU(d, c + r * c_stride + v * kLanes) : hn::Zero(d);
    }
  }
  for (std::size_t k = 0; k < inner; ++k) {
    for (std::size_t r = 0; r < kTileRows; ++r) {
      const auto a = hn::Set(d, left[r]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = hn::MulAdd(a, hn::Load(d, right + v * kLanes), sums[r][v]);
      }
    }
    left += kLeftPanel;
    right += kRightPanel;
  }
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[r][v], d, c + r * c_stride + v * kLanes);
    }
  }
}

// One left panel against one right panel, where the product has no room for all of it.
HWY_NOINLINE void multiply_edge(const float* left, const float* right, std::size_t inner, bool add,
                                std::size_t rows, std::size_t columns, float* c,
                                std::size_t c_stride) {
  HWY_ALIGN float whole[kLeftPanel * kRightPanel];
  for (std::size_t r = 0; add && r < rows; ++r) {
    for (std::size_t j = 0; j < columns; ++j) whole[r * kRightPanel + j] = c[r * c_stride + j];
  }
  if (add) {
    for (std::size_t r = 0; r < kLeftPanel; ++r) {
      for (std::size_t j = r < rows ? columns : 0; j < kRightPanel; ++j) {
        whole[r * kRightPanel + j] = 0;
      }
    }
  }
  for (std::size_t r = 0; r < kLeftPanel; r += kTileRows) {
    multiply_tile(left + r, right, inner, add, whole + r * kRightPanel, kRightPanel);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t j = 0; j < columns; ++j) c[r * c_stride + j] = whole[r * kRightPanel + j];
  }
}

inline void multiply_packed(const float* left, const float* right, std::size_t inner,
                            const ProductBlock& block, float* c, std::size_t c_stride) {
  c += block.first_row * c_stride + block.first_column;
  left += block.first_row * inner;
  right += block.first_column * inner;
  for (std::size_t k = 0; k < inner; k += kInnerBlock) {
    const std::size_t steps = HWY_MIN(kInnerBlock, inner - k);
    for (std::size_t j = 0; j < block.columns; j += kRightPanel) {
      const float* right_panel = right + j * inner + k * kRightPanel;
      const std::size_t columns = HWY_MIN(kRightPanel, block.columns - j);
      for (std::size_t i = 0; i < block.rows; i += kLeftPanel) {
        const float* left_panel = left + i * inner + k * kLeftPanel;
        const std::size_t rows = HWY_MIN(kLeftPanel, block.rows - i);
        float* const place = c + i * c_stride + j;
        if (rows < kLeftPanel || columns < kRightPanel) {
          multiply_edge(left_panel, right_panel, steps, k > 0, rows, columns, place, c_stride);
          continue;
        }
        for (std::size_t r = 0; r < kLeftPanel; r += kTileRows) {
          multiply_tile(left_panel + r, right_panel, steps, k > 0, place + r * c_stride, c_stride);
        }
      }
    }
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
