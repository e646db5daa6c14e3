// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <mbn/text_options.hpp>

struct sb_stemmer;

namespace mbn {

/// Longer runs of letters are not words.
inline constexpr std::size_t kLongestWordBytes = 64;

/// Whether a character may be part of a word: a letter, a mark on one, a digit or a number written
/// as a letter (Unicode's classes L, M, Nd and Nl). And its small form.
bool is_word_character(char32_t code);
char32_t small_letter(char32_t code);

/// Whether a small word is in the English list (src/text/stop_words.cpp).
bool is_english_stop_word(std::string_view word);

/// Cuts texts into stems. Keeps work space: one per thread.
class WordReader {
 public:
  explicit WordReader(const TextOptions& options);

  /// Calls `body` with each stem in order; it is valid during the call only.
  void read(std::string_view text, const std::function<void(std::string_view)>& body);

 private:
  void finish_word(const std::function<void(std::string_view)>& body);

  struct Free {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Free> stemmer_;
  bool drop_stop_words_;
  std::string word_;
};

}  // namespace mbn
