// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <mbn/options.hpp>

namespace mbn {

/// All that depends on the metric: the distance that decides between two drawn rows, and a cheap
/// estimate of it. `x` is a row and `w` a drawn row, both on the drawn features only.

/// The distance that decides: in double, always summed in the same order. Euclidean: |x - w|^2.
/// Cosine: -<x, w> / |w|, which orders drawn rows as the angle to x does; 0 when w is all zeros.
double distance(Metric metric, const float* x, const float* w, std::size_t count);

/// The order of that summation, for terms that come one at a time: the term at position i is added
/// to lane i mod 8. Leaving out a term that is zero does not change the sum; the engines for sparse
/// rows depend on that.
class FixedOrderSum {
 public:
  static constexpr std::size_t kLanes = 8;

  void add(std::size_t position, double term) { lanes_[position % kLanes] += term; }
  double total() const { return total(lanes_); }
  static double total(const std::array<double, kLanes>& lanes) {
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
           ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  }

 private:
  std::array<double, kLanes> lanes_{};
};

/// An estimate of the distance, up to a constant of the row: offset + factor * <x, w>.
struct DotForm {
  float offset = 0;
  float factor = 0;
};
DotForm dot_form(Metric metric, double squared_norm_of_w);

/// An upper bound of the error of the estimate in float32, for any order of summation in <x, w> of
/// `count` terms.
double dot_form_error(Metric metric, double norm_of_x, double largest_norm_of_w, std::size_t count);

}  // namespace mbn
