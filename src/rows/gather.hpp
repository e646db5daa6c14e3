// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include <mbn/matrix.hpp>

namespace mbn {

/// Copies the drawn features of one row to `out`, as float32.
inline void gather_features(MatrixView rows, std::size_t row,
                            std::span<const std::uint32_t> columns, float* out) {
  const auto copy = [&](const auto* cells) {
    for (std::size_t i = 0; i < columns.size(); ++i) out[i] = static_cast<float>(cells[columns[i]]);
  };
  if (rows.type() == ElementType::float32) {
    copy(rows.row<float>(row));
  } else {
    copy(rows.row<std::uint8_t>(row));
  }
}

/// Copies all of one row to `out`, as float32.
inline void copy_row(MatrixView rows, std::size_t row, float* out) {
  rows.visit([&](const auto* first) {
    const auto* cells = first + row * rows.row_stride();
    for (std::size_t i = 0; i < rows.columns(); ++i) out[i] = static_cast<float>(cells[i]);
  });
}

/// A copy of the rows with these numbers, in this order, without gaps between rows.
inline Matrix gather_rows(MatrixView rows, std::span<const std::uint32_t> numbers) {
  Matrix gathered(numbers.size(), rows.columns(), rows.type());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (rows.type() == ElementType::float32) {
      std::memcpy(gathered.mutable_row<float>(i), rows.row<float>(numbers[i]),
                  rows.columns() * sizeof(float));
    } else {
      std::memcpy(gathered.mutable_row<std::uint8_t>(i), rows.row<std::uint8_t>(numbers[i]),
                  rows.columns());
    }
  }
  return gathered;
}

}  // namespace mbn
