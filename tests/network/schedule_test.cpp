// SPDX-License-Identifier: Apache-2.0
#include "network/schedule.hpp"

#include <gtest/gtest.h>

#include <mbn/error.hpp>

namespace mbn {
namespace {

using Widths = std::vector<std::uint32_t>;

TEST(Schedule, HalvesFromHalfOfTheRowsDownToOneAndAHalfTimesTheClusters) {
  EXPECT_EQ(schedule(5000, {.clusters = 10}), (Widths{2500, 1250, 625, 312, 156, 78, 39, 19}));
}

// 70,000 rows: 35,000 ... 17 and not 8, which is below 15.
TEST(Schedule, OfAllMnistImages) {
  const Widths widths = schedule(70000, {.clusters = 10});
  EXPECT_EQ(widths.front(), 35000U);
  EXPECT_EQ(widths.back(), 17U);
  EXPECT_EQ(widths.size(), 12U);
}

TEST(Schedule, TakesTheFloorOfTheRunningProduct) {
  // 100, 70, 49, 34.3, 24.01, 16.8, 11.8, ...: floors of the product, not floors of floors.
  EXPECT_EQ(schedule(200, {.decay = 0.7, .clusters = 8}), (Widths{100, 70, 49, 34, 24, 16}));
}

TEST(Schedule, AWidthEqualToTheLimitIsStillBuilt) {
  EXPECT_EQ(schedule(24, {.clusters = 4}), (Widths{12, 6}));
}

TEST(Schedule, ShrinksByItselfForTinyData) {
  EXPECT_EQ(schedule(20, {.clusters = 3}), (Widths{10, 5}));
  EXPECT_EQ(schedule(20, {.clusters = 10}), (Widths{15}));
  EXPECT_EQ(schedule(20, {.clusters = 20}), (Widths{20}));
  EXPECT_EQ(schedule(20, {}), (Widths{10}));
  EXPECT_EQ(schedule(2, {}), (Widths{1}));
}

TEST(Schedule, CentroidsAreTakenAsGiven) {
  EXPECT_EQ(schedule(1000, {.centroids = 60, .clusters = 10}), (Widths{60, 30, 15}));
  EXPECT_EQ(schedule(1000, {.centroids = 3, .clusters = 10}), (Widths{3}));
}

TEST(Schedule, RefusesWhatTheRowsCannotGive) {
  EXPECT_THROW(schedule(1, {}), InvalidArgument);
  EXPECT_THROW(schedule(0, {}), InvalidArgument);
  EXPECT_THROW(schedule(10, {.clusters = 11}), InvalidArgument);
  EXPECT_THROW(schedule(10, {.centroids = 11}), InvalidArgument);
  EXPECT_THROW(schedule(std::uint64_t{1} << 40, {}), InvalidArgument);
  EXPECT_THROW(schedule(1000000, {.decay = 0.9999999}), InvalidArgument);
}

TEST(EmbeddingComponents, FollowTheClustersUnlessGiven) {
  EXPECT_EQ(embedding_components({}), 2U);
  EXPECT_EQ(embedding_components({.clusters = 7}), 7U);
  EXPECT_EQ(embedding_components({.clusters = 7, .components = 3}), 3U);
}

}  // namespace
}  // namespace mbn
