// SPDX-License-Identifier: Apache-2.0
//
// Rows of norm 1. The norm is the same everywhere; the step after it rounds in one of three ways,
// and each stays as it is because bytes depend on it:
//
//   scale_to_unit_norm   times 1 / norm in double: the rows of networks and of LSA (metric cosine)
//   divide_by_norm       divided by the norm in double: tf-idf rows, embeddings and queries of a
//                        document search
//   students             divided by the norm in float32, as their ONNX graph does
//                        (compress/input_rows.cpp)
#pragma once

#include <cmath>
#include <cstddef>

namespace mbn {

/// The Euclidean norm: squares are added in double, in order. Cells that are not there (the zeros
/// of sparse rows) change nothing.
inline double norm(const float* row, std::size_t count) {
  double squares = 0;
  for (std::size_t j = 0; j < count; ++j) {
    squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
  }
  return std::sqrt(squares);
}

/// Rows of zeros stay zeros.
inline void scale_to_unit_norm(float* row, std::size_t count) {
  const double length = norm(row, count);
  if (length == 0) return;
  const double factor = 1.0 / length;
  for (std::size_t j = 0; j < count; ++j) {
    row[j] = static_cast<float>(static_cast<double>(row[j]) * factor);
  }
}

/// The same with `length`, the row's norm.
inline void divide_by_norm(float* row, std::size_t count, double length) {
  if (length == 0) return;
  for (std::size_t j = 0; j < count; ++j) {
    row[j] = static_cast<float>(static_cast<double>(row[j]) / length);
  }
}

}  // namespace mbn
