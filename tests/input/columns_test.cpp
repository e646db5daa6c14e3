// SPDX-License-Identifier: Apache-2.0
//
// Which columns of a table are taken, and in which order.
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::read_bytes;

using Names = std::vector<std::string>;

const char* const kTable = "name,age,gene_a,gene_b,2-3\nann,1,2,3,4\nbob,5,6,7,8\n";

Names columns_of(const ReadOptions& options) {
  return read_bytes(kTable, options).columns;
}

TEST(Columns, AreTakenByNameNumberRangeAndPattern) {
  EXPECT_EQ(columns_of({.columns = {"age", "-1"}}), (Names{"age", "2-3"}));
  EXPECT_EQ(columns_of({.columns = {"2-4"}}), (Names{"age", "gene_a", "gene_b"}));
  EXPECT_EQ(columns_of({.columns = {"age:gene_b"}}), (Names{"age", "gene_a", "gene_b"}));
  EXPECT_EQ(columns_of({.columns = {"gene_*"}}), (Names{"gene_a", "gene_b"}));
  EXPECT_EQ(columns_of({.columns = {"*_*b", "3"}}), (Names{"gene_a", "gene_b"}));
  EXPECT_EQ(columns_of({.columns = {"2-3"}}), (Names{"2-3"})) << "a name before a range";
  EXPECT_EQ(columns_of({.drop = {"name", "gene_*"}}), (Names{"age", "2-3"}));
  EXPECT_EQ(columns_of({.columns = {"2:5"}, .drop = {"age"}}), (Names{"gene_a", "gene_b", "2-3"}));
}

TEST(Columns, DroppedOnesMayHoldAnything) {
  const Table table = read_bytes("x,1,2\ny,3,?\nz,5,6\n", {.drop = {"1", "3"}});
  EXPECT_EQ(table.rows.rows(), 3U) << "no header: the words are in the column that is left out";
  EXPECT_EQ(table.rows.dense().at(2, 0), 5);
}

TEST(Columns, NumbersComeBeforeNames) {
  const char* const years = "id,3,2019\n1,2,3\n";
  EXPECT_EQ(read_bytes(years, {.columns = {"id", "3"}}).columns, (Names{"id", "2019"}));
  EXPECT_EQ(read_bytes(years, {.columns = {"2019"}}).columns, (Names{"2019"}));
}

TEST(Columns, UnknownOnesAreNamed) {
  expect_error<InvalidArgument>([] { columns_of({.drop = {"colour"}}); },
                                {"drop = colour", "name, age"});
  expect_error<InvalidArgument>([] { columns_of({.columns = {"9"}}); }, {"5 columns"});
  expect_error<InvalidArgument>([] { columns_of({.columns = {"y*"}}); }, {"columns = y*"});
}

TEST(Columns, AllThatAreNoNumbersAreInOneMessage) {
  const char* const table = "who,age,kind,size\nann,1,cat,2\nbob,,dog,3\n";
  expect_error<FormatError>(
      [&] { read_bytes(table, {.coding = TableCoding()}); },
      {":2: 3 columns", "'who' (1)", "'ann'", "'kind' (3)", "'age' (2) (line 3", "empty",
       "drop = who,kind,age", "id_column = who", "label_column = who"});
}

TEST(Columns, ManyIdsStayInTheirOrder) {
  const Table table = read_bytes(kTable, {.id_column = {"name", "age"}});
  EXPECT_EQ(table.ids, (Names{"ann", "1", "bob", "5"}));
  EXPECT_EQ(table.id_names, (Names{"name", "age"}));
  EXPECT_EQ(table.rows.columns(), 3U);
}

TEST(Columns, AFirstOneWithoutANameHoldsIds) {
  for (const char* header : {",a,b", "\"\",a,b", ",0,1"}) {
    const Table table = read_bytes(std::string(header) + "\n0,5,6\n1,7,8\n");
    EXPECT_EQ(table.ids, (Names{"0", "1"})) << header;
    EXPECT_EQ(table.rows.columns(), 2U);
    ASSERT_EQ(table.notes.size(), 1U);
    EXPECT_EQ(table.notes[0].code, NoteCode::data_read);
  }
  const Table forced = read_bytes(",a,b\n0,5,6\n1,7,8\n", {.columns = {"1-3"}});
  EXPECT_TRUE(forced.ids.empty() && forced.notes.empty());
  EXPECT_EQ(forced.rows.columns(), 3U);
  expect_error<FormatError>([] { read_bytes(",5,6\n1,7,8\n"); }, {"empty"});
}

TEST(Columns, ArePutInOrderByTheirNames) {
  Table table = match_columns(read_bytes("b,c,a\n1,2,3\n4,5,6\n"), {"a", "b", "c"}, "new.csv");
  EXPECT_EQ(table.columns, (Names{"a", "b", "c"}));
  EXPECT_EQ(table.rows.dense().at(1, 0), 6);
  EXPECT_EQ(table.rows.dense().at(1, 1), 4);
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_EQ(table.notes[0].code, NoteCode::columns_ordered);
}

TEST(Columns, GoByPositionWithoutNames) {
  for (const Names& names : {Names{}, Names{"a", "b"}}) {
    const Table table = match_columns(read_bytes("1,2\n3,4\n"), names, "new.csv");
    EXPECT_EQ(table.rows.dense().at(0, 0), 1);
    EXPECT_TRUE(table.notes.empty());
  }
  EXPECT_TRUE(match_columns(read_bytes("x,y\n3,4\n"), {}, "new.csv").notes.empty());
}

TEST(Columns, OtherNamesAreRefused) {
  const auto match = [](const Names& names) {
    match_columns(read_bytes("a,new,old\n1,2,3\n"), names, "new.csv");
  };
  expect_error<InvalidArgument>(
      [&] {
        match({"a", "b", "old"});
      },
      {"new.csv", "missing: b", "not known to the model: new", "drop = new"});
  expect_error<InvalidArgument>([&] { match({"a", "old"}); }, {"not known to the model: new"});
  expect_error<InvalidArgument>([&] { match({"a", "new", "old", "x"}); }, {"missing: x"});
  expect_error<InvalidArgument>(
      [] {
        match_columns(read_bytes("a,a,b\n1,2,3\n"), {"b", "a", "a"}, "x");
      },
      {"twice"});
}

TEST(Columns, AreTurnedIntoRows) {
  const Table table =
      read_bytes("gene,c1,c2,c3\ng1,1,2,3\ng2,4,5,6\n", {.id_column = {"gene"}, .transpose = true});
  EXPECT_EQ(table.ids, (Names{"c1", "c2", "c3"}));
  EXPECT_EQ(table.columns, (Names{"g1", "g2"}));
  EXPECT_EQ(table.rows.dense().at(2, 1), 6);
}

TEST(Columns, OfLatin1AreUtf8) {
  EXPECT_EQ(read_bytes("gr\xf6\xdf"
                       "e,b\n1,2\n")
                .columns,
            (Names{"größe", "b"}));
}

}  // namespace
}  // namespace mbn
