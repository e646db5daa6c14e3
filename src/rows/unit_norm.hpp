// SPDX-License-Identifier: Apache-2.0
//
// Rows of unit norm. The norm is computed in one way everywhere. The division by it rounds in one
// of three ways, and each stays as it is, because the bytes of models and results depend on it:
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

/// The Euclidean norm: squares are added in double, in order. The values of a sparse row can be
/// given without its zeros, which would add nothing.
inline double norm(const float* row, std::size_t count) {
  double squares = 0;
  for (std::size_t j = 0; j < count; ++j) {
    squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
  }
  return std::sqrt(squares);
}

/// Scales the row to unit norm. A row of zeros stays zeros.
inline void scale_to_unit_norm(float* row, std::size_t count) {
  const double row_norm = norm(row, count);
  if (row_norm == 0) return;
  const double factor = 1.0 / row_norm;
  for (std::size_t j = 0; j < count; ++j) {
    row[j] = static_cast<float>(static_cast<double>(row[j]) * factor);
  }
}

/// The same by division, with `row_norm` = norm(row, count).
inline void divide_by_norm(float* row, std::size_t count, double row_norm) {
  if (row_norm == 0) return;
  for (std::size_t j = 0; j < count; ++j) {
    row[j] = static_cast<float>(static_cast<double>(row[j]) / row_norm);
  }
}

}  // namespace mbn
