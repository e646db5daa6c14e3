// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mbn {

/// Text from a file for use in a message: shortened, and with control characters (which could
/// change a terminal) replaced by '?'.
inline std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result(text.substr(0, kLongest));
  for (char& letter : result) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) letter = '?';
  }
  // A UTF-8 letter is not cut in half.
  if (text.size() > kLongest) {
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xc0) == 0x80) {
      result.pop_back();
    }
    if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0xc0) result.pop_back();
    result += "...";
  }
  return result;
}

}  // namespace mbn
