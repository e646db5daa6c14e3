// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "evaluate/hungarian.hpp"

namespace mbn {
namespace {

using Table = std::vector<std::vector<std::int64_t>>;

std::vector<Gain> listed(const Table& table) {
  std::vector<Gain> gains;
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    for (std::uint32_t j = 0; j < table[i].size(); ++j) {
      if (table[i][j] != 0) gains.push_back({i, j, table[i][j]});
    }
  }
  return gains;
}

std::int64_t total(const Table& table, const std::vector<std::uint32_t>& column_of) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < column_of.size(); ++i) {
    if (column_of[i] != kUnmatched) sum += table[i][column_of[i]];
  }
  return sum;
}

/// Tries every way to give the rows from `row` on different columns, or none.
std::int64_t best_by_force(const Table& table, std::size_t row, std::vector<char>& taken) {
  if (row == table.size()) return 0;
  std::int64_t best = best_by_force(table, row + 1, taken);
  for (std::size_t j = 0; j < table[row].size(); ++j) {
    if (taken[j] != 0) continue;
    taken[j] = 1;
    best = std::max(best, table[row][j] + best_by_force(table, row + 1, taken));
    taken[j] = 0;
  }
  return best;
}

TEST(Hungarian, TakesASmallerGainWhereTheSumIsLarger) {
  const Table table{{10, 9}, {9, 1}};
  const auto column_of = best_matching(2, 2, listed(table));
  EXPECT_EQ(column_of, (std::vector<std::uint32_t>{1, 0}));
}

TEST(Hungarian, LeavesRowsAloneWhenColumnsAreFew) {
  const Table table{{3}, {8}, {5}};
  const auto column_of = best_matching(3, 1, listed(table));
  EXPECT_EQ(column_of, (std::vector<std::uint32_t>{kUnmatched, 0, kUnmatched}));
}

TEST(Hungarian, NothingToGainMatchesNothing) {
  EXPECT_EQ(best_matching(2, 3, {}), (std::vector<std::uint32_t>{kUnmatched, kUnmatched}));
  EXPECT_TRUE(best_matching(0, 0, {}).empty());
}

RC_GTEST_PROP(HungarianProperty, IsTheBestOfAllMatchings, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 6);
  const auto columns = *rc::gen::inRange<std::size_t>(1, 6);
  const auto largest = *rc::gen::element<std::int64_t>(2, 5, 1000);
  Table table;
  for (std::size_t i = 0; i < rows; ++i) {
    table.push_back(*rc::gen::container<std::vector<std::int64_t>>(
        columns, rc::gen::inRange<std::int64_t>(0, largest)));
  }
  const auto column_of = best_matching(rows, columns, listed(table));
  std::multiset<std::uint32_t> used(column_of.begin(), column_of.end());
  used.erase(kUnmatched);
  RC_ASSERT(used.size() == std::set<std::uint32_t>(used.begin(), used.end()).size());
  std::vector<char> taken(columns);
  RC_ASSERT(total(table, column_of) == best_by_force(table, 0, taken));
}

}  // namespace
}  // namespace mbn
