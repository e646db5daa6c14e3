// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/directions.hpp"

namespace mbn {

/// Fills the missing cells (NaN) of a row with what is expected there, given the cells that the row
/// has and the principal directions of the training rows. A row gives the same bytes alone and
/// among others; a row without missing cells is not changed. Thread-safe.
class Completion {
 public:
  /// For directions with a centre, which must outlive it.
  explicit Completion(const Directions& directions);

  /// `row` has a cell for each row of the basis.
  void complete(float* row) const;

 private:
  std::vector<double> coordinates_of(const float* row, std::size_t missing) const;

  const Directions& directions_;
  std::size_t count_;
  std::vector<double> basis_;    // columns x directions
  std::vector<double> penalty_;  // [direction] noise / variance
};

/// How often the rows that directions are found on are completed on the way: each round fills their
/// cells better, and after a few the directions hardly change.
inline constexpr std::size_t kCompletionRounds = 4;

/// Estimated seconds on one core for completing so many rows along `count` directions.
double completing_seconds(std::uint64_t rows, std::uint64_t columns, std::uint64_t count);

}  // namespace mbn
