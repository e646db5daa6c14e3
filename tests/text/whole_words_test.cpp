// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/text.hpp>

namespace mbn {
namespace {

TEST(WholeWords, TheMostFrequentWordStandsForItsStem) {
  const std::vector<std::string> texts{"Running games, running", "the game of games", "runs"};
  const Vectorizer vectorizer = Vectorizer::fit(texts);
  ASSERT_EQ(vectorizer.words(), (std::vector<std::string>{"game", "run"}));
  EXPECT_EQ(vectorizer.whole_words(texts), (std::vector<std::string>{"games", "running"}));
}

TEST(WholeWords, AStemThatNoTextHasStaysAStem) {
  const Vectorizer vectorizer = Vectorizer::fit(std::vector<std::string>{"happily running"});
  const std::vector<std::string> others{"runs runs happily"};
  EXPECT_EQ(vectorizer.whole_words(others), (std::vector<std::string>{"happily", "runs"}));
  EXPECT_EQ(vectorizer.whole_words({}), vectorizer.words());
}

TEST(WholeWords, OfTheSameFrequencyTheFirstInTheAlphabet) {
  const std::vector<std::string> texts{"games gaming game"};
  const Vectorizer vectorizer = Vectorizer::fit(texts);
  EXPECT_EQ(vectorizer.whole_words(texts).at(0), "game");
}

}  // namespace
}  // namespace mbn
