// SPDX-License-Identifier: Apache-2.0
//
// Distances without an inner product, of many rows to many kept rows. As in a matrix product, a
// tile of some rows and one panel of kept rows keeps its sums in registers: each value of a row is
// loaded once for sixteen kept rows, and each part of the panel once for all rows of the tile. A
// lane belongs to one pair of rows, so its sum has one order, that of the features.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/panel_distances-inl.h"
#include <hwy/foreach_target.h>
// The target that every machine has comes last.
#include "kernels/panel_distances-inl.h"
#include "kernels/targets.hpp"

#include <cmath>

namespace mbn {

namespace {
HWY_EXPORT(panel_distances);
HWY_EXPORT(pair_terms);

float term_of(PairTerm term, float x, float w) {
  if (term == PairTerm::absolute) return std::fabs(x - w);
  if (term == PairTerm::unequal) return x != w ? 1.0F : 0.0F;
  if (term == PairTerm::smaller) return x < w ? x : w;
  const float difference = x - w;
  const float sum = x + w;
  return sum > 0 ? difference * (difference / sum) : 0.0F;
}
}  // namespace

void panel_distances(PairTerm term, const float* rows, std::size_t row_stride, std::size_t count,
                     const float* panels, std::size_t panel_count, std::size_t features, float* out,
                     std::size_t out_stride) {
  MBN_DISPATCH(panel_distances)
  (term, rows, row_stride, count, panels, panel_count, features, out, out_stride);
}

float pair_terms(PairTerm term, const float* x, const float* w, std::size_t features,
                 float* terms) {
  return MBN_DISPATCH(pair_terms)(term, x, w, features, terms);
}

namespace reference {

void panel_distances(PairTerm term, const float* rows, std::size_t row_stride, std::size_t count,
                     const float* panels, std::size_t panel_count, std::size_t features, float* out,
                     std::size_t out_stride) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < panel_count * kRightPanel; ++j) {
      const float* w = panels + j / kRightPanel * kRightPanel * features + j % kRightPanel;
      float sum = 0;
      for (std::size_t f = 0; f < features; ++f) {
        sum += term_of(term, rows[i * row_stride + f], w[f * kRightPanel]);
      }
      out[i * out_stride + j] = sum;
    }
  }
}

float pair_terms(PairTerm term, const float* x, const float* w, std::size_t features,
                 float* terms) {
  float largest = 0;
  for (std::size_t f = 0; f < features; ++f) {
    terms[f] = term_of(term, x[f], w[f]);
    largest = terms[f] > largest ? terms[f] : largest;
  }
  return largest;
}

}  // namespace reference

}  // namespace mbn
