// SPDX-License-Identifier: Apache-2.0
//
// One pass over the bytes. Characters are told apart by ranges instead of tables of the whole of
// Unicode: from U+00C0 on nearly everything that stands in running text is a letter or a mark on
// one, and the blocks that are not (punctuation, symbols, arrows, pictures, private use) are few
// and listed. Small letters follow from capitals by arithmetic in the alphabets that have both: a
// fixed distance (Latin-1, Greek, Cyrillic, Armenian), or neighbours in pairs (the rest of Latin
// and Cyrillic). Composed and decomposed letters stay different words: texts that mix them should
// be normalised first.
#include "text/word_reader.hpp"

#include <libstemmer.h>

#include <new>

#include "base/utf8.hpp"

namespace mbn {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Above U+00C0 and yet no letters.
constexpr Range kSigns[] = {
    {0xD7, 0xD7},     {0xF7, 0xF7},       {0x2000, 0x2BFF},   {0x2E00, 0x2E7F}, {0x3000, 0x3004},
    {0x3008, 0x3020}, {0x3030, 0x3030},   {0xE000, 0xF8FF},   {0xFE10, 0xFE1F}, {0xFE30, 0xFE6F},
    {0xFEFF, 0xFEFF}, {0xFF00, 0xFF0F},   {0xFF1A, 0xFF20},   {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65},
    {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF}};

bool in(char32_t code, char32_t first, char32_t last) {
  return code >= first && code <= last;
}

// Capital and small letter side by side: capitals are even, or odd.
bool is_even_capital(char32_t code) {
  if (code % 2 != 0) return false;
  return in(code, 0x100, 0x137) || in(code, 0x14A, 0x177) || in(code, 0x1DE, 0x1EF) ||
         in(code, 0x1F8, 0x21F) || in(code, 0x222, 0x233) || in(code, 0x460, 0x481) ||
         in(code, 0x48A, 0x4BF) || in(code, 0x4D0, 0x52F) || in(code, 0x1E00, 0x1E95) ||
         in(code, 0x1EA0, 0x1EFF);
}
bool is_odd_capital(char32_t code) {
  if (code % 2 == 0) return false;
  return in(code, 0x139, 0x148) || in(code, 0x179, 0x17E) || in(code, 0x1CD, 0x1DC) ||
         in(code, 0x4C1, 0x4CE);
}

char32_t small_greek(char32_t code) {
  if (in(code, 0x391, 0x3AB) && code != 0x3A2) return code + 32;
  if (code == 0x386) return 0x3AC;
  if (in(code, 0x388, 0x38A)) return code + 37;
  if (code == 0x38C) return 0x3CC;
  if (code == 0x38E || code == 0x38F) return code + 63;
  return code;
}

bool drops_stop_words(const TextOptions& options) {
  if (options.stop_words == StopWords::english) return true;
  return options.stop_words == StopWords::automatic &&
         (options.language == Language::english || options.language == Language::porter);
}

}  // namespace

bool is_word_character(char32_t code) {
  if (code < 0x80) {
    return in(code, 'a', 'z') || in(code, 'A', 'Z') || in(code, '0', '9');
  }
  if (code < 0xC0) return false;
  for (const Range& signs : kSigns) {
    if (in(code, signs.first, signs.last)) return false;
  }
  return true;
}

char32_t small_letter(char32_t code) {
  if (code < 0x80) return in(code, 'A', 'Z') ? code + 32 : code;
  if (in(code, 0xC0, 0xDE)) return code == 0xD7 ? code : code + 32;
  if (code == 0x130) return 'i';
  if (code == 0x178) return 0xFF;
  if (code == 0x1E9E) return 0xDF;
  if (is_even_capital(code) || is_odd_capital(code)) return code + 1;
  if (in(code, 0x386, 0x3AB)) return small_greek(code);
  if (in(code, 0x400, 0x40F)) return code + 80;
  if (in(code, 0x410, 0x42F)) return code + 32;
  if (in(code, 0x531, 0x556)) return code + 48;
  return code;
}

void WordReader::Free::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

WordReader::WordReader(const TextOptions& options) : drop_stop_words_(drops_stop_words(options)) {
  validate(options);
  if (options.language == Language::none) return;
  const std::string name(name_of(options.language));
  stemmer_.reset(sb_stemmer_new(name.c_str(), nullptr));
  // Debian's library has all languages of the list, so only memory can be missing.
  if (!stemmer_) throw std::bad_alloc();
}

void WordReader::read(std::string_view text, const std::function<void(std::string_view)>& body) {
  word_.clear();
  while (!text.empty()) {
    const Character character = first_character(text);
    text.remove_prefix(character.bytes == 0 ? 1 : character.bytes);
    if (character.bytes == 0 || !is_word_character(character.code)) {
      finish_word(body);
    } else if (word_.size() <= kLongestWordBytes) {
      append_character(word_, small_letter(character.code));
    }
  }
  finish_word(body);
}

void WordReader::finish_word(const std::function<void(std::string_view)>& body) {
  if (word_.empty()) return;
  const bool kept =
      word_.size() <= kLongestWordBytes && !(drop_stop_words_ && is_english_stop_word(word_));
  if (kept && stemmer_) {
    const sb_symbol* stem =
        sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word_.data()),
                        static_cast<int>(word_.size()));
    if (stem == nullptr) throw std::bad_alloc();
    const auto bytes = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    if (bytes > 0) body({reinterpret_cast<const char*>(stem), bytes});
  } else if (kept) {
    body(word_);
  }
  word_.clear();
}

std::vector<std::string> word_stems(std::string_view text, const TextOptions& options) {
  std::vector<std::string> stems;
  WordReader(options).read(text, [&](std::string_view stem) { stems.emplace_back(stem); });
  return stems;
}

}  // namespace mbn
