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
#include <string>
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
  for (const char* sign : {"?", "-", "na", "n/a", "#n/a", "nan", "null", "none"}) {
    if (equals_ignoring_case(text, sign)) return true;
  }
  return false;
}

/// The number without marks between thousands, and with a decimal point; nothing when the marks do
/// not stand before groups of three digits. What has no digits stays as it is.
std::optional<std::string> without_marks(std::string_view text, Decimal decimal) {
  const char point = decimal == Decimal::comma ? ',' : '.';
  const char mark = decimal == Decimal::comma ? '.' : ',';
  const std::size_t whole = std::min(text.find_first_of(std::string{point, 'e', 'E'}), text.size());
  std::string plain;
  std::size_t group = 0;  // digits since the last mark
  bool marked = false;
  for (const char letter : text.substr(0, whole)) {
    if (letter == mark || letter == ' ' || letter == '\'') {
      if (group == 0 || group > 3 || (marked && group != 3)) return std::nullopt;
      marked = true;
      group = 0;
      continue;
    }
    plain += letter;
    group = letter >= '0' && letter <= '9' ? group + 1 : 0;
  }
  if (marked && group != 3) return std::nullopt;
  std::string_view rest = text.substr(whole);
  if (rest.starts_with(point)) {
    plain += '.';
    rest.remove_prefix(1);
  }
  if (rest.find(point) != std::string_view::npos || rest.find(mark) != std::string_view::npos) {
    return std::nullopt;
  }
  return plain.append(rest);
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
  if (is_missing(text)) return {CellKind::missing, 0};
  // "1e99" may come back as infinity; only the words mean it.
  const bool has_digit = digits.find_first_of("0123456789") != std::string_view::npos;
  return {has_digit ? CellKind::too_large : CellKind::not_finite, 0};
}

Cell parse_cell(std::string_view text, Decimal decimal) {
  if (decimal == Decimal::plain) return parse_cell(text);
  const std::optional<std::string> plain = without_marks(text, decimal);
  return plain ? parse_cell(*plain) : Cell{CellKind::word, 0};
}

bool is_number_with(std::string_view text, Decimal decimal) {
  return parse_cell(text, decimal).kind == CellKind::number;
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
