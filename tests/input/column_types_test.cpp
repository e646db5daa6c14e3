// SPDX-License-Identifier: Apache-2.0
//
// What columns of a text table hold, and the numbers that they become.
#include <gtest/gtest.h>

#include <cmath>

#include <mbn/error.hpp>
#include <mbn/input.hpp>
#include <mbn/part.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::read_bytes;

using Names = std::vector<std::string>;

const char* const kMixed =
    "colour,age,member,since,comment\n"
    "red,31,yes,2024-01-05,fine so far\n"
    "blue,45,no,2024-02-01,\n"
    "red,22,yes,2023-12-31,never again\n"
    "green,58,no,2024-01-01,\"well, yes\"\n"
    "blue,39,yes,2024-03-01,ok\n"
    "red,41,yes,2024-01-20,a second time\n";

std::vector<ColumnKind> kinds_of(const Table& table) {
  std::vector<ColumnKind> kinds;
  for (const ColumnCoding& column : table.coding) kinds.push_back(column.kind);
  return kinds;
}

ColumnKind kind_of(std::string_view cells, const ReadOptions& options = {}) {
  // A column of numbers beside it, so that something is left.
  std::string text = "n,x\n";
  int number = 0;
  for (std::size_t at = 0; at < cells.size();) {
    const std::size_t end = std::min(cells.find(' ', at), cells.size());
    text += std::to_string(++number) + ",";
    text.append(cells.substr(at, end - at));
    text += "\n";
    at = end + 1;
  }
  const Table table = read_bytes(text, options);
  return table.coding.empty() ? ColumnKind::number : table.coding[1].kind;
}

std::vector<float> row_of(const Table& table, std::size_t row) {
  std::vector<float> cells;
  for (std::size_t j = 0; j < table.rows.columns(); ++j) {
    cells.push_back(table.rows.dense().at(row, j));
  }
  return cells;
}

TEST(ColumnTypes, AreToldFromTheCells) {
  const Table table = read_bytes(kMixed);
  EXPECT_EQ(kinds_of(table),
            (std::vector<ColumnKind>{ColumnKind::category, ColumnKind::number, ColumnKind::boolean,
                                     ColumnKind::date, ColumnKind::text}));
  EXPECT_EQ(table.coding[0].levels, (Names{"blue", "green", "red"})) << "ascending";
  EXPECT_EQ(table.columns,
            (Names{"colour = blue", "colour = green", "colour = red", "age", "member", "since"}));
  EXPECT_EQ(row_of(table, 0), (std::vector<float>{0, 0, 1, 31, 1, 19727}));
  EXPECT_EQ(row_of(table, 3), (std::vector<float>{0, 1, 0, 58, 0, 19723}));
  ASSERT_EQ(table.notes.size(), 1U);
  const std::string note = table.notes[0].message.text();
  for (const char* part : {"categories colour (3)", "booleans member", "dates since",
                           "left out as text: comment", "types"}) {
    EXPECT_NE(note.find(part), std::string::npos) << note;
  }
}

TEST(ColumnTypes, TablesOfNumbersHaveNoCoding) {
  const Table table = read_bytes("a,b\n1,2\n3,4\n");
  EXPECT_TRUE(table.coding.empty());
  EXPECT_TRUE(table.notes.empty());
  EXPECT_EQ(table.columns, (Names{"a", "b"}));
}

TEST(ColumnTypes, BooleansAreOneOfFourPairs) {
  EXPECT_EQ(kind_of("true FALSE True"), ColumnKind::boolean);
  EXPECT_EQ(kind_of("y n Y N"), ColumnKind::boolean);
  EXPECT_EQ(kind_of("t f t"), ColumnKind::boolean);
  EXPECT_EQ(kind_of("yes n yes n"), ColumnKind::category) << "of two pairs";
  EXPECT_EQ(kind_of("yes no maybe yes no no"), ColumnKind::category);
  EXPECT_EQ(kind_of("0 1 1"), ColumnKind::number);
}

TEST(ColumnTypes, WordsAreCategoriesOrText) {
  EXPECT_EQ(kind_of("a b a b c"), ColumnKind::category);
  EXPECT_EQ(kind_of("a b c d"), ColumnKind::text) << "all are different";
  EXPECT_EQ(kind_of("a a 1 2"), ColumnKind::category);
  std::string many;
  for (int i = 0; i < 400; ++i) many += "w" + std::to_string(i % 120) + " ";
  EXPECT_EQ(kind_of(many), ColumnKind::text);
  EXPECT_EQ(kind_of(many, {.types = {"x=category"}}), ColumnKind::category);
}

