// SPDX-License-Identifier: Apache-2.0
//
// Titles and class names come from users and their files, so they can hold any bytes, while one
// wrong byte makes an XML document unreadable. Text is therefore cut into UTF-8 characters, and
// every byte that starts no valid character is replaced by U+FFFD.
//
// Coordinates are rounded to tenths as integers: shorter than a general number, and no locale can
// put a comma into them.
#include "report/svg_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/utf8.hpp"

namespace mbn {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

/// Bytes of the character that `text` begins with, or 0 when XML does not allow it.
std::size_t character_bytes(std::string_view text) {
  const Character character = first_character(text);
  return character.code == 0xFFFE || character.code == 0xFFFF ? 0 : character.bytes;
}

/// Calls `body` with each character; bytes that are none come one at a time as U+FFFD.
template <class Body>
void for_each_character(std::string_view text, Body&& body) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    body(bytes == 0 ? kReplacement : text.substr(0, bytes));
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
}

/// What stands for a character in any text: white space is a blank, other controls are no text.
std::string_view clean(std::string_view character) {
  const char first = character.front();
  if (first == '\t' || first == '\n' || first == '\r') return " ";
  const auto code = static_cast<unsigned char>(first);
  return code < 0x20 || code == 0x7F ? kReplacement : character;
}

std::string_view escaped(std::string_view character) {
  switch (character.front()) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return clean(character);
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::string_view character) { out += escaped(character); });
  return out;
}

std::string clean_text(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::string_view character) { out += clean(character); });
  return out;
}

std::string shortened(std::string_view text, std::size_t characters) {
  if (character_count(text) <= characters) return std::string(text);
  std::string out;
  std::size_t kept = 0;
  for_each_character(text, [&](std::string_view character) {
    if (++kept < characters) out += character;
  });
  out += kEllipsis;
  return out;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for_each_character(text, [&](std::string_view) { ++count; });
  return count;
}

std::string grouped_number(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, 1, ',');
  }
  return digits;
}

void append_coordinate(std::string& out, double value) {
  const auto tenths = static_cast<std::int64_t>(std::llround(value * 10));
  if (tenths < 0) out += '-';
  const std::int64_t magnitude = std::abs(tenths);
  fmt::format_to(std::back_inserter(out), "{}", magnitude / 10);
  if (magnitude % 10 != 0) fmt::format_to(std::back_inserter(out), ".{}", magnitude % 10);
}

}  // namespace mbn
