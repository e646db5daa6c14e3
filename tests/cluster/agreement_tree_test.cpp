// SPDX-License-Identifier: Apache-2.0
#include "cluster/agreement_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.hpp"

namespace mbn {
namespace {

// Rows of `groups`, which agree in most codes within a group and by chance otherwise.
CodeMatrix codes_of(const std::vector<std::uint32_t>& groups, std::uint32_t clusterings,
                    std::uint64_t seed) {
  Random random(seed, Purpose::generate);
  CodeMatrix codes(groups.size(), clusterings, 40);
  codes.visit([&](auto* cells) {
    for (std::size_t i = 0; i < groups.size() * clusterings; ++i) {
      const std::uint32_t own = groups[i / clusterings];
      cells[i] = static_cast<std::remove_reference_t<decltype(cells[0])>>(
          random.below(4) != 0 ? own : random.below(40));
    }
  });
  return codes;
}

std::vector<std::uint32_t> three_groups() {
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < 90; ++i) groups.push_back(i < 40 ? 0 : i < 70 ? 1 : 2);
  return groups;
}

// The slow twin: which rows are connected by distances up to a height, tried pair by pair.
std::vector<std::size_t> groups_at(const std::vector<CodeMatrix>& layers, double height) {
  const std::size_t rows = layers[0].rows();
  double codes = 0;
  for (const CodeMatrix& layer : layers) codes += static_cast<double>(layer.clusterings());
  const auto unequal = [&](std::size_t i, std::size_t j) {
    std::size_t count = 0;
    for (const CodeMatrix& layer : layers) {
      for (std::size_t c = 0; c < layer.clusterings(); ++c)
        count += layer.at(i, c) != layer.at(j, c);
    }
    return static_cast<double>(count) / codes;
  };
  std::vector<double> core;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> others;
    for (std::size_t j = 0; j < rows; ++j) {
      if (j != i) others.push_back(unequal(i, j));
    }
    std::sort(others.begin(), others.end());
    core.push_back(others[std::min<std::size_t>(3, others.size() - 1)]);
  }
  std::vector<std::size_t> group(rows);
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::max({core[i], core[j], unequal(i, j)}) > height) continue;
      const auto [low, high] = std::minmax(group[i], group[j]);
      const std::size_t from = high;
      const std::size_t to = low;
      std::replace(group.begin(), group.end(), from, to);
    }
  }
  return group;
}

std::vector<std::size_t> groups_of(const std::vector<Merge>& merges, double height) {
  const std::size_t rows = merges.size() + 1;
  std::vector<std::set<std::size_t>> members(rows + merges.size());
  for (std::size_t i = 0; i < rows; ++i) members[i] = {i};
  std::vector<std::size_t> group(rows);
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < merges.size(); ++i) {
    members[rows + i] = members[merges[i].first];
    members[rows + i].insert(members[merges[i].second].begin(), members[merges[i].second].end());
    if (merges[i].height > height) continue;
    for (const std::size_t row : members[rows + i]) group[row] = *members[rows + i].begin();
  }
  return group;
}

TEST(AgreementTree, HasTheGroupsOfAllPairsAtEveryHeight) {
  const std::vector<CodeMatrix> layers{codes_of(three_groups(), 20, 1),
                                       codes_of(three_groups(), 33, 2)};
  Job job({});
  const std::vector<Merge> merges = agreement_tree(layers, job);
  ASSERT_EQ(merges.size(), 89U);
  for (std::size_t i = 0; i < merges.size(); i += 11) {
    EXPECT_EQ(groups_of(merges, merges[i].height), groups_at(layers, merges[i].height)) << i;
  }
}

TEST(AgreementTree, IsALinkageMatrix) {
  const std::vector<CodeMatrix> layers{codes_of(three_groups(), 50, 3)};
  Job job({});
  const std::vector<Merge> merges = agreement_tree(layers, job);
  std::set<std::uint32_t> used;
  for (std::size_t i = 0; i < merges.size(); ++i) {
    EXPECT_LT(merges[i].first, merges[i].second);
    EXPECT_LT(merges[i].second, 90 + i);
    EXPECT_TRUE(used.insert(merges[i].first).second && used.insert(merges[i].second).second);
    if (i > 0) {
      EXPECT_GE(merges[i].height, merges[i - 1].height);
    }
  }
  EXPECT_EQ(merges.back().rows, 90U);
}

TEST(AgreementTree, SameOnAnyNumberOfThreads) {
  const std::vector<CodeMatrix> layers{codes_of(three_groups(), 50, 4)};
  Job one(RunOptions{.threads = 1});
  Job three(RunOptions{.threads = 3});
  EXPECT_EQ(agreement_tree(layers, one), agreement_tree(layers, three));
}

TEST(AgreementTree, WhatItSaysDoesNotDependOnTheOrderOfRows) {
  const CodeMatrix codes = codes_of(three_groups(), 12, 5);
  std::vector<std::uint32_t> order(90);
  for (std::uint32_t i = 0; i < 90; ++i) order[i] = (i * 37 + 11) % 90;
  Job job({});
  const std::vector<CodeMatrix> given{codes};
  const std::vector<CodeMatrix> shuffled{codes.gather(order)};
  EXPECT_EQ(cuts_of(agreement_tree(given, job)), cuts_of(agreement_tree(shuffled, job)));
}

TEST(AgreementTree, TwoRows) {
  const std::vector<CodeMatrix> layers{codes_of({0, 0}, 10, 6)};
  Job job({});
  const std::vector<Merge> merges = agreement_tree(layers, job);
  ASSERT_EQ(merges.size(), 1U);
  EXPECT_EQ(merges[0].rows, 2U);
  EXPECT_TRUE(cuts_of(merges).empty());
}

TEST(TreeCuts, TheClearestCutIsTheThreeGroups) {
  const std::vector<CodeMatrix> layers{codes_of(three_groups(), 100, 7)};
  Job job({});
  const std::vector<Merge> merges = agreement_tree(layers, job);
  const std::vector<TreeCut> cuts = cuts_of(merges);
  ASSERT_FALSE(cuts.empty());
  EXPECT_EQ(cuts[0].clusters, 3U);
  const std::vector<std::int32_t> labels = labels_of(merges, cuts[0].least_rows);
  const std::vector<TreeBranch> branches = branches_of(merges, cuts[0].least_rows);
  EXPECT_EQ(branches[0].parent, -1);
  EXPECT_EQ(branches[0].rows, 90U);
  for (std::size_t i = 0; i < 90; ++i) EXPECT_EQ(labels[i], i < 40 ? 0 : i < 70 ? 1 : 2) << i;
}

// Four rows that join at one height, and two that join them higher up: by hand.
TEST(TreeCuts, MergesOfOneHeightAreOneSplit) {
  const std::vector<Merge> merges{
      {0, 1, 0.1, 2}, {2, 3, 0.1, 2}, {4, 5, 0.1, 2}, {6, 7, 0.5, 4}, {8, 9, 0.5, 6}};
  const std::vector<TreeCut> cuts = cuts_of(merges);
  ASSERT_EQ(cuts.size(), 1U);
  EXPECT_EQ(cuts[0], (TreeCut{3, 2, 3 * 1 / 6.0}));
  const std::vector<TreeBranch> branches = branches_of(merges, 2);
  ASSERT_EQ(branches.size(), 4U);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(branches[i].parent, 0);
  EXPECT_EQ(branches_of(merges, 3).size(), 1U);
  EXPECT_EQ(labels_of(merges, 3), std::vector<std::int32_t>(6, 0));
}

}  // namespace
}  // namespace mbn
