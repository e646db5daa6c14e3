// SPDX-License-Identifier: Apache-2.0
//
// One pass over the bytes. utf8proc knows the class and the small form of every character. A word
// is folded (text/fold.cpp), looked up among the stop words, stemmed, and its accents are taken off
// at the end: stemmers of most languages need them. Those that know none get the word without.
#include "text/word_reader.hpp"

#include <libstemmer.h>
#include <utf8proc.h>

#include <algorithm>
#include <new>

#include "base/utf8.hpp"
#include "text/fold.hpp"
#include "text/language.hpp"
#include "text/stop_words.hpp"

namespace mbn {

namespace {

Language stemmer_of(const TextOptions& options) {
  return options.language == Language::automatic ? Language::english : options.language;
}

std::vector<std::string_view> dropped_words(const TextOptions& options) {
  if (options.stop_words == StopWords::none) return {};
  return stop_words(options.stop_words == StopWords::english ? Language::english
                                                             : stemmer_of(options));
}

/// Whether the stemmer knows no accents, so that "résumé" must lose them before it sees them.
bool knows_no_accents(Language language) {
  return language == Language::none || language == Language::english ||
         language == Language::porter || language == Language::indonesian;
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

WordReader::WordReader(const TextOptions& options)
    : fold_(options.accents == Accents::fold),
      strip_first_(fold_ && knows_no_accents(stemmer_of(options))),
      stop_words_(dropped_words(options)) {
  validate(options);
  const Language language = stemmer_of(options);
  if (language == Language::none) return;
  const std::string name(name_of(language));
  stemmer_.reset(sb_stemmer_new(name.c_str(), nullptr));
  // Debian's library has all languages of the list, so only memory can be missing.
  if (!stemmer_) throw std::bad_alloc();
}

void WordReader::read(std::string_view text, const std::function<void(std::string_view)>& body) {
  read_places(text, [&](std::string_view stem, WordPlace) { body(stem); });
}

void WordReader::read_places(std::string_view text, const Body& body) {
  word_.clear();
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    if (character.bytes == 0 || !is_word_character(character.code)) {
      finish_word({begin, at}, body);
    } else {
      if (word_.empty()) begin = at;
      if (word_.size() <= kLongestWordBytes) append_character(word_, small_letter(character.code));
    }
    at += character.bytes == 0 ? 1 : character.bytes;
  }
  finish_word({begin, text.size()}, body);
}

/// False when no word is left.
bool WordReader::fold_word() {
  if (word_.size() > kLongestWordBytes) return false;
  if (fold_) fold_case(word_);
  if (strip_first_) strip_accents(word_);
  return !word_.empty() && word_.size() <= kLongestWordBytes;
}

void WordReader::stem_word() {
  if (!stemmer_) return;
  const sb_symbol* stem =
      sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word_.data()),
                      static_cast<int>(word_.size()));
  if (stem == nullptr) throw std::bad_alloc();
  word_.assign(reinterpret_cast<const char*>(stem),
               static_cast<std::size_t>(sb_stemmer_length(stemmer_.get())));
}

/// An accent that the stemmer does not know hides an ending: in German, "cafe" loses its e and
/// "café" does not. So what had accents is stemmed once more without them.
void WordReader::strip_stem() {
  accented_ = word_;
  strip_accents(word_);
  if (word_ != accented_) stem_word();
}

void WordReader::finish_word(WordPlace place, const Body& body) {
  if (word_.empty()) return;
  if (fold_word() && !std::ranges::binary_search(stop_words_, std::string_view(word_))) {
    stem_word();
    if (fold_) strip_stem();
    if (!word_.empty()) body(word_, place);
  }
  word_.clear();
}

std::vector<std::string> word_stems(std::string_view text, const TextOptions& options) {
  std::vector<std::string> stems;
  const std::string document(text);
  WordReader(settled(options, {&document, 1})).read(text, [&](std::string_view stem) {
    stems.emplace_back(stem);
  });
  return stems;
}

}  // namespace mbn
