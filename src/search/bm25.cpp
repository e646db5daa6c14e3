// SPDX-License-Identifier: Apache-2.0
//
// BM25: the score of a document for a question is the sum over their common words of
//
//   idf q / (q + k3) (k3 + 1)  c (k1 + 1) / (c + k1 (1 - b + b length / mean length))
//
// with c and q how often the word stands in the document and in the question. A second occurrence
// tells less than the first one, and long documents have more words anyway. Only documents with a
// word of the question are looked at. Sums are in double, in the order of the words, so every
// machine gets the same bytes.
#include "search/bm25.hpp"

#include <algorithm>
#include <map>

#include "base/logarithm.hpp"

namespace mbn {

namespace {

constexpr double kSaturation = 1.2;        // k1
constexpr double kLengthShare = 0.75;      // b
constexpr double kQuestionSaturation = 8;  // k3: matters where the question is a whole document

double mean_length(const Lexicon& lexicon) {
  std::uint64_t sum = 0;
  for (const std::uint32_t length : lexicon.lengths) sum += length;
  return std::max(1.0, static_cast<double>(sum) / static_cast<double>(lexicon.size()));
}

}  // namespace

std::vector<QuestionWord> question_words(const Lexicon& lexicon,
                                         std::span<const std::string> stems) {
  std::map<std::uint32_t, std::uint32_t> counts;
  for (const std::string& stem : stems) {
    if (const auto word = lexicon.find(stem)) ++counts[*word];
  }
  std::vector<QuestionWord> words;
  for (const auto& [word, count] : counts) words.push_back({word, count});
  return words;
}

double word_weight(const Lexicon& lexicon, std::uint32_t word) {
  const auto all = static_cast<double>(lexicon.size());
  const auto with = static_cast<double>(lexicon.documents_with(word));
  return natural_log(1 + (all - with + 0.5) / (with + 0.5));
}

void bm25_scores(const Lexicon& lexicon, std::span<const QuestionWord> question,
                 std::span<double> scores) {
  std::ranges::fill(scores, 0.0);
  const double base = kSaturation * (1 - kLengthShare);
  const double per_word = kSaturation * kLengthShare / mean_length(lexicon);
  for (const auto& [word, asked] : question) {
    const double often = asked;
    const double weight = word_weight(lexicon, word) * often * (kQuestionSaturation + 1) /
                          (often + kQuestionSaturation) * (kSaturation + 1);
    for (std::uint64_t i = lexicon.starts[word]; i < lexicon.starts[word + 1]; ++i) {
      const std::uint32_t document = lexicon.documents[i];
      const double count = lexicon.counts[i];
      scores[document] += weight * count / (count + base + per_word * lexicon.lengths[document]);
    }
  }
}

}  // namespace mbn
