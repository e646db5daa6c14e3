// SPDX-License-Identifier: Apache-2.0
//
// Manhattan and chi-squared are sums of m terms that are not negative, so that float32 has a
// relative error of at most gamma_(m+4), as in rows/metric.cpp, in the one order of the kernel.
// Unequal values are counted exactly up to 2^24 columns. For Jaccard the common nonzeros c of rows
// with a and b nonzeros are counted, and
//
//     (a + b - 2c) / (a + b - c)
//
// is rounded once. Two different fractions of numbers up to m differ by more than 1 / m^2 of
// either, so that up to 2,800 columns they differ after rounding too.
#include "rows/pair_estimates.hpp"

#include <cfloat>
#include <cmath>
#include <numeric>

#include "kernels/panel_distances.hpp"
#include "rows/gather.hpp"

namespace mbn {

namespace {

constexpr std::size_t kExactFractions = 2800;
constexpr std::size_t kExactCounts = std::size_t{1} << 24;

PairTerm term_of(Metric metric) {
  if (metric == Metric::manhattan) return PairTerm::absolute;
  if (metric == Metric::chi_squared) return PairTerm::chi_squared;
  return metric == Metric::hamming ? PairTerm::unequal : PairTerm::smaller;
}

float size_of_set(const float* cells, std::size_t count) {
  return std::accumulate(cells, cells + count, 0.0F);
}

float jaccard(float a, float b, float common) {
  const float either = a + b - common;
  return either > 0 ? (either - common) / either : 0;
}

}  // namespace

void PairEstimates::load(MatrixView rows, std::size_t row, std::span<const std::uint32_t> columns,
                         float* cells, float& largest) const {
  gather_features(rows, row, columns, cells);
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (metric_ == Metric::jaccard) cells[f] = cells[f] != 0 ? 1.0F : 0.0F;
    largest = std::max(largest, std::fabs(cells[f]));
  }
}

void PairEstimates::gather(MatrixView rows, std::span<const std::uint32_t> numbers,
                           std::span<const std::uint32_t> columns, PackedKept& kept) const {
  const std::size_t features = columns.size();
  kept.rows = numbers.size();
  kept.largest = 0;
  kept.panels.resize(right_panels(numbers.size()) * kRightPanel * features);
  kept.sizes.resize(metric_ == Metric::jaccard ? numbers.size() : 0);
  LargeArray<float> panel(kRightPanel * features);
  for (std::size_t first = 0; first < numbers.size(); first += kRightPanel) {
    const std::size_t count = std::min(kRightPanel, numbers.size() - first);
    for (std::size_t j = 0; j < count; ++j) {
      float* const cells = panel.data() + j * features;
      load(rows, numbers[first + j], columns, cells, kept.largest);
      if (metric_ == Metric::jaccard) kept.sizes[first + j] = size_of_set(cells, features);
    }
    pack_right({panel.data(), 1, features}, features, count, 0, 1,
               kept.panels.data() + first * features);
  }
}

void PairEstimates::gather(MatrixView rows, std::span<const std::uint32_t> columns,
                           PlainRows& plain) const {
  plain.rows = rows.rows();
  plain.largest = 0;
  plain.cells.resize(rows.rows() * columns.size());
  plain.sizes.resize(metric_ == Metric::jaccard ? rows.rows() : 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    float* const cells = plain.cells.data() + i * columns.size();
    load(rows, i, columns, cells, plain.largest);
    if (metric_ == Metric::jaccard) plain.sizes[i] = size_of_set(cells, columns.size());
  }
}

void PairEstimates::estimate(const PlainRows& rows, const PackedKept& kept, std::size_t columns,
                             float* out, std::size_t stride) const {
  panel_distances(term_of(metric_), rows.cells.data(), columns, rows.rows, kept.panels.data(),
                  right_panels(kept.rows), columns, out, stride);
  if (metric_ != Metric::jaccard) return;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    float* const row = out + i * stride;
    for (std::size_t j = 0; j < kept.rows; ++j) {
      row[j] = jaccard(rows.sizes[i], kept.sizes[j], row[j]);
    }
  }
}

PairEstimates::Error PairEstimates::error(const PlainRows& rows, const PackedKept& kept,
                                          std::size_t columns) const {
  if (columns >= kExactCounts) return {1, 0};
  if (metric_ == Metric::hamming) return {};
  if (metric_ == Metric::jaccard) return {columns <= kExactFractions ? 0.0 : 2 * FLT_EPSILON, 0};
  // Beyond this a sum of two values, or of all terms, may leave the range of float32.
  constexpr float kLargest = 1e30F;
  if (!(rows.largest <= kLargest && kept.largest <= kLargest)) return {1, 0};
  const double roundings = (static_cast<double>(columns) + 4) * FLT_EPSILON / 2;
  const double gamma = roundings < 0.5 ? roundings / (1 - roundings) : 1;
  return {gamma, 8 * static_cast<double>(columns) * static_cast<double>(FLT_MIN)};
}

}  // namespace mbn
