// SPDX-License-Identifier: Apache-2.0
//
// Squared Euclidean distance:  |x - w|^2 = |x|^2 + (|w|^2 - 2 <x, w>)
// Cosine:                      -<x, w> / |w|, times the constant 1 / |x|
//
// The part in brackets comes from a matrix product in float32, which is fast but not exact. So it
// is used as an estimate only. By the classical error bound, an inner product of m terms in float32
// differs from the true one by at most
//
//     gamma_m |x| |w|,      gamma_m = m u / (1 - m u),  u = 2^-24,
//
// in any order of summation. Every drawn row whose estimate lies within twice that of the smallest
// is a candidate, and the distance in double, summed in one fixed order, decides between
// candidates. Sums of products of bytes are exact in double (16 of 53 bits for each term), and
// equal drawn rows have exactly equal distances.
//
// The other metrics have no inner product; rows/pair_estimates.cpp estimates them.
#include "rows/metric.hpp"

#include <cfloat>
#include <cmath>

namespace mbn {

namespace {

constexpr std::size_t kLanes = FixedOrderSum::kLanes;

template <class Term>
double sum_in_fixed_order(std::size_t count, Term&& term) {
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  }
  for (std::size_t lane = 0; i < count; ++i, ++lane) lanes[lane] += term(i);
  return FixedOrderSum::total(lanes);
}

double chi_squared_term(double x, double w) {
  const double sum = x + w;
  return sum > 0 ? (x - w) * (x - w) / sum : 0;
}

double jaccard(std::uint64_t different, std::uint64_t either) {
  return either == 0 ? 0 : static_cast<double>(different) / static_cast<double>(either);
}

double distance_without_products(Metric metric, const float* x, const float* w, std::size_t count) {
  if (metric == Metric::manhattan) {
    return sum_in_fixed_order(count, [&](std::size_t i) {
      return std::fabs(static_cast<double>(x[i]) - static_cast<double>(w[i]));
    });
  }
  if (metric == Metric::chi_squared) {
    return sum_in_fixed_order(count, [&](std::size_t i) {
      return chi_squared_term(static_cast<double>(x[i]), static_cast<double>(w[i]));
    });
  }
  DistanceSum sum(metric);
  for (std::size_t i = 0; i < count; ++i) sum.add(i, x[i], w[i]);
  return sum.total();
}

}  // namespace

void DistanceSum::add(std::size_t position, float x, float w) {
  if (metric_ == Metric::manhattan) {
    sum_.add(position, std::fabs(static_cast<double>(x) - static_cast<double>(w)));
  } else if (metric_ == Metric::chi_squared) {
    sum_.add(position, chi_squared_term(static_cast<double>(x), static_cast<double>(w)));
  } else if (metric_ == Metric::hamming) {
    different_ += x != w ? 1 : 0;
  } else {
    different_ += (x != 0) != (w != 0) ? 1 : 0;
    either_ += x != 0 || w != 0 ? 1 : 0;
  }
}

double DistanceSum::total() const {
  if (metric_ == Metric::hamming) return static_cast<double>(different_);
  return metric_ == Metric::jaccard ? jaccard(different_, either_) : sum_.total();
}

double distance(Metric metric, SparseCells x, SparseCells w) {
  DistanceSum sum(metric);
  for_each_pair(
      x, w, [&](std::uint32_t column, float here, float there) { sum.add(column, here, there); });
  return sum.total();
}

double distance(Metric metric, const float* x, const float* w, std::size_t count) {
  if (metric == Metric::euclidean) {
    return sum_in_fixed_order(count, [&](std::size_t i) {
      const double difference = static_cast<double>(x[i]) - static_cast<double>(w[i]);
      return difference * difference;
    });
  }
  if (metric != Metric::cosine) return distance_without_products(metric, x, w, count);
  const double squared_norm = sum_in_fixed_order(
      count, [&](std::size_t i) { return static_cast<double>(w[i]) * static_cast<double>(w[i]); });
  if (squared_norm == 0) return 0;
  const double product = sum_in_fixed_order(
      count, [&](std::size_t i) { return static_cast<double>(x[i]) * static_cast<double>(w[i]); });
  return -product / std::sqrt(squared_norm);
}

DotForm dot_form(Metric metric, double squared_norm_of_w) {
  if (metric == Metric::euclidean) return {static_cast<float>(squared_norm_of_w), -2.0F};
  if (squared_norm_of_w == 0) return {0, 0};
  return {0, static_cast<float>(-1.0 / std::sqrt(squared_norm_of_w))};
}

double dot_form_error(Metric metric, double norm_of_x, double largest_norm_of_w,
                      std::size_t count) {
  constexpr double kUnit = FLT_EPSILON / 2;
  // A few more roundings than terms: those of offset, factor, their product and their sum.
  const double terms = static_cast<double>(count) + 8;
  const double gamma = terms * kUnit / (1 - terms * kUnit);
  const double underflow = 8 * terms * static_cast<double>(FLT_MIN);
  if (metric == Metric::euclidean) {
    const double largest = 2 * norm_of_x * largest_norm_of_w;
    return gamma * largest + 4 * kUnit * (largest_norm_of_w * largest_norm_of_w + largest) +
           underflow;
  }
  return gamma * norm_of_x * 1.01 + underflow;
}

}  // namespace mbn