TEST(ColumnTypes, AWordAmongNumbersIsReported) {
  expect_error<FormatError>([] { kind_of("1 2 3 oops 4"); },
                            {":5:", "'oops'", "drop = x", "types = x=category"});
  EXPECT_EQ(kind_of("1 2 2 oops 1", {.types = {"x=category"}}), ColumnKind::category);
  EXPECT_EQ(kind_of("1 2 2 oops 1", {.types = {"x=drop"}}), ColumnKind::drop);
}

TEST(ColumnTypes, NumbersWithCommasAreLeftToTheOption) {
  expect_error<FormatError>([] { read_bytes("a;b\n1,5;2\n2,5;3\n"); }, {"decimal = comma"});
}

TEST(ColumnTypes, DatesThatCanBeReadInTwoWaysAreRefused) {
  expect_error<FormatError>([] { kind_of("03/04/2024 05/06/2024"); },
                            {":2:", "03/04/2024", "types = x=dmy", "types = x=mdy"});
  expect_error<FormatError>([] { kind_of("03/04/2024 05/06/2024", {.types = {"x=date"}}); },
                            {"types = x=dmy"});
  EXPECT_EQ(kind_of("03/04/2024 05/06/2024", {.types = {"x=mdy"}}), ColumnKind::mdy);
  EXPECT_EQ(kind_of("03/04/2024 25/06/2024"), ColumnKind::dmy) << "one tells";
  EXPECT_EQ(kind_of("03/04/2024 05/26/2024"), ColumnKind::mdy);
  EXPECT_EQ(kind_of("01.04.2024 05.06.2024"), ColumnKind::date);
  expect_error<FormatError>([] { kind_of("25/04/2024 05/26/2024", {.types = {"x=dmy"}}); },
                            {"'05/26/2024'", "day first"});
}

TEST(ColumnTypes, AreHeldForTheWholeFile) {
  std::string booleans = "n,x\n";
  std::string levels = booleans;
  for (int i = 0; i < 12'000; ++i) {
    const bool late = i > 11'000;
    booleans += std::to_string(i) + (late ? ",perhaps\n" : i % 2 == 0 ? ",yes\n" : ",no\n");
    levels += std::to_string(i) + (late ? ",late\n" : i % 2 == 0 ? ",a\n" : ",b\n");
  }
  expect_error<FormatError>(
      [&] { read_bytes(booleans); },
      {":11003:", "'x' (2)", "'perhaps' is neither true nor false", "types = x=category"});
  EXPECT_EQ(read_bytes(levels).coding[1].levels, (Names{"a", "b", "late"}))
      << "a new level contradicts nothing";
}

TEST(ColumnTypes, TooManyLevelsAreRefused) {
  std::string text = "n,x\n";
  for (int i = 0; i < 1500; ++i) text += std::to_string(i) + ",w" + std::to_string(i) + "\n";
  EXPECT_EQ(kinds_of(read_bytes(text))[1], ColumnKind::text);
  expect_error<FormatError>([&] { read_bytes(text, {.types = {"x=category"}}); },
                            {":1002:", "level too many", "drop = x"});
}

TEST(ColumnTypes, LogsAreOfOnePlusX) {
  const Table table = read_bytes("a,b\n0,1\n9,2\n99,3\n", {.types = {"a=log"}});
  EXPECT_EQ(table.columns, (Names{"ln(1+a)", "b"}));
  EXPECT_NEAR(table.rows.dense().at(1, 0), std::log(10), 1e-6);
  expect_error<FormatError>([] { read_bytes("a,b\n0,1\n-9,2\n", {.types = {"a=log"}}); },
                            {":3:", "'-9' has no logarithm"});
}

TEST(ColumnTypes, AreChosenLikeColumns) {
  const Table table = read_bytes(
      kMixed, {.missing = Missing::mean, .types = {"1-5=drop", "a*=number", "-1=category"}});
  EXPECT_EQ(kinds_of(table),
            (std::vector<ColumnKind>{ColumnKind::drop, ColumnKind::number, ColumnKind::drop,
                                     ColumnKind::drop, ColumnKind::category}));
  expect_error<InvalidArgument>([] { read_bytes(kMixed, {.types = {"age"}}); }, {"age=number"});
  expect_error<InvalidArgument>([] { read_bytes(kMixed, {.types = {"age=float"}}); },
                                {"'float' is not a kind", "boolean"});
  expect_error<InvalidArgument>([] { read_bytes(kMixed, {.types = {"size=log"}}); },
                                {"types = size"});
}

