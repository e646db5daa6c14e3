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
Character first_character(std::string_view text);

/// Appends a valid character.
void append_character(std::string& out, char32_t code);

}  // namespace mbn
