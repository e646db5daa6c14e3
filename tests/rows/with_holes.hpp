// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <mbn/matrix.hpp>

#include "base/random.hpp"

namespace mbn {

/// A copy of the rows without about one cell in `one_in`; every row keeps one.
inline Matrix with_holes(MatrixView rows, std::uint32_t one_in, std::uint64_t seed = 1) {
  Matrix holed(rows.rows(), rows.columns());
  Random random(seed, Purpose::generate, 77);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    float* out = holed.mutable_row<float>(i);
    const std::size_t stays = random.below(static_cast<std::uint32_t>(rows.columns()));
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      const bool lost = random.below(one_in) == 0 && j != stays;
      out[j] = lost ? std::numeric_limits<float>::quiet_NaN() : rows.at(i, j);
    }
  }
  return holed;
}

}  // namespace mbn