TEST(ColumnTypes, TextsAloneAreNotEnough) {
  expect_error<FormatError>([] { read_bytes("a,b\nx,y\nz,w\n"); }, {"types = a=text"});
}

TEST(ColumnTypes, MissingCellsOfACategoryAreNoLevel) {
  const char* const text = "colour,n\nred,1\n,2\nblue,3\nred,NA\nblue,5\n";
  const Table table = read_bytes(text, {.missing = Missing::mean});
  EXPECT_EQ(row_of(table, 1), (std::vector<float>{0, 0, 2}));
  EXPECT_EQ(row_of(table, 3), (std::vector<float>{0, 1, 2.75}));
  const Table whole = read_bytes(text, {.missing = Missing::drop});
  EXPECT_EQ(whole.kept, (std::vector<std::uint32_t>{0, 2, 4}));
  EXPECT_EQ(whole.rows.rows(), 3U);
  expect_error<FormatError>([&] { read_bytes(text); },
                            {"2 columns have missing values", "'colour' (1)", "'n' (2)"});
}

TEST(ColumnTypes, OfAModelAreAppliedToNewRows) {
  const Table trained = read_bytes(kMixed);
  const ReadOptions known{.missing = Missing::keep, .coding = trained.coding};
  const Table same = read_bytes(kMixed, known);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(row_of(same, i), row_of(trained, i));
  EXPECT_EQ(same.columns, trained.columns);
  EXPECT_TRUE(same.notes.empty());
  // Another order, no text, a level that is not known.
  const Table other = read_bytes("age,since,member,colour\n7,2024-01-05,no,pink\n", known);
  EXPECT_EQ(row_of(other, 0), (std::vector<float>{0, 0, 0, 7, 0, 19727}));
  ASSERT_EQ(other.notes.size(), 2U);
  EXPECT_EQ(other.notes[0].code, NoteCode::columns_ordered);
  EXPECT_NE(other.notes[1].message.text().find("colour (1 cell, 'pink')"), std::string::npos);
  // Without names, columns go by position, and one row is no header.
  EXPECT_EQ(row_of(read_bytes("blue,7,no,2024-01-05\n", known), 0),
            (std::vector<float>{1, 0, 0, 7, 0, 19727}));
  expect_error<InvalidArgument>([&] { read_bytes("age,size\n1,2\n", known); },
                                {"missing: colour, member, since", "not known to the model: size"});
  expect_error<InvalidArgument>([&] { read_bytes("1,2\n3,4\n", known); }, {"2 columns", "5"});
  expect_error<FormatError>([&] { read_bytes("age,since,member,colour\n7,soon,no,red\n", known); },
                            {":2:", "'soon'"});
}

TEST(ColumnTypes, ModelsOfNumbersReadNumbers) {
  expect_error<FormatError>([] { read_bytes(kMixed, {.coding = TableCoding()}); },
                            {"'red' is not a number"});
}

TEST(ColumnTypes, AFirstLineLikeTheOthersIsARow) {
  const Table iris = read_bytes(
      "5.1,3.5,setosa\n4.9,3.0,setosa\n7.0,3.2,versicolor\n"
      "6.4,3.2,versicolor\n");
  EXPECT_EQ(iris.rows.rows(), 4U);
  EXPECT_TRUE(iris.columns.empty());
  EXPECT_EQ(read_bytes("2024-01-01,5\n2024-01-02,6\n").rows.rows(), 2U) << "dates";
  EXPECT_EQ(read_bytes("ann,1.5\nbob,2.5\ncid,3.5\n").rows.rows(), 3U) << "numbers";
  EXPECT_EQ(read_bytes("who,2019,2020\nann,1,2\nbob,3,4\n").columns, (Names{"2019", "2020"}));
  EXPECT_EQ(read_bytes("who,400,402,404\nann,1,2,3\nbob,3,4,5\n").columns,
            (Names{"400", "402", "404"}));
  EXPECT_EQ(read_bytes("colour,size\nred,big\nblue,small\nred,small\n").rows.rows(), 3U);
  EXPECT_EQ(read_bytes("2024-01-01,2024-01-02\n1,2\n3,4\n").columns,
            (Names{"2024-01-01", "2024-01-02"}))
      << "dates above numbers are names";
}

