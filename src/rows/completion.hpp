// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

}  // namespace mbn
