// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mbn {

/// Which of two numbers in 03/04/2024 is the day.
enum class DateOrder : std::uint8_t { unknown, day_first, month_first };

/// What a text is as a date.
struct DateCell {
  double days = 0;  ///< since 1970-01-01T00:00 UTC
  /// What decides which of its numbers is the day, where both can be (03/04/2024) or only one can
  /// (25/12/2024); `unknown` when the form itself tells (2024-12-25).
  DateOrder order = DateOrder::unknown;
  bool ambiguous = false;  ///< both can be, and `days` is for the given order
};

/// ISO 8601 (2024-03-04, 2024-03, 2024-03-04T12:30:00.5+01:00; a space for T, slashes for the
/// dashes), 4 Mar 2024, 4-Mar-2024, March 4, 2024, 04.03.2024 (the day first), and 03/04/2024 in
/// the given order; the last four may have a time behind a space. Nothing for other texts, and for
/// days that no month has.
std::optional<DateCell> parse_date(std::string_view text, DateOrder order = DateOrder::unknown);

}  // namespace mbn
