// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/text_options.hpp>

struct sb_stemmer;

namespace mbn {

/// Longer runs of letters are not words.
inline constexpr std::size_t kLongestWordBytes = 64;

/// Whether a character may be part of a word: a letter, a mark on one, a digit or a number written
/// as a letter (Unicode's classes L, M, Nd and Nl). And its small form.
bool is_word_character(char32_t code);
char32_t small_letter(char32_t code);

/// Where a word stands in a text: its first byte, and the one after its last.
struct WordPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Cuts texts into stems. Keeps work space: one per thread. A language that is still `automatic` is
/// taken as English: a collection settles it (text/language.hpp).
class WordReader {
 public:
  using Body = std::function<void(std::string_view stem, WordPlace place)>;

  explicit WordReader(const TextOptions& options);

  /// Calls `body` with each stem in order; it is valid during the call only.
  void read(std::string_view text, const std::function<void(std::string_view)>& body);
  /// The same with the places of the words.
  void read_places(std::string_view text, const Body& body);

 private:
  void finish_word(WordPlace place, const Body& body);
  bool fold_word();
  void stem_word();
  void strip_stem();

  struct Free {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Free> stemmer_;
  bool fold_;
  bool strip_first_;
  std::vector<std::string_view> stop_words_;
  std::string word_;
  std::string accented_;
};

}  // namespace mbn
