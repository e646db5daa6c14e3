// SPDX-License-Identifier: Apache-2.0
#include "text/language.hpp"

#include <gtest/gtest.h>

#include "text/fold.hpp"
#include "text/stop_words.hpp"

namespace mbn {
namespace {

using Words = std::vector<std::string>;

Language guess(const std::string& text) {
  return guess_language({&text, 1});
}

TEST(Language, IsGuessedFromFunctionWords) {
  EXPECT_EQ(guess("The cat sat on the mat and looked at the dog."), Language::english);
  EXPECT_EQ(guess("Der Hund und die Katze sind nicht im Haus, aber in dem Garten."),
            Language::german);
  EXPECT_EQ(guess("Le chat est dans la maison et il ne veut pas sortir avec les chiens."),
            Language::french);
  EXPECT_EQ(guess("El perro y los gatos están en la casa, pero no en el jardín."),
            Language::spanish);
  EXPECT_EQ(guess("Il cane e i gatti sono nella casa, ma non nel giardino."), Language::italian);
  EXPECT_EQ(guess("O cão e os gatos não estão na casa, mas também no jardim."),
            Language::portuguese);
  EXPECT_EQ(guess("De hond en de katten zijn niet in het huis, maar in de tuin."), Language::dutch);
  EXPECT_EQ(guess("Hunden och katten är inte i huset, men de var där i går."), Language::swedish);
  EXPECT_EQ(guess("Кошка и собака не в доме, но они были там."), Language::russian);
  EXPECT_EQ(guess("Η γάτα είναι στο σπίτι"), Language::greek);
  EXPECT_EQ(guess("猫 在 家"), Language::none);
}

TEST(Language, IsEnglishWhenNothingTells) {
  EXPECT_EQ(guess(""), Language::english);
  EXPECT_EQ(guess("kernel driver module x86"), Language::english);
  EXPECT_EQ(guess("die"), Language::english);  // one word of a list is not enough
  EXPECT_EQ(guess_language({}), Language::english);
}

TEST(Language, EveryListIsFoldedAndHasNoDoubles) {
  for (const Language language : languages_with_stop_words()) {
    const auto words = stop_words(language);
    EXPECT_GE(words.size(), 60U) << name_of(language);
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string folded(words[i]);
      fold_case(folded);
      EXPECT_TRUE(folded == words[i] || words[i] == "daß" || words[i] == "muß") << words[i];
      if (i > 0) {
        EXPECT_LT(words[i - 1], words[i]);
      }
    }
  }
  EXPECT_EQ(stop_words(Language::english).size(), 191U);
  EXPECT_EQ(stop_words(Language::porter), stop_words(Language::english));
  EXPECT_TRUE(stop_words(Language::tamil).empty());
}

TEST(Fold, CaseAndAccentsByUnicode) {
  const auto folded = [](std::string word) {
    fold_case(word);
    strip_accents(word);
    return word;
  };
  EXPECT_EQ(folded("CAFÉ"), "cafe");
  EXPECT_EQ(folded("cafe\u0301"), "cafe");  // an accent behind its letter
  EXPECT_EQ(folded("STRASSE"), folded("straße"));
  EXPECT_EQ(folded("ŁÓDŹ"), "łodz");   // the stroke of ł is part of the letter
  EXPECT_EQ(folded("ﬁsh"), "fish");    // a ligature
  EXPECT_EQ(folded("ＡＢＣ"), "abc");  // full width
  EXPECT_EQ(folded("Ελλάδα"), "ελλαδα");
  EXPECT_EQ(folded("नमस्ते"), "नमस्ते");  // vowels of Hindi are no accents
  EXPECT_EQ(folded("한국"), "한국");
}

TEST(Fold, WordsOfATextAreFolded) {
  EXPECT_EQ(word_stems("Résumés of the Café"), (Words{"resum", "cafe"}));
  EXPECT_EQ(word_stems("resumes cafe"), (Words{"resum", "cafe"}));
  const TextOptions french{.language = Language::french};
  EXPECT_EQ(word_stems("les sociétés", french), word_stems("LES SOCIÉTÉS", french));
  const TextOptions german{.language = Language::german};
  EXPECT_EQ(word_stems("Café Müller", german), word_stems("cafe muller", german));
  const TextOptions keep{.language = Language::none, .accents = Accents::keep};
  EXPECT_EQ(word_stems("CAFÉ", keep), (Words{"café"}));
}

}  // namespace
}  // namespace mbn
