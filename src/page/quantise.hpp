// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <mbn/matrix.hpp>

#include "page/page_arrays.hpp"

namespace mbn {

/// The first two columns of places as 16-bit numbers between the least (0) and the largest (65535).
/// A second column that is not there is zero.
struct Quantised {
  std::array<double, 2> range_x{};
  std::array<double, 2> range_y{};
  std::vector<std::uint16_t> x;
  std::vector<std::uint16_t> y;
};

Quantised quantise(MatrixView places);

/// Numbers of rows, in the smallest exact type or with a few digits less.
struct PackedColumn {
  std::vector<std::uint8_t> bytes;    ///< these, or
  std::vector<std::uint16_t> shorts;  ///< these, or
  std::vector<float> floats;          ///< these

  void add_to(PageArrays& arrays, const std::string& name) const;
  std::string_view raw() const;
};

/// Whole numbers from 0 to 65,535 as they are; any other number as a float of four digits.
PackedColumn pack_column(std::vector<float> numbers);

}  // namespace mbn
