// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "text/vectorizer.hpp"
#include "text/word_reader.hpp"

namespace mbn {

std::vector<std::string> whole_words(const VectorizerData& vectorizer,
                                     std::span<const std::string> documents) {
  TextOptions as_written = vectorizer.options;
  as_written.language = Language::none;
  as_written.stop_words = StopWords::none;
  as_written.accents = Accents::keep;
  WordReader words(as_written);
  std::map<std::string, std::uint64_t, std::less<>> counts;
  for (const std::string& text : documents) {
    words.read(text, [&](std::string_view word) {
      const auto found = counts.find(word);
      if (found != counts.end()) {
        ++found->second;
      } else {
        counts.emplace(word, 1);
      }
    });
  }
  std::vector<std::string> whole = vectorizer.words;
  std::vector<std::uint64_t> most(whole.size());
  WordReader stems(vectorizer.options);
  for (const auto& counted : counts) {  // Clang 14 cannot capture the names of a binding
    stems.read(counted.first, [&](std::string_view stem) {
      const auto found = vectorizer.columns.find(stem);
      if (found == vectorizer.columns.end() || counted.second <= most[found->second]) return;
      most[found->second] = counted.second;
      whole[found->second] = counted.first;
    });
  }
  return whole;
}

}  // namespace mbn
