// SPDX-License-Identifier: Apache-2.0
//
// std::from_chars reads exactly, without a locale, and fast. It leaves two things to us: a leading
// '+', and "out of range", which means both "too large" (an error for the user) and "too small"
// (plainly zero). Which of them is told from the decimal exponent of the first digit that is not 0.
#include "input/parse_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace mbn {
namespace {

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  return text;
}

/// Up to seven digits, which a float holds exactly: a short cut for pixels and counts.
std::optional<float> small_integer(std::string_view text) {
  if (text.empty() || text.size() > 7) return std::nullopt;
  int value = 0;
  for (const char letter : text) {
    if (letter < '0' || letter > '9') return std::nullopt;
    value = 10 * value + (letter - '0');
  }
  return static_cast<float>(value);
}

bool equals_ignoring_case(std::string_view a, std::string_view lower) {
  return std::equal(a.begin(), a.end(), lower.begin(), lower.end(), [](char x, char y) {
    return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y;
  });
}

bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > 4) return false;
  for (const char* sign : {"?", "na", "n/a", "#n/a", "null", "none"}) {
    if (equals_ignoring_case(text, sign)) return true;
  }
  return false;
}

/// Whether a number that from_chars found out of range is near zero rather than near infinity.
bool is_tiny(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, mark);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const auto magnitude = static_cast<double>(point) - static_cast<double>(first);
  if (mark == std::string_view::npos) return magnitude < 0;
  std::string_view exponent = without_plus(text.substr(mark + 1));
  long long value = 0;
  const auto parsed = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  if (parsed.ec != std::errc()) return exponent.starts_with('-');
  return magnitude + static_cast<double>(value) < 0;
}

}  // namespace

std::string_view trim(std::string_view text) {
  const auto is_space = [](char letter) { return letter == ' ' || letter == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

Cell parse_cell(std::string_view text) {
  if (const auto integer = small_integer(text)) return {CellKind::number, *integer};
  const std::string_view digits = without_plus(text);
  const char* end = digits.data() + digits.size();
  float value = 0;
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != end) {
    return {is_missing(text) ? CellKind::missing : CellKind::word, 0};
  }
  if (parsed.ec == std::errc::result_out_of_range) {
    return is_tiny(digits) ? Cell{CellKind::number, 0} : Cell{CellKind::too_large, 0};
  }
  if (std::isfinite(value)) return {CellKind::number, value};
  // "1e99" may come back as infinity; only the words mean it.
  const bool has_digit = digits.find_first_of("0123456789") != std::string_view::npos;
  return {has_digit ? CellKind::too_large : CellKind::not_finite, 0};
}

std::optional<std::int32_t> parse_label(std::string_view text) {
  const std::string_view digits = without_plus(text);
  const char* end = digits.data() + digits.size();
  std::int32_t label = 0;
  const auto whole = std::from_chars(digits.data(), end, label);
  if (whole.ec == std::errc() && whole.ptr == end) return label;
  double number = 0;
  const auto parsed = std::from_chars(digits.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  if (!(number >= std::numeric_limits<std::int32_t>::min() &&
        number <= std::numeric_limits<std::int32_t>::max()) ||
      number != std::floor(number)) {
    return std::nullopt;
  }
  return static_cast<std::int32_t>(number);
}

}  // namespace mbn
