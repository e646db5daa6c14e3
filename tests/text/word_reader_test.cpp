// SPDX-License-Identifier: Apache-2.0
#include "text/word_reader.hpp"

#include <gtest/gtest.h>

#include <mbn/error.hpp>

#include "base/utf8.hpp"

namespace mbn {
namespace {

using Words = std::vector<std::string>;

Words plain(std::string_view text) {
  return word_stems(
      text, {.language = Language::none, .stop_words = StopWords::none, .accents = Accents::keep});
}

TEST(WordReader, CutsAtEverythingThatIsNoLetterOrDigit) {
  EXPECT_EQ(plain("Hello, world! x86-64\tC++"), (Words{"hello", "world", "x86", "64", "c"}));
  EXPECT_EQ(plain(""), Words{});
  EXPECT_EQ(plain(" .,;\n"), Words{});
  EXPECT_EQ(plain(std::string_view("a\0b", 3)), (Words{"a", "b"}));
}

TEST(WordReader, SmallLettersOfTheAlphabetsThatHaveThem) {
  EXPECT_EQ(plain("ÀÉÎÕÜÞ ŁÓDŹ ŸŽ ÇĞİŞ"), (Words{"àéîõüþ", "łódź", "ÿž", "çğiş"}));
  EXPECT_EQ(plain("ΑΒΓΏ ЁЖИК ԲԱՌ Ễ ẞ"), (Words{"αβγώ", "ёжик", "բառ", "ễ", "ß"}));
  EXPECT_EQ(plain("straße ſ ı"), (Words{"straße", "ſ", "ı"}));
}

TEST(WordReader, EveryAlphabetOfUnicode) {
  EXPECT_EQ(plain("ᲗᲑᲘᲚᲘᲡᲘ ⲔⲎⲘⲈ ＡＢＣ ꭰᏼ"),
            (Words{"თბილისი", "ⲕⲏⲙⲉ", "ａｂｃ", "ꭰᏼ"}));
  EXPECT_EQ(plain("كتاب، قلم؟"), (Words{"كتاب", "قلم"}));    // Arabic comma and question mark
  EXPECT_EQ(plain("नमस्ते।दुनिया"), (Words{"नमस्ते", "दुनिया"}));  // marks belong to words, the danda not
  EXPECT_EQ(plain("١٢٣ Ⅻ m²"), (Words{"١٢٣", "ⅻ", "m"}));    // digits, and numbers as letters
}

TEST(WordReader, SignsAboveLatinSeparate) {
  EXPECT_EQ(plain("a×b÷c"), (Words{"a", "b", "c"}));
  EXPECT_EQ(plain("don’t — “quoted”… 5€"), (Words{"don", "t", "quoted", "5"}));
  EXPECT_EQ(plain("猫。犬 🐈cat"), (Words{"猫", "犬", "cat"}));
}

TEST(WordReader, BytesThatAreNotUtf8Separate) {
  EXPECT_EQ(plain("a\xff"
                  "b"),
            (Words{"a", "b"}));
  EXPECT_EQ(plain("caf\xe9 noir"), (Words{"caf", "noir"}));   // Latin-1
  EXPECT_EQ(plain("x\xc0\xafy"), (Words{"x", "y"}));          // overlong
  EXPECT_EQ(plain("x\xed\xa0\x80y"), (Words{"x", "y"}));      // surrogate
  EXPECT_EQ(plain("x\xf4\x90\x80\x80y"), (Words{"x", "y"}));  // beyond U+10FFFF
  EXPECT_EQ(plain("cut\xe2\x82"), (Words{"cut"}));            // at the end
  EXPECT_EQ(plain("\x80\x80word\x80"), (Words{"word"}));      // stray continuation
}

TEST(WordReader, LongRunsAreNoWords) {
  const std::string longest(64, 'a');
  EXPECT_EQ(plain(longest + " b"), (Words{longest, "b"}));
  EXPECT_EQ(plain(longest + "a b"), (Words{"b"}));
  EXPECT_EQ(plain(std::string(10'000'000, 'z') + " end"), (Words{"end"}));
  std::string accents;
  for (int i = 0; i < 33; ++i) accents += "é";
  EXPECT_EQ(plain(accents), Words{});  // 66 bytes
}

TEST(WordReader, StemsAndDropsStopWords) {
  EXPECT_EQ(word_stems("The games that we were playing"), (Words{"game", "play"}));
  EXPECT_EQ(word_stems("the games", {.stop_words = StopWords::none}), (Words{"the", "game"}));
  EXPECT_EQ(word_stems("Die Häuser", {.language = Language::german}), (Words{"haus"}));
  EXPECT_EQ(word_stems("Die Häuser und der Hund sind nicht alt"), (Words{"haus", "hund", "alt"}));
  EXPECT_EQ(
      word_stems("the Häuser", {.language = Language::german, .stop_words = StopWords::english}),
      (Words{"haus"}));
}

TEST(WordReader, EveryLanguageOfTheListHasAStemmer) {
  for (std::size_t i = 0; i < enum_names<Language>().size(); ++i) {
    EXPECT_EQ(word_stems("x", {.language = static_cast<Language>(i)}).size(), 1u) << i;
  }
  EXPECT_THROW(word_stems("x", {.language = static_cast<Language>(99)}), InvalidArgument);
}

TEST(Utf8, EveryCharacterComesBack) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    append_character(text, code);
    const Character character = first_character(text + "x");
    ASSERT_EQ(character.code, code);
    ASSERT_EQ(character.bytes, text.size());
    // A small letter is its own small letter.
    ASSERT_EQ(small_letter(small_letter(code)), small_letter(code)) << std::hex << +code;
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      ASSERT_EQ(first_character(text.substr(0, cut)).bytes, 0u);
    }
  }
}

}  // namespace
}  // namespace mbn
