// SPDX-License-Identifier: Apache-2.0
//
// A third to a half of the words of any running text are function words, and languages share few of
// them. So the language is the one whose list (text/stop_words.cpp) has the most words of a sample.
// Lists overlap ("in", "die", "de"): another language must have clearly more than English, and
// three different words of its list must have been seen. An alphabet that one language of the list
// is written in decides by itself.
#include "text/language.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/utf8.hpp"
#include "text/stop_words.hpp"
#include "text/word_reader.hpp"

namespace mbn {

namespace {

constexpr std::size_t kDocuments = 1000;
constexpr std::size_t kBytes = 2000;
constexpr std::size_t kLeastDifferent = 3;
constexpr double kClearlyMore = 1.3;

struct Script {
  char32_t first;
  char32_t last;
  Language language;
};

// Latin and Cyrillic letters tell nothing; Hebrew letters are those of Hebrew, which has no
// stemmer, more often than of Yiddish.
constexpr std::array kScripts = {
    Script{0x0370, 0x03FF, Language::greek},    Script{0x1F00, 0x1FFF, Language::greek},
    Script{0x0530, 0x058F, Language::armenian}, Script{0x0590, 0x05FF, Language::none},
    Script{0x0600, 0x06FF, Language::arabic},   Script{0x0900, 0x097F, Language::hindi},
    Script{0x0B80, 0x0BFF, Language::tamil},    Script{0x0E00, 0x0E7F, Language::none},
    Script{0x3040, 0x30FF, Language::none},     Script{0x4E00, 0x9FFF, Language::none},
    Script{0xAC00, 0xD7AF, Language::none}};

class Votes {
 public:
  Votes() {
    for (const Language language : languages_with_stop_words()) {
      lists_.push_back({language, stop_words(language), 0, {}});
    }
  }

  void add(std::string_view word) {
    ++words_;
    const char32_t code = first_character(word).code;
    for (std::size_t i = 0; i < kScripts.size(); ++i) {
      if (code >= kScripts[i].first && code <= kScripts[i].last) ++scripts_[i];
    }
    for (List& list : lists_) {
      const auto found = std::ranges::lower_bound(list.words, word);
      if (found == list.words.end() || *found != word) continue;
      ++list.seen;
      list.different.insert(*found);
    }
  }

  Language winner() const {
    const auto script = std::ranges::max_element(scripts_);
    if (2 * *script > words_) {
      return kScripts[static_cast<std::size_t>(script - scripts_.begin())].language;
    }
    const List& english = lists_.front();
    const List* best = &english;
    for (const List& list : lists_) {
      if (list.different.size() >= kLeastDifferent && list.seen > best->seen) best = &list;
    }
    const bool clear =
        static_cast<double>(best->seen) > kClearlyMore * static_cast<double>(english.seen);
    return clear ? best->language : Language::english;
  }

 private:
  struct List {
    Language language;
    std::vector<std::string_view> words;
    std::size_t seen;
    std::set<std::string_view> different;
  };

  std::vector<List> lists_;
  std::array<std::size_t, kScripts.size()> scripts_{};
  std::size_t words_ = 0;
};

}  // namespace

Language guess_language(std::span<const std::string> documents) {
  Votes votes;
  WordReader words(
      {.language = Language::none, .stop_words = StopWords::none, .accents = Accents::keep});
  const std::size_t step = std::max<std::size_t>(1, documents.size() / kDocuments);
  for (std::size_t i = 0; i < documents.size(); i += step) {
    const std::string_view text = std::string_view(documents[i]).substr(0, kBytes);
    words.read(text, [&](std::string_view word) { votes.add(word); });
  }
  return votes.winner();
}

TextOptions settled(TextOptions options, std::span<const std::string> documents) {
  if (options.language == Language::automatic) options.language = guess_language(documents);
  return options;
}

}  // namespace mbn