TEST(ColumnTypes, StayWithThePartOfTheRows) {
  const Table table = read_bytes(kMixed);
  EXPECT_EQ(gather_rows(table, std::vector<std::uint32_t>{1, 2}).coding, table.coding);
}

TEST(ColumnTypes, LatinLettersBecomeUtf8) {
  const Table table = read_bytes("x,n\ngr\xfcn,1\nrot,2\ngr\xfcn,3\n");
  EXPECT_EQ(table.coding[0].levels, (Names{"grün", "rot"}));
  EXPECT_EQ(row_of(read_bytes("x,n\ngrün,1\n", {.coding = table.coding}), 0),
            (std::vector<float>{1, 0, 1}));
}

TEST(ColumnTypes, HugeTablesAreRefusedBeforeTheyAreMade) {
  std::string text = "x\n";
  for (int i = 0; i < 150'000; ++i) text += "w" + std::to_string(i % 900) + "\n";
  expect_error<InvalidArgument>([&] { read_bytes(text, {.types = {"x=category"}}); },
                                {"900 columns", "types = x=drop"});
}

TEST(CodeFrame, GivesWhatTheFileGives) {
  const Table file = read_bytes(kMixed);
  const std::vector<FrameColumn> columns{
      {.name = "colour", .texts = {"red", "blue", "red", "green", "blue", "red"}},
      {.name = "age", .numbers = {31, 45, 22, 58, 39, 41}},
      {.name = "member", .numbers = {1, 0, 1, 0, 1, 1}, .kind = ColumnKind::boolean},
      {.name = "since",
       .numbers = {19727, 19754, 19722, 19723, 19783, 19742},
       .kind = ColumnKind::date},
      {.name = "comment",
       .texts = {"fine so far", "", "never again", "well, yes", "ok", "a second time"}}};
  const Table frame = code_frame(columns, {}, "frame");
  EXPECT_EQ(frame.coding, file.coding);
  EXPECT_EQ(frame.columns, file.columns);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(row_of(frame, i), row_of(file, i));
  const Table again = code_frame(columns, {.coding = file.coding}, "frame");
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(row_of(again, i), row_of(file, i));
}

TEST(CodeFrame, MissingAndWrongCellsAreNamed) {
  const double nan = std::nan("");
  const std::vector<FrameColumn> holes{{.name = "a", .numbers = {1, nan, 3}},
                                       {.name = "c", .texts = {"x", "x", ""}}};
  expect_error<FormatError>([&] { code_frame(holes, {}, "frame"); },
                            {"2 cells in 2 columns (a: 1, c: 1)", "missing = mean"});
  const Table filled = code_frame(holes, {.missing = Missing::mean}, "frame");
  EXPECT_EQ(row_of(filled, 1), (std::vector<float>{2, 1}));
  EXPECT_EQ(filled.means, (std::vector<double>{2, 2.0 / 3}));
  expect_error<FormatError>(
      [&] {
        code_frame({{.name = "a", .texts = {"1", "2", "3", "x"}}}, {}, "frame");
      },
      {"row 4", "'a'", "'x' is not a number", "types = a=category"});
  EXPECT_EQ(code_frame({{.name = "zip", .numbers = {1, 2, 2}}}, {.types = {"zip=category"}}, "f")
                .coding[0]
                .levels,
            (Names{"1", "2"}));
}

TEST(ProfileColumns, CountsMissingCellsAndFindsHeavyTails) {
  std::string text = "colour,income,height\n";
  for (int i = 0; i < 100; ++i) {
    text += i % 10 == 0 ? "," : i % 2 == 0 ? "red," : "blue,";
    text += std::to_string(std::exp(0.2 * i)) + "," + (i < 5 ? "" : std::to_string(i)) + "\n";
  }
  const Table table = read_bytes(text, {.missing = Missing::keep});
  const auto columns = profile_columns(table);
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].missing, 10U);
  EXPECT_EQ(columns[0].levels, 2U);
  EXPECT_TRUE(columns[1].heavy_tailed);
  EXPECT_FALSE(columns[2].heavy_tailed);
  EXPECT_EQ(columns[2].missing, 5U);
  EXPECT_NE(table.notes.back().message.text().find("types = income=log"), std::string::npos);
}

}  // namespace
}  // namespace mbn
