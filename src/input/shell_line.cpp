// SPDX-License-Identifier: Apache-2.0
#include "input/shell_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace mbn {

std::string shell_word(std::string_view word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return std::isalnum(code) != 0 || code >= 0x80 ||
           std::string_view("/._-+,:@%").find(letter) != std::string_view::npos;
  });
  if (plain) return std::string(word);
  std::string quoted = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      quoted += "'\\''";
    } else {
      quoted += letter;
    }
  }
  return quoted + "'";
}

std::string python_line(std::string_view program, std::string_view file) {
  return fmt::format("python3 -c \"{}\" {}", program, shell_word(file));
}

}  // namespace mbn
