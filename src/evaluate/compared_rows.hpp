// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// Rows that are ordered as the metric orders them by `compared_distance` with `metric()`: the rows
/// themselves, which must outlive it, or a copy that was changed (norm 1 for the cosine).
/// InvalidArgument when the metric is not for such values.
class ComparedRows {
 public:
  ComparedRows(MatrixView rows, Metric metric);

  MatrixView view() const { return view_; }
  /// Euclidean, or one of the metrics without inner products.
  Metric metric() const { return metric_; }

 private:
  Matrix changed_;
  MatrixView view_;
  Metric metric_;
};

/// Squared distances of two rows, always summed in the same order. Separate sums let the compiler
/// use vectors without changing it.
inline double squared_distance(const float* a, const float* b, std::size_t columns) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sums{};
  std::size_t column = 0;
  for (; column + kLanes <= columns; column += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double difference = a[column + lane] - b[column + lane];
      sums[lane] += difference * difference;
    }
  }
  double rest = 0;
  for (; column < columns; ++column) {
    const double difference = a[column] - b[column];
    rest += difference * difference;
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])) +
         rest;
}

inline double squared_distance(const std::uint8_t* a, const std::uint8_t* b, std::size_t columns) {
  // 255^2 times this many still fits the 32 bits that the compiler can add in vectors.
  constexpr std::size_t kBlock = 32768;
  double sum = 0;
  for (std::size_t first = 0; first < columns; first += kBlock) {
    const std::size_t last = first + kBlock < columns ? first + kBlock : columns;
    std::int32_t block_sum = 0;
    for (std::size_t column = first; column < last; ++column) {
      const std::int32_t difference = a[column] - b[column];
      block_sum += difference * difference;
    }
    sum += block_sum;
  }
  return sum;
}

/// Throws InvalidArgument when cells that are not finite, or too large, left no distance between
/// two rows; `what` names the matrix.
void require_usable(double distance, const char* what, std::size_t row, std::size_t other);

/// The same of rows by their numbers, checked.
double squared_distance(MatrixView rows, std::size_t a, std::size_t b, const char* what);

/// The distance of `ComparedRows`: squared for the Euclidean one, as in rows/metric.hpp for others.
double compared_distance(MatrixView rows, Metric metric, std::size_t a, std::size_t b,
                         const char* what);

/// Throws InvalidArgument unless both have the same number of rows, at least one row and column,
/// and no more rows than 32 bits can count.
void require_pair(MatrixView data, MatrixView embedding);

/// Throws InvalidArgument unless there is one label for each of `rows` rows.
void require_labels(std::span<const std::int32_t> labels, std::size_t rows);

/// The numbers of at most `sample` rows that are asked, always the same; all when it is 0.
std::vector<std::uint32_t> sampled_rows(std::size_t rows, std::uint32_t sample);

}  // namespace mbn
