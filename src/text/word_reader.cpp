// SPDX-License-Identifier: Apache-2.0
//
// One pass over the bytes. utf8proc knows the class and the small form of every character.
// Composed and decomposed letters stay different words: texts that mix them should be normalised
// first.
#include "text/word_reader.hpp"

#include <libstemmer.h>
#include <utf8proc.h>

#include <new>

#include "base/utf8.hpp"

namespace mbn {

namespace {

bool drops_stop_words(const TextOptions& options) {
  if (options.stop_words == StopWords::english) return true;
  return options.stop_words == StopWords::automatic &&
         (options.language == Language::english || options.language == Language::porter);
}

}  // namespace

bool is_word_character(char32_t code) {
  if (code < 0x80) {
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
           (code >= '0' && code <= '9');
  }
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
      return true;
    default:
      return false;
  }
}

char32_t small_letter(char32_t code) {
  if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 32 : code;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
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
