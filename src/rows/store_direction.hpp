// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

#include <mbn/matrix.hpp>

#include "base/block.hpp"

namespace mbn {

/// Rounds one column of `directions` to float32 and writes it to the same column of `basis`, with
/// the sign that makes its largest loading (the first in case of ties) positive.
inline void store_direction(const pca::Block& directions, std::size_t column, Matrix& basis) {
  float largest = 0;
  for (std::size_t d = 0; d < directions.rows; ++d) {
    const auto loading = static_cast<float>(directions.row(d)[column]);
    if (std::abs(loading) > std::abs(largest)) largest = loading;
  }
  const float sign = largest < 0 ? -1.0F : 1.0F;
  for (std::size_t d = 0; d < directions.rows; ++d) {
    // Adding zero turns -0.0 into 0.0.
    basis.mutable_row<float>(d)[column] =
        sign * static_cast<float>(directions.row(d)[column]) + 0.0F;
  }
}

}  // namespace mbn
