// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <mbn/input.hpp>

namespace mbn {

/// What a cell of text is.
enum class CellKind : std::uint8_t {
  number,      ///< a finite float32
  missing,     ///< empty, or a usual sign for "not there": ?, NA, N/A, null, none
  not_finite,  ///< inf
  too_large,   ///< a number beyond float32
  word         ///< anything else
};

struct Cell {
  CellKind kind = CellKind::missing;
  float value = 0;
};

/// Reads a number the same way in every locale: digits with a point, an exponent, a sign. Too small
/// a number is zero. `text` has no spaces around it.
Cell parse_cell(std::string_view text);

/// The same for a number with marks between thousands and a decimal point or comma, as `decimal`
/// says: 1,234.5 or 1.234,5. Marks must stand before groups of three digits.
Cell parse_cell(std::string_view text, Decimal decimal);

/// Whether a word would be a number when read with this decimal.
bool is_number_with(std::string_view text, Decimal decimal);

/// An integer that fits int32, also when written as 3.0 or 3e0.
std::optional<std::int32_t> parse_label(std::string_view text);

/// The text without spaces and tabs at its ends.
std::string_view trim(std::string_view text);

}  // namespace mbn
