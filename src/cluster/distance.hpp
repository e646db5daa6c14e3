// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <mbn/matrix.hpp>

namespace mbn::lloyd {

/// Doubles for each row or centre: an even number, so that the last vector of two is full.
inline std::size_t padded(std::size_t columns) {
  return columns + columns % 2;
}

/// One row as doubles, padded with zeros.
class RowBuffer {
 public:
  explicit RowBuffer(std::size_t columns) : cells_(padded(columns)), columns_(columns) {}
  template <class T>
  const double* load(const T* row) {
    for (std::size_t j = 0; j < columns_; ++j) cells_[j] = static_cast<double>(row[j]);
    return cells_.data();
  }

 private:
  std::vector<double> cells_;
  std::size_t columns_;
};

/// Centres as doubles that were rounded to float32, row by row with padded columns.
struct Centres {
  std::size_t count = 0;
  std::size_t width = 0;  ///< padded columns
  std::vector<double> cells;

  Centres() = default;
  Centres(std::size_t centres, std::size_t columns)
      : count(centres), width(padded(columns)), cells(count * width) {}
  double* row(std::size_t centre) { return cells.data() + centre * width; }
  const double* row(std::size_t centre) const { return cells.data() + centre * width; }
};

/// The squared Euclidean distance that all of cluster/ uses. Eight running sums, added in a fixed
/// order: fast with vector instructions, and the same bits with or without them.
inline double squared_distance(const double* a, const double* b, std::size_t width) {
  std::array<double, 8> sum{};
  std::size_t j = 0;
  for (; j + 8 <= width; j += 8) {
    for (std::size_t s = 0; s < 8; ++s) {
      const double difference = a[j + s] - b[j + s];
      sum[s] += difference * difference;
    }
  }
  for (; j + 2 <= width; j += 2) {
    for (std::size_t s = 0; s < 2; ++s) {
      const double difference = a[j + s] - b[j + s];
      sum[s] += difference * difference;
    }
  }
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

struct Nearest {
  std::size_t centre = 0;
  double square = 0;
};

/// The nearest centre, ties to the lower number.
inline Nearest nearest(const double* row, const Centres& centres) {
  Nearest best{0, squared_distance(row, centres.row(0), centres.width)};
  for (std::size_t c = 1; c < centres.count; ++c) {
    const double square = squared_distance(row, centres.row(c), centres.width);
    if (square < best.square) best = {c, square};
  }
  return best;
}

}  // namespace mbn::lloyd
