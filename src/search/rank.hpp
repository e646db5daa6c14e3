// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <mbn/hit.hpp>
#include <mbn/matrix.hpp>

#include "base/job.hpp"
#include "search/bm25.hpp"
#include "search/lexicon.hpp"

namespace mbn {

/// What each method knows of a question.
struct Question {
  std::vector<QuestionWord> words;    ///< for bm25; ascending
  std::vector<float> direction;       ///< of norm 1, in the embedding; empty when it has none
  std::optional<std::uint32_t> self;  ///< a document that is no answer: the question is about it

  bool empty() const { return words.empty() && direction.empty(); }
};

/// What is asked: all words, or the embedding, or both.
struct Collection {
  const Lexicon* lexicon = nullptr;
  MatrixView embedding;
};

/// The `top` best documents for each question, best first, ties by row number: by BM25 when the
/// collection has no embedding, by the cosine when it has no lexicon, else by both. A document that
/// shares no word with the question is no answer of BM25; an empty question has none at all. A
/// question's answer does not depend on the others nor on the number of threads.
std::vector<std::vector<Hit>> rank(const Collection& collection,
                                   const std::vector<Question>& questions, std::size_t top,
                                   Job& job);

}  // namespace mbn
