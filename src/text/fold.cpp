// SPDX-License-Identifier: Apache-2.0
//
// utf8proc has the tables. Accents are the combining diacritical marks U+0300 to U+036F that are
// left when a letter is decomposed; marks of other scripts are no accents. What is ASCII needs no
// tables.
#include "text/fold.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace mbn {

namespace {

bool is_ascii(const std::string& word) {
  return std::ranges::all_of(word,
                             [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

std::vector<utf8proc_int32_t> characters(const std::string& word, int options) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(word.data());
  const auto length = static_cast<utf8proc_ssize_t>(word.size());
  const auto flags = static_cast<utf8proc_option_t>(options);
  // What 64 bytes can become is far below this; the second call is for what is not.
  std::vector<utf8proc_int32_t> found(4 * word.size() + 64);
  utf8proc_ssize_t count = utf8proc_decompose(bytes, length, found.data(),
                                              static_cast<utf8proc_ssize_t>(found.size()), flags);
  if (count > static_cast<utf8proc_ssize_t>(found.size())) {
    found.resize(static_cast<std::size_t>(count));
    count = utf8proc_decompose(bytes, length, found.data(), count, flags);
  }
  found.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return found;
}

/// Composes the characters into the word.
void compose(std::vector<utf8proc_int32_t>& characters, std::string& word) {
  if (characters.empty()) return word.clear();
  const utf8proc_ssize_t count =
      utf8proc_normalize_utf32(characters.data(), static_cast<utf8proc_ssize_t>(characters.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  word.clear();
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t length =
        utf8proc_encode_char(characters[static_cast<std::size_t>(i)], bytes);
    word.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
  }
}

}  // namespace

void fold_case(std::string& word) {
  if (is_ascii(word)) {
    for (char& byte : word) {
      if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte + 32);
    }
    return;
  }
  auto found =
      characters(word, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD);
  compose(found, word);
}

void strip_accents(std::string& word) {
  if (is_ascii(word)) return;
  auto found = characters(word, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
  std::erase_if(found, [](utf8proc_int32_t code) { return code >= 0x300 && code <= 0x36F; });
  compose(found, word);
}

}  // namespace mbn
