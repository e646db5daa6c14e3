// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/matrix.hpp>

#include "base/random.hpp"

namespace mbn {

/// Byte images in `groups` groups: integers only, so they are the same on every machine.
inline Matrix toy_images(std::size_t rows, std::size_t columns, std::uint32_t groups,
                         std::uint64_t seed = 1) {
  Matrix matrix(rows, columns, ElementType::uint8);
  for (std::size_t i = 0; i < rows; ++i) {
    Random noise(seed, Purpose::generate, 1, static_cast<std::uint32_t>(i));
    Random pattern(seed, Purpose::generate, 2, static_cast<std::uint32_t>(i % groups));
    for (std::size_t j = 0; j < columns; ++j) {
      matrix.mutable_row<std::uint8_t>(i)[j] =
          static_cast<std::uint8_t>(pattern.below(180) + noise.below(60));
    }
  }
  return matrix;
}

/// The group of each row of `toy_images`.
inline std::vector<std::int32_t> toy_groups(std::size_t rows, std::uint32_t groups) {
  std::vector<std::int32_t> labels(rows);
  for (std::size_t i = 0; i < rows; ++i) labels[i] = static_cast<std::int32_t>(i % groups);
  return labels;
}

inline Matrix as_floats(MatrixView view) {
  Matrix floats(view.rows(), view.columns());
  for (std::size_t i = 0; i < view.rows(); ++i) {
    for (std::size_t j = 0; j < view.columns(); ++j)
      floats.mutable_row<float>(i)[j] = view.at(i, j);
  }
  return floats;
}

/// Equality of bytes, for results that must be equal to the last bit.
inline bool same_bytes(MatrixView a, MatrixView b) {
  if (a.shape() != b.shape()) return false;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) {
      if (a.at(i, j) != b.at(i, j)) return false;
    }
  }
  return true;
}

}  // namespace mbn
