// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <mbn/error.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// "above 0 and below 1"
inline std::string range_text(const Field& field, bool above_minimum) {
  const char* const low = above_minimum ? "above" : "at least";
  if (field.open) return fmt::format("{} {} and below {}", low, field.minimum, field.maximum);
  if (above_minimum) return fmt::format("above {} and at most {}", field.minimum, field.maximum);
  return fmt::format("from {:.0f} to {:.0f}", field.minimum, field.maximum);
}

/// `otherwise` ends the message: what may be given in place of a number.
template <class Value>
void check_number(const Field& field, Value value, const Message& otherwise = {}) {
  const bool above_minimum = std::is_floating_point_v<Value> && !field.with_minimum;
  const auto number = static_cast<double>(value);
  const bool low = above_minimum ? number > field.minimum : number >= field.minimum;
  const bool high = field.open ? number < field.maximum : number <= field.maximum;
  if (low && high) return;
  const std::string seen = fmt::format("{}", value);
  Message message{option(field.name), " is ", option_value(seen),
                  "; it must be " + range_text(field, above_minimum)};
  message += otherwise;
  throw InvalidArgument(ErrorCode::out_of_range, std::move(message),
                        {.option = std::string(field.name), .value = seen});
}

inline void check_value(const Field& field, Clusters clusters) {
  if (!clusters.is_number()) return;
  check_number(field, clusters.count(),
               {", or ", option_value("find"), " or ", option_value("unknown")});
}

inline void check_value(const Field& field, DirectionCount directions) {
  if (!directions.is_number()) return;
  check_number(field, directions.count_or(0),
               {", or ", option_value("auto"), " or ", option_value("none")});
}

template <class Value>
void check_value(const Field& field, const std::optional<Value>& value) {
  if (!value) return;
  check_number(field, *value,
               {", or ", option_value("auto"), fmt::format(" ({})", field.automatic)});
}

template <class Value>
void check_value(const Field& field, const std::vector<Value>& values) {
  for (const Value value : values) check_number(field, value);
}

template <class Enum>
requires std::is_enum_v<Enum>
void check_value(const Field& field, Enum value) {
  constexpr auto kNames = enum_names<Enum>();
  const auto number = static_cast<std::size_t>(value);
  if (number < kNames.size()) return;
  throw InvalidArgument(
      ErrorCode::unknown_choice,
      {option(field.name),
       fmt::format(" is choice number {}; it must be one of {}", number, fmt::join(kNames, ", "))},
      {.option = std::string(field.name), .value = std::to_string(number)});
}

template <class Value>
requires std::is_arithmetic_v<Value>
void check_value(const Field& field, Value value) {
  check_number(field, value);
}

/// One range check for all options. It walks the list of fields of an options struct, so an option
/// that is added there is checked here without a new line of code; each folder calls it for its own
/// options. A value passes when
///
///   it is no number: std::nullopt, or a word of Clusters, or
///   minimum <= value <= maximum   (< on both sides when the field is open).
///
/// Shares (the fields of type double) have one rule more: the lower limit itself is not allowed,
/// since a share of nothing draws nothing, unless the field says so. Comparisons are written so
/// that NaN fails them. Throws InvalidArgument that names the first option out of its range.
template <class Options>
void validate_fields(const Options& options) {
  visit_fields(options, [](const Field& field, const auto& value) { check_value(field, value); });
}

}  // namespace mbn
