// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/dense_product.hpp"

namespace mbn {

/// What a pair of values adds to the distance of two rows.
enum class PairTerm {
  absolute,     ///< |x - w|
  chi_squared,  ///< (x - w) ((x - w) / (x + w)), 0 when x + w is not above 0
  unequal,      ///< 1 when they differ
  smaller,      ///< the smaller one: counts the common ones of rows of zeros and ones
};

/// Sums of terms over all features, between rows and the kept rows of packed panels (`pack_right`,
/// with features as the inner index): cell (i, j) is out[i * out_stride + j], also for the zeros
/// that fill the last panel. Every cell is added up in float32 in the order of the features, so it
/// depends on its two rows only, and is the same on every processor.
void panel_distances(PairTerm term, const float* rows, std::size_t row_stride, std::size_t count,
                     const float* panels, std::size_t panel_count, std::size_t features, float* out,
                     std::size_t out_stride);

/// terms[f] of one pair of rows; returns the largest. Not for `smaller`.
float pair_terms(PairTerm term, const float* x, const float* w, std::size_t features, float* terms);

/// The same in plain loops: the reference in tests, and the code for processors without vectors.
namespace reference {
void panel_distances(PairTerm term, const float* rows, std::size_t row_stride, std::size_t count,
                     const float* panels, std::size_t panel_count, std::size_t features, float* out,
                     std::size_t out_stride);
float pair_terms(PairTerm term, const float* x, const float* w, std::size_t features, float* terms);
}  // namespace reference

}  // namespace mbn
