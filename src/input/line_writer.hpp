// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace mbn {

/// A cell of text: in quotes where it would be taken for something else. Spaces are quoted too: in
/// a file of one column they would pass for separators.
inline void append_cell(std::string& line, std::string_view cell) {
  const bool plain = !cell.empty() && cell.find_first_of("\"\r\n,;\t |") == std::string_view::npos;
  if (plain) {
    line += cell;
    return;
  }
  line += '"';
  for (const char letter : cell) {
    if (letter == '"') line += '"';
    line += letter;
  }
  line += '"';
}

/// The shortest text that reads back as the same number.
template <class T>
std::string number_text(T value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

}  // namespace mbn
