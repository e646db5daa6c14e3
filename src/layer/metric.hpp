// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <mbn/options.hpp>

namespace mbn {

/// The seam where metrics live: what decides between two drawn rows, and a cheap estimate of it.
/// `x` is a row and `w` a drawn row, both on the drawn features only.

/// The distance that decides: in double, always summed in the same order. For cosine it is minus
/// the inner product with w / |w|, which orders drawn rows as the angle to x does; a w of zeros has
/// 0.
double distance(Metric metric, const float* x, const float* w, std::size_t count);

/// An estimate, up to a constant of the row: offset + factor * <x, w>.
struct DotForm {
  float offset = 0;
  float factor = 0;
};
DotForm dot_form(Metric metric, double squared_norm_of_w);

/// A bound on the estimate's error in float32, whatever the order of summation in <x, w>.
double dot_form_error(Metric metric, double norm_of_x, double largest_norm_of_w, std::size_t count);

}  // namespace mbn
