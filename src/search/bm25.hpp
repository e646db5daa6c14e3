// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/lexicon.hpp"

namespace mbn {

/// A word of a question that the collection has, and how often the question has it.
struct QuestionWord {
  std::uint32_t word = 0;
  std::uint32_t count = 0;

  bool operator==(const QuestionWord&) const = default;
};

/// The words of a text that the collection has, ascending.
std::vector<QuestionWord> question_words(const Lexicon& lexicon,
                                         std::span<const std::string> stems);

/// How much a word tells: ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N documents that have it.
double word_weight(const Lexicon& lexicon, std::uint32_t word);

/// BM25 of every document for a question; 0 where none of its words stands. `scores` has one number
/// per document and is overwritten.
void bm25_scores(const Lexicon& lexicon, std::span<const QuestionWord> question,
                 std::span<double> scores);

}  // namespace mbn
