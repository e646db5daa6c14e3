// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <mbn/error.hpp>
#include <mbn/part.hpp>

namespace mbn {
namespace {

TEST(Part, PartsHoldEveryRowOnceAndAreNearlyEqual) {
  for (const std::uint32_t count : {1U, 2U, 3U, 7U}) {
    std::multiset<std::uint32_t> all;
    for (std::uint32_t number = 1; number <= count; ++number) {
      const auto rows = Part{number, count}.rows(100);
      EXPECT_TRUE(std::ranges::is_sorted(rows));
      EXPECT_LE(rows.size(), 100 / count + 1);
      EXPECT_GE(rows.size(), 100 / count);
      all.insert(rows.begin(), rows.end());
    }
    ASSERT_EQ(all.size(), 100U);
    std::uint32_t expected = 0;
    for (const std::uint32_t row : all) EXPECT_EQ(row, expected++);
  }
}

TEST(Part, IsRandomAndFollowsTheSeed) {
  const auto first = Part{1, 2}.rows(1000);
  EXPECT_EQ(first, (Part{1, 2}.rows(1000)));
  EXPECT_NE(first, (Part{1, 2, 5}.rows(1000)));
  const auto low =
      std::count_if(first.begin(), first.end(), [](std::uint32_t row) { return row < 500; });
  EXPECT_GT(low, 200);
  EXPECT_LT(low, 300);
}

TEST(Part, RefusesPartsThatAreNotThere) {
  EXPECT_THROW((Part{0, 2}.rows(10)), InvalidArgument);
  EXPECT_THROW((Part{3, 2}.rows(10)), InvalidArgument);
  EXPECT_THROW((Part{1, 0}.rows(10)), InvalidArgument);
  EXPECT_THROW((Part{1, 11}.rows(10)), InvalidArgument);
}

TEST(Part, TakesRowsLabelsAndNamesTogether) {
  Table table;
  table.rows = Matrix(3, 2, ElementType::uint8);
  for (std::size_t i = 0; i < 3; ++i)
    table.rows.dense().mutable_row<std::uint8_t>(i)[1] = static_cast<std::uint8_t>(10 + i);
  table.labels = Labels{{5, 6, 7}, {}};
  table.ids = {"a", "b", "c"};
  const std::vector<std::uint32_t> rows = {2, 0};
  const Table taken = gather_rows(table, rows);
  EXPECT_EQ(taken.rows.dense().type(), ElementType::uint8);
  EXPECT_EQ(taken.rows.rows(), 2U);
  EXPECT_EQ(taken.rows.dense().at(0, 1), 12);
  EXPECT_EQ(taken.rows.dense().at(1, 1), 10);
  EXPECT_EQ(taken.labels->values, (std::vector<std::int32_t>{7, 5}));
  EXPECT_EQ(taken.ids, (std::vector<std::string>{"c", "a"}));
}

TEST(Part, TakesSparseRows) {
  Table table;
  table.rows = SparseMatrix{3, {0, 1, 1, 3}, {2, 0, 1}, {4, 5, 6}};
  const std::vector<std::uint32_t> rows = {2, 1};
  const SparseMatrix expected{3, {0, 2, 2}, {0, 1}, {5, 6}};
  EXPECT_EQ(gather_rows(table, rows).rows.sparse(), expected);
  EXPECT_EQ(gather_rows(table.rows.sparse().view(), rows), expected);
}

}  // namespace
}  // namespace mbn
