// SPDX-License-Identifier: Apache-2.0
#include "report/svg_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace mbn {
namespace {

TEST(SvgText, ShortensByCharactersNotBytes) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab\u2026");
  EXPECT_EQ(shortened("\u00e4\u00f6\u00fc\u00df", 3), "\u00e4\u00f6\u2026");
  EXPECT_EQ(character_count("\u00e4\u20ac\U0001F600"), 3U);
}

TEST(SvgText, BytesThatAreNotTextAreReplaced) {
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_text("\xC0\x80"), replaced + replaced);
  EXPECT_EQ(xml_text("\xED\xA0\x80"), replaced + replaced + replaced);
  EXPECT_EQ(xml_text("\xE2\x82"), replaced + replaced);
  EXPECT_EQ(xml_text("\xEF\xBF\xBF"), replaced + replaced + replaced);
  EXPECT_EQ(xml_text("a\tb\nc"), "a b c");
  EXPECT_EQ(xml_text("\u20ac\U0001F600"), "\u20ac\U0001F600");
}

RC_GTEST_PROP(SvgTextProperty, HasNoMarksAndNoControlCharacters, (const std::string& bytes)) {
  const std::string once = xml_text(bytes);
  RC_ASSERT(once.find_first_of("<>\"'") == std::string::npos);
  for (const char byte : once) RC_ASSERT(static_cast<unsigned char>(byte) >= 0x20);
}

TEST(SvgText, CleanTextIsTheSameButNotEscaped) {
  EXPECT_EQ(clean_text("<a>\t&\x01\xFF"), "<a> &\uFFFD\uFFFD");
}

TEST(SvgText, Numbers) {
  EXPECT_EQ(grouped_number(0), "0");
  EXPECT_EQ(grouped_number(999), "999");
  EXPECT_EQ(grouped_number(1000), "1,000");
  EXPECT_EQ(grouped_number(12345678), "12,345,678");
  const auto coordinate = [](double value) {
    std::string out;
    append_coordinate(out, value);
    return out;
  };
  EXPECT_EQ(coordinate(12.34), "12.3");
  EXPECT_EQ(coordinate(12.96), "13");
  EXPECT_EQ(coordinate(-0.04), "0");
  EXPECT_EQ(coordinate(-0.5), "-0.5");
}

}  // namespace
}  // namespace mbn
