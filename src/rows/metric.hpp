// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <mbn/options.hpp>

namespace mbn {

/// The metric by which prepared rows are compared. Correlation is the cosine, and Hellinger's
/// distance the Euclidean one, of rows that were changed first (rows/row_change.hpp); distances
/// that were given become codes (rows/nearest_drawn.hpp), which are equal or not. All that works on
/// prepared rows knows the other six only.
constexpr Metric compared_by(Metric metric) {
  if (metric == Metric::correlation) return Metric::cosine;
  if (metric == Metric::precomputed) return Metric::hamming;
  return metric == Metric::hellinger ? Metric::euclidean : metric;
}

/// Whether prepared rows are compared by inner products: matrix products and directions serve these
/// metrics, and no others.
constexpr bool has_dot_form(Metric metric) {
  const Metric compared = compared_by(metric);
  return compared == Metric::euclidean || compared == Metric::cosine;
}

/// Whether the distance is a sum over columns of what two values differ by.
constexpr bool is_sum(Metric metric) {
  return metric == Metric::euclidean || metric == Metric::manhattan ||
         metric == Metric::chi_squared || metric == Metric::hamming;
}

/// All that depends on the metric: the distance that decides between two drawn rows, and a cheap
/// estimate of it. `x` is a row and `w` a drawn row, both on the drawn features only.

/// The distance that decides: in double, always summed in the same order. Euclidean: |x - w|^2.
/// Cosine: -<x, w> / |w|, which orders drawn rows as the angle to x does; 0 when w is all zeros.
/// Manhattan: sum |x - w|. Chi-squared: sum (x - w)^2 / (x + w), without columns where both are 0.
/// Hamming: the number of unequal values. Jaccard: the share of the columns that are zero in one
/// row only among those that are not zero in both; 0 when there are none.
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

/// The same distance from pairs of values that come one at a time, for the metrics without inner
/// products. Pairs of zeros may be left out.
class DistanceSum {
 public:
  explicit DistanceSum(Metric metric) : metric_(metric) {}

  void add(std::size_t position, float x, float w);
  double total() const;

 private:
  Metric metric_;
  FixedOrderSum sum_;
  std::uint64_t different_ = 0;  // unequal values; for Jaccard zero in one row only
  std::uint64_t either_ = 0;     // zero in one row at most
};

/// The nonzeros of a sparse row.
struct SparseCells {
  std::span<const std::uint32_t> columns;
  std::span<const float> values;
};

/// Calls `body(column, x, w)` where two sparse rows are not both zero, in order of the columns.
template <class Body>
void for_each_pair(SparseCells x, SparseCells w, Body&& body) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.columns.size() || j < w.columns.size()) {
    const bool x_first =
        j == w.columns.size() || (i < x.columns.size() && x.columns[i] <= w.columns[j]);
    const bool w_first =
        i == x.columns.size() || (j < w.columns.size() && w.columns[j] <= x.columns[i]);
    const std::uint32_t column = x_first ? x.columns[i] : w.columns[j];
    const float here = x_first ? x.values[i++] : 0;
    const float there = w_first ? w.values[j++] : 0;
    body(column, here, there);
  }
}

/// The distance between two sparse rows on all columns: the same double as from dense rows. For the
/// metrics without inner products.
double distance(Metric metric, SparseCells x, SparseCells w);

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
