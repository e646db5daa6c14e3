// SPDX-License-Identifier: Apache-2.0
//
// Titles and class names come from users and their files, so they can hold any bytes, while one
// wrong byte makes an XML document unreadable. Text is therefore cut into UTF-8 characters by the
// table of the Unicode standard (no overlong forms, no surrogates, nothing above U+10FFFF), and
// every byte that starts no valid character is replaced by U+FFFD.
//
// Coordinates are rounded to tenths as integers: shorter than a general number, and no locale can
// put a comma into them.
#include "report/svg_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace mbn {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

/// Bytes of the valid UTF-8 character that `text` begins with, or 0.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    // U+FFFE and U+FFFF are not allowed in XML.
    if (first == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
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

std::string_view escaped(std::string_view character) {
  const char first = character.front();
  switch (first) {
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
    case '\t':
    case '\n':
    case '\r':
      return " ";
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(first);
  return code < 0x20 || code == 0x7F ? kReplacement : character;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::string_view character) { out += escaped(character); });
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
