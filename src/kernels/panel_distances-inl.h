// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for every instruction set by panel_distances.cpp, which explains it.
#if defined(MBN_KERNELS_PANEL_DISTANCES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_PANEL_DISTANCES_INL_H_
#undef MBN_KERNELS_PANEL_DISTANCES_INL_H_
#else
#define MBN_KERNELS_PANEL_DISTANCES_INL_H_
#endif

#include <hwy/highway.h>
#include "kernels/panel_distances.hpp"

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {

// Vectors whose size is known only at run time cannot be elements of an array.
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

inline void panel_distances(PairTerm term, const float* rows, std::size_t row_stride,
                            std::size_t count, const float* panels, std::size_t panel_count,
                            std::size_t features, float* out, std::size_t out_stride) {
  reference::panel_distances(term, rows, row_stride, count, panels, panel_count, features, out,
                             out_stride);
}
inline float pair_terms(PairTerm term, const float* x, const float* w, std::size_t features,
                        float* terms) {
  return reference::pair_terms(term, x, w, features, terms);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kRightPanel>;
constexpr std::size_t kLanes = hn::MaxLanes(Lanes());
constexpr std::size_t kVectors = kRightPanel / kLanes;
// The sums of a tile, its part of the panel and the work of a term must fit in the registers.
constexpr std::size_t kTileRows = kVectors > 2 ? 2 : 4;

template <PairTerm kTerm, class V>
HWY_INLINE V term_of(V x, V w) {
  const hn::DFromV<V> d;
  if constexpr (kTerm == PairTerm::absolute) return hn::Abs(hn::Sub(x, w));
  if constexpr (kTerm == PairTerm::smaller) return hn::IfThenElse(hn::Lt(x, w), x, w);
  if constexpr (kTerm == PairTerm::unequal) return hn::IfThenElseZero(hn::Ne(x, w), hn::Set(d, 1));
  const V difference = hn::Sub(x, w);
  const V sum = hn::Add(x, w);
  return hn::IfThenElseZero(hn::Gt(sum, hn::Zero(d)),
                            hn::Mul(difference, hn::Div(difference, sum)));
}

template <PairTerm kTerm, std::size_t kRows>
HWY_INLINE void distance_tile(const float* HWY_RESTRICT rows, std::size_t row_stride,
                              const float* HWY_RESTRICT panel, std::size_t features,
                              float* HWY_RESTRICT out, std::size_t out_stride) {
  const Lanes d;
  hn::Vec<Lanes> sums[kRows][kVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(d);
  }
  for (std::size_t f = 0; f < features; ++f) {
    hn::Vec<Lanes> w[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      w[v] = hn::Load(d, panel + f * kRightPanel + v * kLanes);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto x = hn::Set(d, rows[r * row_stride + f]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = hn::Add(sums[r][v], term_of<kTerm>(x, w[v]));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[r][v], d, out + r * out_stride + v * kLanes);
    }
  }
}

template <PairTerm kTerm>
void distances_of(const float* rows, std::size_t row_stride, std::size_t count, const float* panels,
                  std::size_t panel_count, std::size_t features, float* out,
                  std::size_t out_stride) {
  for (std::size_t p = 0; p < panel_count; ++p) {
    const float* panel = panels + p * kRightPanel * features;
    std::size_t i = 0;
    for (; i + kTileRows <= count; i += kTileRows) {
      distance_tile<kTerm, kTileRows>(rows + i * row_stride, row_stride, panel, features,
                                      out + i * out_stride + p * kRightPanel, out_stride);
    }
    for (; i < count; ++i) {
      distance_tile<kTerm, 1>(rows + i * row_stride, row_stride, panel, features,
                              out + i * out_stride + p * kRightPanel, out_stride);
    }
  }
}

inline void panel_distances(PairTerm term, const float* rows, std::size_t row_stride,
                            std::size_t count, const float* panels, std::size_t panel_count,
                            std::size_t features, float* out, std::size_t out_stride) {
  switch (term) {
    case PairTerm::absolute:
      return distances_of<PairTerm::absolute>(rows, row_stride, count, panels, panel_count,
                                              features, out, out_stride);
    case PairTerm::chi_squared:
      return distances_of<PairTerm::chi_squared>(rows, row_stride, count, panels, panel_count,
                                                 features, out, out_stride);
    case PairTerm::unequal:
      return distances_of<PairTerm::unequal>(rows, row_stride, count, panels, panel_count, features,
                                             out, out_stride);
    case PairTerm::smaller:
      return distances_of<PairTerm::smaller>(rows, row_stride, count, panels, panel_count, features,
                                             out, out_stride);
  }
}

template <PairTerm kTerm>
float terms_of(const float* HWY_RESTRICT x, const float* HWY_RESTRICT w, std::size_t features,
               float* HWY_RESTRICT terms) {
  const Lanes d;
  auto largest = hn::Zero(d);
  std::size_t f = 0;
  for (; f + kLanes <= features; f += kLanes) {
    const auto term = term_of<kTerm>(hn::LoadU(d, x + f), hn::LoadU(d, w + f));
    largest = hn::Max(largest, term);
    hn::StoreU(term, d, terms + f);
  }
  const float rest = reference::pair_terms(kTerm, x + f, w + f, features - f, terms + f);
  const float found = hn::GetLane(hn::MaxOfLanes(d, largest));
  return rest > found ? rest : found;
}

inline float pair_terms(PairTerm term, const float* x, const float* w, std::size_t features,
                        float* terms) {
  if (term == PairTerm::absolute) return terms_of<PairTerm::absolute>(x, w, features, terms);
  if (term == PairTerm::unequal) return terms_of<PairTerm::unequal>(x, w, features, terms);
  return terms_of<PairTerm::chi_squared>(x, w, features, terms);
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
