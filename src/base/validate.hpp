// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <type_traits>

#include <mbn/error.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// "above 0 and below 1"
inline std::string range_text(const Field& field, bool above_minimum) {
  if (field.open) {
    return fmt::format("above {} and below {}", field.minimum, field.maximum);
  }
  if (above_minimum) {
    return fmt::format("above {} and at most {}", field.minimum, field.maximum);
  }
  return fmt::format("from {:.0f} to {:.0f}", field.minimum, field.maximum);
}

template <class Value>
void check_number(const Field& field, Value value) {
  if (!field.automatic.empty() && value == Value{0}) return;
  const bool above_minimum = field.open || std::is_floating_point_v<Value>;
  const auto number = static_cast<double>(value);
  const bool low = above_minimum ? number > field.minimum : number >= field.minimum;
  const bool high = field.open ? number < field.maximum : number <= field.maximum;
  if (low && high) return;
  const std::string seen = fmt::format("{}", value);
  Message message{option(field.name), " is ", option_value(seen),
                  "; it must be " + range_text(field, above_minimum)};
  if (!field.automatic.empty()) {
    message += {", or ", option_value("auto"), fmt::format(" ({})", field.automatic)};
  }
  throw InvalidArgument(ErrorCode::out_of_range, std::move(message),
                        {.option = std::string(field.name), .value = seen});
}

template <class Enum>
void check_choice(const Field& field, Enum value) {
  constexpr auto kNames = enum_names<Enum>();
  const auto number = static_cast<std::size_t>(value);
  if (number < kNames.size()) return;
  throw InvalidArgument(
      ErrorCode::unknown_choice,
      {option(field.name),
       fmt::format(" is choice number {}; it must be one of {}", number, fmt::join(kNames, ", "))},
      {.option = std::string(field.name), .value = std::to_string(number)});
}

/// One range check for all options. It visits the fields of an options struct, so an option that is
/// added there is checked without new code; each folder calls it for its own options. A value
/// passes when
///
///   it is 0 and the field has an automatic rule, or
///   minimum <= value <= maximum   (< on both sides when the field is open).
///
/// Fields of type double, which are shares, have one more rule: the lower limit itself is never
/// allowed, because a share of zero draws nothing. Comparisons are written so that NaN fails them.
/// Throws InvalidArgument that names the first option out of its range.
template <class Options>
void validate_fields(const Options& options) {
  visit_fields(options, [](const Field& field, const auto& value) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
      check_choice(field, value);
    } else if constexpr (requires { value.begin(); }) {
      // An empty list means auto; a 0 within it does not.
      const Field element{field.name, field.help, field.minimum, field.maximum};
      for (const auto& number : value) check_number(element, number);
    } else {
      check_number(field, value);
    }
  });
}

}  // namespace mbn
