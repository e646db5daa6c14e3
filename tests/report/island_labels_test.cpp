// SPDX-License-Identifier: Apache-2.0
#include "report/island_labels.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/text_width.hpp"

namespace mbn {
namespace {

constexpr Box kFrame{24, 50, 700, 600};

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom();
}

void expect_readable(const std::vector<IslandLabel>& labels, const Box& frame) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Box& box = labels[i].box;
    EXPECT_GE(box.left, frame.left);
    EXPECT_GE(box.top, frame.top);
    EXPECT_LE(box.right(), frame.right());
    EXPECT_LE(box.bottom(), frame.bottom());
    EXPECT_LE(text_width(labels[i].name, labels[i].size, true), box.width + 1e-9);
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(overlap(box, labels[j].box)) << labels[i].name << " and " << labels[j].name;
    }
  }
}

TEST(IslandLabels, OneAloneIsOnItsAnchor) {
  const auto labels = place_labels({{"sparrow", {300, 200}, 10}}, kFrame);
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_NEAR(labels[0].box.centre().x, 300, 1e-9);
  EXPECT_NEAR(labels[0].box.centre().y, 200, 1e-9);
  EXPECT_FALSE(labels[0].leader);
}

TEST(IslandLabels, NearTheEdgeANameMovesInside) {
  for (const Point anchor : {Point{25, 51}, Point{723, 51}, Point{25, 649}, Point{723, 649}}) {
    const auto labels = place_labels({{"a long name of a bird", anchor, 10}}, kFrame);
    ASSERT_EQ(labels.size(), 1U);
    expect_readable(labels, kFrame);
  }
}

TEST(IslandLabels, FortyNamesInOnePlaceDoNotOverlap) {
  std::vector<Island> islands;
  for (std::size_t i = 0; i < 40; ++i) {
    const double turn = static_cast<double>(i);
    islands.push_back({fmt::format("island number {}", i),
                       {370 + 30 * std::cos(turn), 350 + 30 * std::sin(turn)},
                       100 - i});
  }
  const auto labels = place_labels(islands, kFrame);
  expect_readable(labels, kFrame);
  EXPECT_GE(labels.size(), 10U);
  // The largest has the first choice; what is far from its anchor has a line to it.
  EXPECT_EQ(labels[0].name, "island number 0");
  EXPECT_FALSE(labels[0].leader);
  EXPECT_TRUE(labels.back().leader);
}

TEST(IslandLabels, FortySpreadNamesAllFindRoom) {
  std::vector<Island> islands;
  for (std::size_t i = 0; i < 40; ++i) {
    islands.push_back(
        {fmt::format("class {}", i),
         {60 + 90 * static_cast<double>(i % 8), 90 + 120 * static_cast<double>(i / 8)},
         1});
  }
  const auto labels = place_labels(islands, kFrame);
  EXPECT_EQ(labels.size(), 40U);
  expect_readable(labels, kFrame);
}

TEST(IslandLabels, ATinyFrameHasNoRoom) {
  EXPECT_TRUE(place_labels({{"name", {15, 15}, 1}}, {10, 10, 10, 10}).empty());
}

RC_GTEST_PROP(IslandLabelsProperty, AnyIslandsAreReadable, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(2, 41);
  std::vector<Island> islands;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = *rc::gen::inRange(24, 725);
    const double y = *rc::gen::inRange(50, 651);
    const auto letters = *rc::gen::inRange<std::size_t>(1, 60);
    islands.push_back({std::string(letters, 'w'), {x, y}, *rc::gen::inRange<std::uint64_t>(1, 9)});
  }
  const auto labels = place_labels(islands, kFrame);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Box& box = labels[i].box;
    RC_ASSERT(box.left >= kFrame.left && box.right() <= kFrame.right());
    RC_ASSERT(box.top >= kFrame.top && box.bottom() <= kFrame.bottom());
    for (std::size_t j = 0; j < i; ++j) RC_ASSERT(!overlap(box, labels[j].box));
  }
}

/// Rows of two groups; group 1 is a large blob and a small one far away.
TEST(IslandLabels, TheAnchorIsTheDensestPlaceNotTheMean) {
  std::vector<float> cells;
  std::vector<std::int32_t> labels;
  const auto add = [&](float x, float y, std::int32_t label, int rows) {
    for (int i = 0; i < rows; ++i) {
      const double turn = 2.4 * i;
      const auto reach = static_cast<float>(0.02 * std::sqrt(i));
      cells.push_back(x + reach * static_cast<float>(std::cos(turn)));
      cells.push_back(y + reach * static_cast<float>(std::sin(turn)));
      labels.push_back(label);
    }
  };
  add(0, 0, 0, 100);
  add(10, 10, 1, 300);
  add(10, 0, 1, 200);
  add(5, 5, -1, 100);
  const RowPlaces places(MatrixView(cells.data(), labels.size(), 2), kFrame);
  const std::vector<Group> groups = groups_of(labels, {"left", "right"});
  const auto islands = find_islands(places, groups, group_of_rows(labels, groups));
  ASSERT_EQ(islands.size(), 2U);  // "no class" is no island
  EXPECT_EQ(islands[1].name, "right");
  const Point blob = places.place(100);
  EXPECT_NEAR(islands[1].anchor.x, blob.x, 8);
  EXPECT_NEAR(islands[1].anchor.y, blob.y, 8);
}

TEST(IslandLabels, OnlyTwoToFortyGroupsAreNamed) {
  for (const std::int32_t count : {1, 2, 40, 41}) {
    std::vector<float> cells;
    std::vector<std::int32_t> labels;
    for (std::int32_t i = 0; i < count; ++i) {
      cells.insert(cells.end(), {static_cast<float>(i), static_cast<float>(i % 7)});
      labels.push_back(i);
    }
    const RowPlaces places(MatrixView(cells.data(), labels.size(), 2), kFrame);
    const std::vector<Group> groups = groups_of(labels, {});
    const auto islands = find_islands(places, groups, group_of_rows(labels, groups));
    EXPECT_EQ(islands.size(), count == 2 || count == 40 ? static_cast<std::size_t>(count) : 0U);
  }
}

}  // namespace
}  // namespace mbn
