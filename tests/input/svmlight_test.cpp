// SPDX-License-Identifier: Apache-2.0
#include "input/svmlight.hpp"

#include <mbn/error.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;

Table read(const std::string& text, const std::string& name = "x.svm", std::uint64_t columns = 0) {
  const Folder folder;
  return read_table(folder.put(name, text), {.column_count = columns});
}

TEST(Svmlight, ReadsRowsLabelsAndComments) {
  const Table table =
      read("# made by hand\n1 1:0.5 4:2 # first\n-1 qid:3 2:1e1\r\n1\n\n2 3:0 4:-1");
  ASSERT_TRUE(table.rows.is_sparse());
  EXPECT_EQ(table.rows.sparse().columns, 4u);
  EXPECT_EQ(table.rows.sparse().starts, (std::vector<std::uint64_t>{0, 2, 3, 3, 4}));
  EXPECT_EQ(table.rows.sparse().indices, (std::vector<std::uint32_t>{0, 3, 1, 3}));
  EXPECT_EQ(table.rows.sparse().values, (std::vector<float>{0.5F, 2, 10, -1}));
  EXPECT_EQ(table.labels->values, (std::vector<std::int32_t>{1, -1, 1, 2}));
  EXPECT_EQ(table.data().rows(), 4u);
}

TEST(Svmlight, IsToldFromItsFirstLineOrItsEnding) {
  EXPECT_TRUE(read("+1 5:1 9:2\n", "download").rows.is_sparse());
  EXPECT_TRUE(read("spam 5:1\n", "x.txt").rows.is_sparse());
  EXPECT_TRUE(read("1\n2 1:4\n", "x.libsvm").rows.is_sparse());
  EXPECT_FALSE(read("1 2\n3 4\n", "x.txt").rows.is_sparse());
  EXPECT_FALSE(read("1,2\n3,4\n", "download").rows.is_sparse());
}

TEST(Svmlight, TakesTheNumberOfColumnsFromTheCaller) {
  EXPECT_EQ(read("1 2:1\n", "x.svm", 7).rows.sparse().columns, 7u);
  expect_error<FormatError>([] { read("1 8:1\n", "x.svm", 7); },
                            {"x.svm:1", "column 8", "up to 7"});
}

TEST(Svmlight, HasOneAnswerForEveryWrongLine) {
  expect_error<FormatError>([] { read("1 1:1\n1 3:1 3:2\n"); }, {"x.svm:2", "column 3", "twice"});
  expect_error<FormatError>([] { read("1 3:1 2:2\n"); }, {"x.svm:1", "column 2", "after a higher"});
  expect_error<FormatError>([] { read("1 0:1\n"); }, {"column 0", "counts from 1"});
  expect_error<FormatError>([] { read("1 4294967296:1\n"); }, {"column 4294967296", "up to"});
  expect_error<FormatError>([] { read("1 99999999999999999999:1\n"); }, {"is not column:value"});
  expect_error<FormatError>([] { read("1 2:nan\n"); }, {"'nan'", "column 2", "finite"});
  expect_error<FormatError>([] { read("1 2:1e99\n"); }, {"'1e99'", "finite"});
  expect_error<FormatError>([] { read("1 2:\n"); }, {"column 2"});
  expect_error<FormatError>([] { read("1 two:2\n"); }, {"'two:2' is not column:value"});
  expect_error<FormatError>([] { read("1 -1:2\n"); }, {"'-1:2' is not column:value"});
  expect_error<FormatError>([] { read("1:1 2:2\n"); }, {"a label must come first"});
  expect_error<FormatError>([] { read("# nothing\n"); }, {"no rows"});
  expect_error<FormatError>([] { read("1\n1\n"); }, {"no columns"});
}

TEST(Svmlight, LinesLongerThanAnyBufferAreLines) {
  std::string text = "1";
  for (int i = 1; i <= 30000; ++i) text += " " + std::to_string(i) + ":1";
  EXPECT_EQ(read(text + "\n").rows.sparse().indices.size(), 30000u);
}

}  // namespace
}  // namespace mbn
