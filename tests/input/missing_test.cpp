// SPDX-License-Identifier: Apache-2.0
//
// Cells without a value: refused, filled, or left out with their rows.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <mbn/error.hpp>
#include <mbn/input.hpp>
#include <mbn/part.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;
using files::read_bytes;

using Names = std::vector<std::string>;

std::vector<float> cells_of(const Table& table) {
  std::vector<float> cells;
  for (std::size_t i = 0; i < table.rows.rows(); ++i) {
    for (std::size_t j = 0; j < table.rows.columns(); ++j) {
      cells.push_back(table.rows.dense().at(i, j));
    }
  }
  return cells;
}

const char* const kHoles = "who,a,b,kind\nann,1,NA,x\nbob,3,4,y\ncat,?,8,x\ndan,5,6,z\n";
const ReadOptions kMean{.label_column = "kind", .id_column = {"who"}, .missing = Missing::mean};
const ReadOptions kDrop{.label_column = "kind", .id_column = {"who"}, .missing = Missing::drop};

TEST(MissingCells, AreKnownByTheirSigns) {
  for (const char* sign : {"", "NA", "N/A", "NaN", "nan", "null", "None", "?", "-", "na", "#N/A"}) {
    const Table table =
        read_bytes(std::string("a,b\n1,2\n") + sign + ",4\n5,6\n", {.missing = Missing::keep});
    EXPECT_TRUE(std::isnan(table.rows.dense().at(1, 0))) << sign;
    EXPECT_EQ(table.rows.dense().at(2, 0), 5) << sign;
  }
  for (const char* word : {"inf", "--", "nothing", "1e99"}) {
    const std::string text = std::string("a,b\n1,2\n") + word + ",4\n";
    EXPECT_THROW(read_bytes(text, {.missing = Missing::mean}), FormatError) << word;
  }
}

TEST(MissingCells, AreRefusedInOneMessage) {
  expect_error<FormatError>(
      [] { read_bytes("a,b,c\n1,,3\n4,NA,6\n7,8,?\n"); },
      {":2: 2 columns have missing values", "'b' (2) (line 2: the cell is empty, and 1 more)",
       "'c' (3) (line 4: the value is missing ('?'))", "missing = mean fills them",
       "missing = drop leaves out such rows", "drop = b,c"});
  expect_error<FormatError>([] { read_bytes("a,b\n1,\nx,3\n"); },
                            {"drop = b,a", "missing = mean", "id_column = a"});
}

TEST(MissingCells, GetTheMeanOfTheirColumn) {
  const Table table = read_bytes(kHoles, kMean);
  EXPECT_EQ(cells_of(table), (std::vector<float>{1, 6, 3, 4, 3, 8, 5, 6}));
  EXPECT_EQ(table.means, (std::vector<double>{3, 6}));
  EXPECT_TRUE(table.kept.empty());
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_NE(table.notes[0].message.text().find("2 cells in 2 columns (a: 1, b: 1)"),
            std::string::npos);
  const Table complete = read_bytes("a,b\n1,2\n3,5\n", {.missing = Missing::mean});
  EXPECT_EQ(complete.means, (std::vector<double>{2, 3.5})) << "new rows may have holes";
  EXPECT_TRUE(complete.notes.empty());
}

TEST(MissingCells, TakeTheirRowsWithThem) {
  const Table table = read_bytes(kHoles, kDrop);
  EXPECT_EQ(cells_of(table), (std::vector<float>{3, 4, 5, 6}));
  EXPECT_EQ(table.ids, (Names{"bob", "dan"}));
  ASSERT_TRUE(table.labels);
  EXPECT_EQ(table.labels->values, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(table.kept, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(table.file_rows, 4U);
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_NE(table.notes[0].message.text().find("2 of 4 rows were left out"), std::string::npos);
  const std::vector<std::uint32_t> last = {1};
  EXPECT_EQ(gather_rows(table, last).kept, (std::vector<std::uint32_t>{3}));
  const Table whole = read_bytes("1,2\n3,4\n", {.missing = Missing::drop});
  EXPECT_TRUE(whole.kept.empty() && whole.notes.empty());
}

TEST(MissingCells, LeaveSomethingOrAreRefused) {
  expect_error<FormatError>([] { read_bytes("a,b\n1,\n2,NA\n", {.missing = Missing::mean}); },
                            {"b has no value in any row", "drop = b"});
  expect_error<FormatError>([] { read_bytes("a,b\n1,\n,2\n", {.missing = Missing::drop}); },
                            {"no row is left", "missing = mean"});
}

TEST(MissingCells, OfColumnsThatAreLeftOutDoNotCount) {
  EXPECT_EQ(read_bytes("a,b\n1,\n2,3\n", {.drop = {"b"}}).rows.rows(), 2U);
  const Table table = read_bytes("a,b\n1,\n2,3\n", {.drop = {"b"}, .missing = Missing::drop});
  EXPECT_EQ(table.rows.rows(), 2U);
}

TEST(MissingCells, OfTurnedDataBelongToTheTurnedColumns) {
  const Table table = read_bytes("1,2,NA\n4,5,6\n", {.missing = Missing::mean, .transpose = true});
  EXPECT_EQ(cells_of(table), (std::vector<float>{1, 4, 2, 5, 1.5F, 6}));
}

TEST(MissingCells, OfNewRowsGetTheMeansOfTheTrainingRows) {
  Table table = read_bytes("b,a\n100,\n,200\n", {.missing = Missing::keep});
  table = match_columns(std::move(table), {"a", "b"}, "new.csv");
  table = fill_missing(std::move(table), std::vector<double>{3, 6}, "new.csv");
  EXPECT_EQ(cells_of(table), (std::vector<float>{3, 100, 200, 6}));
  EXPECT_NE(table.notes.back().message.text().find("the training rows"), std::string::npos);
  const auto fill = [](const std::vector<double>& means) {
    fill_missing(read_bytes("1,\n2,3\n", {.missing = Missing::keep}), means, "new.csv");
  };
  expect_error<InvalidArgument>([&] { fill({}); },
                                {"new.csv has 1 cell in 1 column (column 2: 1)", "not in the model",
                                 "missing = mean", "missing = drop"});
  expect_error<InvalidArgument>([&] { fill({1}); }, {"2 columns", "1 means"});
}

TEST(MissingCells, OfArraysAreNaN) {
  const Folder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> cells = {1, nan, 3, 4, 5, nan};
  const auto path = folder.put("x.npy", "");
  write_matrix(path, MatrixView(cells.data(), 3, 2), {.overwrite = true});
  expect_error<FormatError>(
      [&] { read_table(path); },
      {"row 1, column 2", "2 cells in 1 column (column 2: 2)", "missing = mean", "missing = drop"});
  EXPECT_EQ(cells_of(read_table(path, {.missing = Missing::mean})),
            (std::vector<float>{1, 4, 3, 4, 5, 4}));
  EXPECT_EQ(cells_of(read_table(path, {.missing = Missing::drop})), (std::vector<float>{3, 4}));
  EXPECT_EQ(cells_of(read_table(path, {.columns = {"1"}})), (std::vector<float>{1, 3, 5}));
}

}  // namespace
}  // namespace mbn
