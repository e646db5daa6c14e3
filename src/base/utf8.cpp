// SPDX-License-Identifier: Apache-2.0
//
// utf8proc decodes and encodes. ASCII, the most frequent case, is handled without a call.
#include "base/utf8.hpp"

#include <utf8proc.h>

#include <algorithm>

namespace mbn {

namespace {
constexpr std::size_t kLongest = 4;
}  // namespace

Character first_character(std::string_view text) {
  if (text.empty()) return {};
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {first, 1};
  utf8proc_int32_t code = 0;
  const auto bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(std::min(text.size(), kLongest)), &code);
  if (bytes <= 0) return {};
  return {static_cast<char32_t>(code), static_cast<std::size_t>(bytes)};
}

void append_character(std::string& out, char32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  utf8proc_uint8_t bytes[kLongest];
  const auto count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
}

}  // namespace mbn
