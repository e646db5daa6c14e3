// SPDX-License-Identifier: Apache-2.0
//
// Columns of text that somebody asked for: their words become numbers.
#include "input/text_coding.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::read_bytes;

const std::string kHeader = "age,comment\n";
const std::string kRows =
    "31,late delivery of the parcel\n"
    "45,delivery came late again\n"
    "22,the soup was cold\n"
    "58,cold soup and cold bread\n"
    "39,parcel came late\n"
    "41,bread and soup were fine\n";

ReadOptions as_text() {
  return {.types = {"comment=text"}};
}

double product(MatrixView rows, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t j = 1; j < rows.columns(); ++j) sum += double{rows.at(a, j)} * rows.at(b, j);
  return sum;
}

TEST(TextCoding, ATextBecomesABlockOfColumns) {
  const Table table = read_bytes(kHeader + kRows, as_text());
  ASSERT_EQ(table.coding.size(), 2U);
  ASSERT_TRUE(table.coding[1].text);
  const TextCoding& text = *table.coding[1].text;
  EXPECT_EQ(text.texts, 6U);
  EXPECT_EQ(text.words, (std::vector<std::string>{"bread", "came", "cold", "delivery", "late",
                                                  "parcel", "soup"}))
      << "in two texts at least, and no function words";
  EXPECT_EQ(table.rows.columns(), 1 + text.columns);
  EXPECT_LE(text.columns, kTextColumns);
  EXPECT_EQ(blocks_of(table.coding),
            (std::vector<ColumnBlock>{{1, text.columns, blocks_of(table.coding)[0].weight}}));
  EXPECT_TRUE(is_mixed(table.coding));
  const MatrixView rows = table.rows.dense();
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(product(rows, i, i), 1, 1e-5);
  EXPECT_GT(product(rows, 0, 4), 0.5) << "both complain about the post";
  EXPECT_NEAR(product(rows, 0, 2), 0, 1e-5) << "no word in common, not even through others";
}

TEST(TextCoding, NamesOfColumnsAreWords) {
  const Table table = read_bytes(kHeader + kRows, as_text());
  ASSERT_EQ(table.columns.size(), table.rows.columns());
  EXPECT_EQ(table.columns[0], "age");
  std::string all;
  for (std::size_t j = 1; j < table.columns.size(); ++j) {
    EXPECT_EQ(table.columns[j].substr(0, 9), "comment: ") << table.columns[j];
    all += table.columns[j] + "\n";
  }
  EXPECT_NE(all.find("late"), std::string::npos) << all;
  EXPECT_NE(all.find("comment: cold soup bread\n"), std::string::npos) << all;
}

TEST(TextCoding, ItIsLeftOutUnlessAskedFor) {
  const Table table = read_bytes(kHeader + kRows);
  EXPECT_EQ(table.coding[1].kind, ColumnKind::text);
  EXPECT_TRUE(table.coding[1].is_left_out());
  EXPECT_EQ(table.rows.columns(), 1U);
  EXPECT_EQ(read_bytes(kHeader + kRows, {.types = {"comment=drop"}}).rows.columns(), 1U);
}

TEST(TextCoding, ARowIsARow) {
  const Table all = read_bytes(kHeader + kRows, as_text());
  std::size_t row = 0;
  for (std::size_t at = 0; at < kRows.size(); ++row) {
    const std::size_t end = kRows.find('\n', at);
    const Table one = read_bytes(kHeader + kRows.substr(at, end + 1 - at), {.coding = all.coding});
    ASSERT_EQ(one.rows.columns(), all.rows.columns());
    for (std::size_t j = 0; j < one.rows.columns(); ++j) {
      EXPECT_EQ(one.rows.dense().at(0, j), all.rows.dense().at(row, j));
    }
    at = end + 1;
  }
  EXPECT_EQ(row, 6U);
}

TEST(TextCoding, MissingAndUnknownTextsAreZeros) {
  const Table all = read_bytes(kHeader + kRows, as_text());
  const Table others = read_bytes(kHeader + "1,\n2,NA\n3,words that nobody knows\n4,LATE!\n",
                                  {.coding = all.coding});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(product(others.rows.dense(), i, i), 0) << i;
  EXPECT_NEAR(product(others.rows.dense(), 3, 3), 1, 1e-5);
  const Table with_gap = read_bytes(kHeader + kRows + "7,\n", as_text());
  EXPECT_EQ(product(with_gap.rows.dense(), 6, 6), 0) << "not refused";
  EXPECT_EQ(profile_columns(with_gap)[1].missing, 1U);
  EXPECT_EQ(profile_columns(with_gap)[1].levels, 7U);
}

TEST(TextCoding, TextsOfDroppedRowsAreNotMixedUp) {
  const Table table =
      read_bytes(kHeader + "1,late parcel\n,late soup\n2,cold soup\n3,late parcel\n4,cold soup\n",
                 {.missing = Missing::drop, .types = {"comment=text"}});
  ASSERT_EQ(table.rows.rows(), 4U);
  EXPECT_EQ(table.coding[1].text->texts, 4U);
  EXPECT_NEAR(product(table.rows.dense(), 0, 2), 1, 1e-5);
  EXPECT_NEAR(product(table.rows.dense(), 1, 3), 1, 1e-5);
  EXPECT_NEAR(product(table.rows.dense(), 0, 1), 0, 1e-5);
}

TEST(TextCoding, RefusesTextsWithoutACommonWord) {
  expect_error<FormatError>(
      [] { read_bytes("n,x\n1,one\n2,two\n3,three\n", {.types = {"x=text"}}); },
      {"no two texts of x have a word in common", "types = x=drop"});
}

TEST(TextCoding, NumbersCanBeTexts) {
  const Table table = read_bytes("n,x\n1,7\n2,8\n3,7\n4,8\n", {.types = {"x=text"}});
  EXPECT_EQ(table.coding[1].text->words, (std::vector<std::string>{"7", "8"}));
  FrameColumn numbers{.name = "x", .numbers = {7, 8, 7, NAN}};
  FrameColumn other{.name = "n", .numbers = {1, 2, 3, 4}};
  const Table frame = code_frame({other, numbers}, {.types = {"x=text"}}, "frame");
  EXPECT_EQ(frame.coding[1].text->words, (std::vector<std::string>{"7"}));
  EXPECT_EQ(frame.rows.dense().at(3, 1), 0);
}

TEST(TextCoding, AFrameIsCodedLikeAFile) {
  const Table file = read_bytes(kHeader + kRows, as_text());
  FrameColumn age{.name = "age", .numbers = {31, 45, 22, 58, 39, 41}};
  FrameColumn comment{
      .name = "comment",
      .texts = {"late delivery of the parcel", "delivery came late again", "the soup was cold",
                "cold soup and cold bread", "parcel came late", "bread and soup were fine"}};
  const Table frame = code_frame({age, comment}, as_text(), "frame");
  EXPECT_EQ(frame.coding, file.coding);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < file.rows.columns(); ++j) {
      EXPECT_EQ(frame.rows.dense().at(i, j), file.rows.dense().at(i, j));
    }
  }
}

}  // namespace
}  // namespace mbn
