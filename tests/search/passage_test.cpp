// SPDX-License-Identifier: Apache-2.0
#include "search/passage.hpp"

#include <gtest/gtest.h>

namespace mbn {
namespace {

Passage passage_of(std::string_view text, const StemWeights& stems) {
  WordReader reader({.language = Language::english});
  return find_passage(text, stems, reader);
}

std::vector<std::string> marked(const Passage& passage) {
  std::vector<std::string> words;
  for (const Passage::Mark& mark : passage.marks) {
    words.push_back(passage.text.substr(mark.begin, mark.end - mark.begin));
  }
  return words;
}

using Words = std::vector<std::string>;

TEST(Passage, MarksTheWordsInAnyForm) {
  const Passage passage =
      passage_of("Sends\n  e-mails  with ATTACHMENTS.", {{"attach", 1}, {"send", 1}});
  EXPECT_EQ(passage.text, "Sends e-mails with ATTACHMENTS.");
  EXPECT_EQ(marked(passage), (Words{"Sends", "ATTACHMENTS"}));
  EXPECT_FALSE(passage.begins_inside);
  EXPECT_FALSE(passage.ends_inside);
}

TEST(Passage, IsWhereMostOfTheWeightIs) {
  std::string text = "cat ";
  for (int i = 0; i < 100; ++i) text += "filler ";
  text += "a cat and a dog";
  for (int i = 0; i < 100; ++i) text += " filler";
  const Passage passage = passage_of(text, {{"cat", 1}, {"dog", 1}});
  EXPECT_EQ(marked(passage), (Words{"cat", "dog"}));
  EXPECT_TRUE(passage.begins_inside);
  EXPECT_TRUE(passage.ends_inside);
  EXPECT_LE(passage.text.size(), 200U);
  EXPECT_TRUE(passage.text.starts_with("filler"));
  // A word that tells more than both together.
  EXPECT_EQ(marked(passage_of("owl " + text, {{"cat", 1}, {"dog", 1}, {"owl", 3}})),
            (Words{"owl", "cat"}));
}

TEST(Passage, WithoutAWordItIsTheBeginning) {
  EXPECT_EQ(passage_of("Nothing here.", {{"cat", 1}}).text, "Nothing here.");
  EXPECT_EQ(passage_of("", {{"cat", 1}}).text, "");
  std::string accents;
  for (int i = 0; i < 300; ++i) accents += "é";
  const Passage cut = passage_of(accents, {});
  EXPECT_EQ(cut.text.size() % 2, 0U);  // never inside a character
  EXPECT_TRUE(cut.ends_inside);
}

TEST(Passage, TitlesAreOneLine) {
  EXPECT_EQ(title_of("  a\n\tb \n"), "a b");
  EXPECT_EQ(title_of(std::string(500, 'x')).size(), 100U);
}

}  // namespace
}  // namespace mbn
