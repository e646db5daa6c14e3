// SPDX-License-Identifier: Apache-2.0
#include "search/rank.hpp"

#include <gtest/gtest.h>

#include "search/cosine.hpp"

namespace mbn {
namespace {

using Rows = std::vector<std::uint32_t>;

/// Four documents; the place of each in the plane, and its words.
struct Small {
  Small() : embedding(4, 2) {
    const float places[4][2] = {{1, 0}, {0.8F, 0.6F}, {0, 1}, {0, 0}};
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t c = 0; c < 2; ++c) embedding.mutable_row<float>(i)[c] = places[i][c];
    }
    Job job({.threads = 1});
    const std::vector<std::string> texts = {"sun", "sun moon", "rare moon", "moon"};
    lexicon = make_lexicon(texts, {}, job);
  }

  Question ask(const std::vector<std::string>& words, std::vector<float> direction) const {
    return {question_words(lexicon, words), std::move(direction), std::nullopt};
  }
  Rows rows(const Collection& collection, const Question& question, unsigned threads = 1) const {
    Job job({.threads = threads});
    Rows found;
    const auto lists = rank(collection, {question}, 4, job);
    for (const Hit& hit : lists.at(0)) found.push_back(hit.row);
    return found;
  }

  Matrix embedding;
  Lexicon lexicon;
};

TEST(Rank, ByWordsByPlaceAndByBoth) {
  const Small small;
  const Collection words{&small.lexicon, {}};
  const Collection place{nullptr, small.embedding};
  const Collection both{&small.lexicon, small.embedding};
  EXPECT_EQ(small.rows(words, small.ask({"rare"}, {})), (Rows{2}));
  EXPECT_EQ(small.rows(place, small.ask({}, {1, 0})), (Rows{0, 1, 2, 3}));
  // Document 3 has no such word and no place: it is no answer.
  EXPECT_EQ(small.rows(both, small.ask({"rare"}, {1, 0})), (Rows{2, 0, 1}));
  EXPECT_EQ(small.rows(both, small.ask({"rare"}, {})), (Rows{2}));  // no direction: words decide
  EXPECT_EQ(small.rows(both, small.ask({}, {1, 0})), (Rows{0, 1}));
  EXPECT_TRUE(small.rows(both, small.ask({"unknown"}, {})).empty());
  for (const Collection& one : {words, place, both}) {
    const Question question = small.ask({"moon"}, {0.6F, 0.8F});
    EXPECT_EQ(small.rows(one, question), small.rows(one, question, 3));
  }
}

TEST(Rank, AFusedScoreIsAtMostOneAndTheDocumentItselfIsNoAnswer) {
  const Small small;
  Job job({.threads = 1});
  Question question = small.ask({"sun"}, {1, 0});
  const Collection both{&small.lexicon, small.embedding};
  EXPECT_FLOAT_EQ(rank(both, {question}, 1, job)[0][0].score, 1);
  question.self = 0;
  EXPECT_EQ(small.rows(both, question), (Rows{1}));
}

TEST(Rank, ManyQuestionsAnswerAsEachDoesAlone) {
  const Small small;
  Job job({.threads = 2});
  const Collection both{&small.lexicon, small.embedding};
  std::vector<Question> questions;
  for (int i = 0; i < 9; ++i) {
    questions.push_back(small.ask({i % 2 == 0 ? "moon" : "sun"}, {i < 5 ? 1.0F : 0.0F, 0}));
  }
  const auto all = rank(both, questions, 3, job);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    EXPECT_EQ(rank(both, {questions[i]}, 3, job)[0], all[i]) << i;
  }
}

}  // namespace
}  // namespace mbn
