// SPDX-License-Identifier: Apache-2.0
#include "search/bm25.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/random.hpp"

namespace mbn {
namespace {

const TextOptions kPlain{.language = Language::none, .stop_words = StopWords::none};

using Texts = std::vector<std::string>;

Lexicon lexicon_of(const Texts& texts, unsigned threads = 1) {
  Job job({.threads = threads});
  return make_lexicon(texts, kPlain, job);
}

Texts random_texts(std::size_t count, std::uint32_t stream) {
  Random random(3, Purpose::generate, stream);
  Texts texts(count);
  for (std::string& text : texts) {
    const auto length = static_cast<int>(random.uniform() * 40);
    for (int i = 0; i < length; ++i) {
      const double u = random.uniform();
      text += "w" + std::to_string(static_cast<int>(60 * u * u * u)) + " ";
    }
  }
  return texts;
}

/// BM25 as a textbook has it: from the texts themselves, a document at a time.
double plain_bm25(const Texts& texts, std::size_t document, const std::string& question) {
  std::vector<std::map<std::string, int>> counts(texts.size());
  double words = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const std::string& word : word_stems(texts[i], kPlain)) {
      ++counts[i][word];
      ++words;
    }
  }
  const auto all = static_cast<double>(texts.size());
  double length = 0;
  for (const auto& [word, count] : counts[document]) length += count;
  std::map<std::string, int> asked;
  for (const std::string& word : word_stems(question, kPlain)) ++asked[word];
  double sum = 0;
  for (const auto& [word, often] : asked) {
    double with = 0;
    for (const auto& one : counts) with += one.contains(word) ? 1 : 0;
    const auto found = counts[document].find(word);
    if (found == counts[document].end()) continue;
    const double c = found->second;
    const double norm = 1.2 * (1 - 0.75 + 0.75 * length / (words / all));
    sum += std::log(1 + (all - with + 0.5) / (with + 0.5)) * (often * 9.0 / (often + 8.0)) *
           (c * 2.2 / (c + norm));
  }
  return sum;
}

TEST(Bm25, IsTheTextbooks) {
  const Texts texts = random_texts(80, 1);
  const Lexicon lexicon = lexicon_of(texts);
  std::vector<double> scores(texts.size());
  for (const std::string& question : random_texts(12, 2)) {
    bm25_scores(lexicon, question_words(lexicon, word_stems(question, kPlain)), scores);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_NEAR(scores[i], plain_bm25(texts, i, question), 1e-9) << i << ": " << question;
    }
  }
}

TEST(Bm25, RareWordsTellMore) {
  const Lexicon lexicon = lexicon_of({"a b", "a c", "a d", "a d"});
  EXPECT_GT(word_weight(lexicon, *lexicon.find("b")), word_weight(lexicon, *lexicon.find("d")));
  EXPECT_GT(word_weight(lexicon, *lexicon.find("a")), 0);  // a word of all documents too
  EXPECT_TRUE(question_words(lexicon, Texts{"x", "y"}).empty());
  EXPECT_EQ(question_words(lexicon, Texts{"d", "x", "a", "d"}),
            (std::vector<QuestionWord>{{0, 1}, {3, 2}}));
}

TEST(Lexicon, IsTheSameOnAnyNumberOfThreads) {
  const Texts texts = random_texts(2000, 4);
  const Lexicon one = lexicon_of(texts);
  EXPECT_EQ(one, lexicon_of(texts, 3));
  EXPECT_NO_THROW(check_lexicon(one));
  std::uint64_t words = 0;
  for (const std::string& text : texts) words += word_stems(text, kPlain).size();
  std::uint64_t counted = 0;
  for (const std::uint8_t count : one.counts) counted += count;
  EXPECT_EQ(counted, words);
}

TEST(Lexicon, AddedAndRemovedDocumentsAreAsIfTheyHadBeenThereOrNot) {
  const Texts texts = random_texts(50, 5);
  const Texts more = {"w1 new words", "", "w59 w1"};
  Texts all = texts;
  all.insert(all.end(), more.begin(), more.end());
  const Lexicon both = joined(lexicon_of(texts), lexicon_of(more));
  EXPECT_EQ(both, lexicon_of(all));
  EXPECT_EQ(joined(lexicon_of(more), Lexicon{}), lexicon_of(more));
  std::vector<bool> keep(all.size(), true);
  Texts rest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    keep[i] = i % 3 != 1;
    if (keep[i]) rest.push_back(all[i]);
  }
  EXPECT_EQ(selected(both, keep), lexicon_of(rest));
}

TEST(Lexicon, CountsStopAtTheMost) {
  std::string many;
  for (int i = 0; i < 300; ++i) many += "again ";
  const Lexicon lexicon = lexicon_of({many});
  EXPECT_EQ(lexicon.counts[0], Lexicon::kMostCount);
  EXPECT_EQ(lexicon.lengths[0], 300U);
  EXPECT_TRUE(lexicon.has(0, 0));
  EXPECT_FALSE(lexicon.has(0, 1));
}

}  // namespace
}  // namespace mbn
