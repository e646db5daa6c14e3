// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// Turns rows into int16 such that inner products fit int32: the norm of a quantised row is at most
/// sqrt(2^29), so |<x, w>| <= 2^29 and |w|^2 - 2 <x, w> lies within 3 * 2^29. What it does depends
/// on the kept rows and the metric only. Never changed once made.
class Quantiser {
 public:
  static constexpr std::int64_t kLargestSquaredNorm = std::int64_t{1} << 29;

  Quantiser(MatrixView kept, Metric metric);

  /// Whether the integers are the values themselves: then distances from them are exact.
  bool exact() const { return exact_; }
  /// Cells of a quantised row: the number of features, rounded up to an even number.
  std::size_t stride() const { return stride_; }

  /// Quantises row `row` of `rows` to `out`. Cells that are too large are clipped.
  void quantise(MatrixView rows, std::size_t row, std::int16_t* out) const;

  /// The squared norm of a quantised row, or -1 when it is too large: the row lies far from all
  /// kept rows, and its integers must not be used.
  std::int32_t squared_norm(const std::int16_t* cells) const;

 private:
  Metric metric_;
  std::size_t features_;
  std::size_t stride_;
  bool exact_ = false;
  std::vector<float> centre_;  // subtracted first
  float scale_ = 1;
};

}  // namespace mbn
