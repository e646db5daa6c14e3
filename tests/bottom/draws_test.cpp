// SPDX-License-Identifier: Apache-2.0
#include "bottom/draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mbn {
namespace {

constexpr DrawRequest kRequest{.seed = 1,
                               .layer = 2,
                               .clusterings = 20,
                               .centroids = 30,
                               .features = 5,
                               .input_rows = 200,
                               .input_features = 11};

TEST(DrawnFeatures, IsTheFloorButAtLeastOne) {
  EXPECT_EQ(drawn_features(0.5, 5), 2U);
  EXPECT_EQ(drawn_features(0.5, 1), 1U);
  EXPECT_EQ(drawn_features(0.01, 10), 1U);
  EXPECT_EQ(drawn_features(1.0, 784), 784U);
}

TEST(Draw, RowsAndFeaturesAreDrawnWithoutReplacement) {
  const Draws draws = draw(kRequest);
  for (std::size_t v = 0; v < kRequest.clusterings; ++v) {
    const auto rows = draws.rows_of(v);
    EXPECT_EQ(std::set<std::uint32_t>(rows.begin(), rows.end()).size(), 30U);
    EXPECT_LT(*std::max_element(rows.begin(), rows.end()), 200U);
    const auto columns = draws.columns_of(v);
    EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end()));
    EXPECT_EQ(std::set<std::uint32_t>(columns.begin(), columns.end()).size(), 5U);
    EXPECT_LT(columns.back(), 11U);
  }
}

TEST(Draw, ClusteringsAndLayersAndSeedsDiffer) {
  const Draws draws = draw(kRequest);
  EXPECT_FALSE(
      std::equal(draws.rows_of(0).begin(), draws.rows_of(0).end(), draws.rows_of(1).begin()));
  DrawRequest other = kRequest;
  other.layer = 3;
  EXPECT_NE(draw(other), draws);
  other = kRequest;
  other.seed = 2;
  EXPECT_NE(draw(other), draws);
  EXPECT_EQ(draw(kRequest), draws);
}

// A clustering's draws depend on its number only: asking for more clusterings does not change the
// first ones.
TEST(Draw, MoreClusteringsDoNotChangeTheFirstOnes) {
  DrawRequest more = kRequest;
  more.clusterings = 25;
  const Draws few = draw(kRequest);
  const Draws many = draw(more);
  EXPECT_TRUE(std::equal(few.rows.begin(), few.rows.end(), many.rows.begin()));
  EXPECT_TRUE(std::equal(few.columns.begin(), few.columns.end(), many.columns.begin()));
}

TEST(Draw, BlocksAreDrawnWholeButForTheLast) {
  const std::vector<ColumnBlock> blocks = {{1, 3}, {6, 4}};
  DrawRequest request = kRequest;
  request.clusterings = 300;
  request.blocks = blocks;
  const Draws draws = draw(request);
  std::vector<int> seen(request.input_features);
  std::size_t whole = 0;
  for (std::size_t v = 0; v < request.clusterings; ++v) {
    const auto columns = draws.columns_of(v);
    ASSERT_TRUE(std::ranges::is_sorted(columns));
    ASSERT_EQ(std::set<std::uint32_t>(columns.begin(), columns.end()).size(), request.features);
    std::size_t cut = 0;
    for (const ColumnBlock& block : blocks) {
      const auto in_block = std::ranges::count_if(columns, [&](std::uint32_t column) {
        return column >= block.first && column < block.first + block.count;
      });
      if (in_block > 0 && in_block < block.count) ++cut;
      if (in_block == block.count) ++whole;
    }
    EXPECT_LE(cut, 1U);
    for (const std::uint32_t column : columns) ++seen[column];
  }
  EXPECT_GT(whole, 100U);
  for (const int count : seen) EXPECT_GT(count, 60);
}

TEST(KeepDrawn, KeepsTheRowsThatWereDrawn) {
  DrawRequest request = kRequest;
  request.clusterings = 2;
  const Draws before = draw(request);
  Draws after = before;
  const auto kept = keep_drawn(after, request.input_rows);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_LT(kept.size(), request.input_rows);
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    EXPECT_EQ(kept[after.rows[i]], before.rows[i]);
  }
  const std::set<std::uint32_t> drawn(before.rows.begin(), before.rows.end());
  EXPECT_EQ(drawn, std::set<std::uint32_t>(kept.begin(), kept.end()));
}

}  // namespace
}  // namespace mbn
