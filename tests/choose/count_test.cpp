// SPDX-License-Identifier: Apache-2.0
#include "choose/count.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include <mbn/generate.hpp>

#include "store/selection_json.hpp"

namespace mbn {
namespace {

// Stability of 2, 3, ... clusters, the same by seed and by sample.
Counting counting_of(const std::vector<double>& stability, std::vector<TreeCut> cuts = {}) {
  Counting counting;
  for (std::size_t i = 0; i < stability.size(); ++i) {
    const auto clusters = static_cast<std::uint32_t>(i + 2);
    counting.counts.push_back({clusters, stability[i], stability[i]});
    counting.sizes.emplace_back(clusters, 10);
  }
  counting.cuts = std::move(cuts);
  return counting;
}

std::vector<std::uint32_t> numbers(const CountDecision& decision) {
  std::vector<std::uint32_t> all{decision.clusters};
  for (const RunnerUp& other : decision.runners_up) all.push_back(other.clusters);
  return all;
}

TEST(DecideCount, TheMostStableNumberWinsWhereNoCutIsClear) {
  const Counting counting = counting_of({0.7, 0.9, 0.6, 0.5}, {{5, 9, 0.49}});
  EXPECT_EQ(decide_count(counting).clusters, 3U);
}

TEST(DecideCount, AClearCutDecidesBetweenNumbersThatAreNearlyAsStable) {
  const Counting counting =
      counting_of({0.78, 0.84, 0.7, 0.79, 0.7}, {{5, 9, 0.71}, {3, 20, 0.64}});
  const CountDecision decision = decide_count(counting);
  EXPECT_EQ(decision.clusters, 5U);
  ASSERT_EQ(decision.runners_up.size(), 1U);
  EXPECT_EQ(decision.runners_up[0], (RunnerUp{3, 0.84, {10, 10, 10}}));
}

TEST(DecideCount, AClearCutDoesNotOutweighAllStability) {
  const Counting counting = counting_of({0.95, 0.5, 0.4, 0.5}, {{5, 9, 0.6}});
  EXPECT_EQ(numbers(decide_count(counting)), (std::vector<std::uint32_t>{2, 5}));
}

TEST(DecideCount, WhatNeitherWitnessSupportsIsNoise) {
  EXPECT_EQ(numbers(decide_count(counting_of({0.5, 0.4, 0.3}, {{3, 4, 0.24}}))),
            (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(decide_count({}).clusters, 1U);
  // A clear cut alone is enough: many small clusters are cut otherwise by every network.
  EXPECT_EQ(decide_count(counting_of({0.3, 0.4, 0.5, 0.4}, {{4, 4, 0.6}})).clusters, 4U);
}

TEST(DecideCount, RunnersUpAreApartFromEachOtherAndSupported) {
  std::vector<double> stability(19, 0.3);  // 2 to 20
  stability[0] = 0.9;                      // 2: chosen
  stability[1] = 0.85;                     // 3: the same answer as 2
  stability[6] = 0.8;                      // 8
  stability[8] = 0.55;                     // 10: a peak, but not supported
  stability[17] = 0.7;                     // 19
  const CountDecision decision = decide_count(counting_of(stability, {{18, 3, 0.55}}));
  EXPECT_EQ(numbers(decision), (std::vector<std::uint32_t>{2, 8, 18}));
}

TEST(CountClusters, FindsManySmallClusters) {
  const Table table =
      generate({.kind = ToyKind::gaussians, .rows = 500, .columns = 10, .clusters = 25, .seed = 3});
  const FitOptions options = FitOptions::paper();
  Job job({});
  const Counting counting = count_clusters(table.data(), options, {}, job);
  ASSERT_EQ(counting.counts.size(), 29U);
  EXPECT_GE(counting.cuts.front().persistence, 0.5);
  EXPECT_NEAR(decide_count(counting).clusters, 25, 5);
  for (std::size_t i = 0; i < counting.counts.size(); ++i) {
    EXPECT_EQ(counting.sizes[i].size(), counting.counts[i].clusters);
    EXPECT_EQ(std::accumulate(counting.sizes[i].begin(), counting.sizes[i].end(), std::uint64_t{0}),
              500U);
  }
}

TEST(SelectionJson, KeepsRunnersUpAndCuts) {
  Selection selection;
  selection.clusters = 4;
  selection.counts = {{2, 0.5, 0.25}, {4, 0.75, 0.5}};
  selection.runners_up = {{2, 0.375, {60, 40}}};
  selection.cuts = {{4, 9, 0.625}};
  const std::string json = to_json(selection);
  EXPECT_EQ(selection_from_json(json, "file"), selection);
  EXPECT_NE(describe(selection).text().find("also 2 is well supported"), std::string::npos);
}

}  // namespace
}  // namespace mbn
