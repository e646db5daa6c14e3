// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mbn {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0 when the text does not begin with a valid character
};

/// The character that `text` begins with, by the table of the Unicode standard: no overlong forms,
/// no surrogates, nothing above U+10FFFF.
inline Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) -> char32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const auto rest = [&](std::size_t i) { return byte(i) & 0x3FU; };
  const char32_t first = byte(0);
  if (text.empty()) return {};
  if (first < 0x80) return {first, 1};
  if (first >= 0xC2 && first <= 0xDF && follows(1)) return {(first & 0x1FU) << 6 | rest(1), 2};
  if (first >= 0xE0 && first <= 0xEF && follows(1) && follows(2)) {
    const char32_t code = (first & 0x0FU) << 12 | rest(1) << 6 | rest(2);
    if (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF)) return {};
    return {code, 3};
  }
  if (first >= 0xF0 && first <= 0xF4 && follows(1) && follows(2) && follows(3)) {
    const char32_t code = (first & 0x07U) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3);
    if (code < 0x10000 || code > 0x10FFFF) return {};
    return {code, 4};
  }
  return {};
}

/// Appends a valid character.
inline void append_character(std::string& out, char32_t code) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace mbn
