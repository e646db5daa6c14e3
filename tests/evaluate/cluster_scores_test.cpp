// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>

#include "evaluate/contingency.hpp"

namespace mbn {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using Labels32 = std::vector<std::int32_t>;
constexpr double kClose = 1e-12;

const Labels32 kTruth{0, 0, 0, 1, 1, 1, 2, 2, 2, 2};
const Labels32 kLabels{5, 5, -1, -1, -1, -1, 9, 9, 9, 5};

/// 200 rows by formula, so that another program can make them again.
Labels32 formula_truth() {
  Labels32 truth(200);
  for (std::int32_t i = 0; i < 200; ++i) truth[i] = (i * i + 3 * i) % 7;
  return truth;
}
Labels32 formula_labels() {
  Labels32 labels = formula_truth();
  for (std::int32_t i = 0; i < 200; ++i) labels[i] = i % 5 == 0 ? i * 7 % 11 : labels[i] % 4;
  return labels;
}

TEST(ClusterScores, AgreeWithScikitLearnOnTenRows) {
  EXPECT_NEAR(normalized_mutual_information(kLabels, kTruth), 0.6180656462921543, kClose);
  EXPECT_NEAR(normalized_mutual_information(kLabels, kTruth, Normalization::joint),
              0.44724674846806756, kClose);
  EXPECT_NEAR(adjusted_rand_index(kLabels, kTruth), 0.4318181818181818, kClose);
  EXPECT_DOUBLE_EQ(clustering_accuracy(kLabels, kTruth), 0.8);
  EXPECT_DOUBLE_EQ(purity(kLabels, kTruth), 0.8);
}

TEST(ClusterScores, AgreeWithScikitLearnOnTwoHundredRows) {
  const Labels32 labels = formula_labels();
  const Labels32 truth = formula_truth();
  const auto nmi = [&](Normalization normalization) {
    return normalized_mutual_information(labels, truth, normalization);
  };
  EXPECT_NEAR(nmi(Normalization::geometric), 0.48147630226023225, kClose);
  EXPECT_NEAR(nmi(Normalization::arithmetic), 0.4804168871555974, kClose);
  EXPECT_NEAR(nmi(Normalization::minimum), 0.5145309203062184, kClose);
  EXPECT_NEAR(nmi(Normalization::maximum), 0.45054518686694534, kClose);
  EXPECT_NEAR(nmi(Normalization::joint), 0.3161504514592415, kClose);
  EXPECT_NEAR(adjusted_rand_index(labels, truth), 0.45664064312776814, kClose);
  EXPECT_DOUBLE_EQ(clustering_accuracy(labels, truth), 119 / 200.0);
  EXPECT_DOUBLE_EQ(purity(labels, truth), 130 / 200.0);
}

TEST(ClusterScores, TogetherAreTheSingleOnes) {
  const ClusterScores scores = score_clusters(formula_labels(), formula_truth());
  EXPECT_EQ(scores.nmi, normalized_mutual_information(formula_labels(), formula_truth()));
  EXPECT_EQ(scores.accuracy, clustering_accuracy(formula_labels(), formula_truth()));
  EXPECT_EQ(scores.ari, adjusted_rand_index(formula_labels(), formula_truth()));
  EXPECT_EQ(scores.purity, purity(formula_labels(), formula_truth()));
}

TEST(ClusterScores, OneGroupOnBothSidesIsPerfect) {
  const ClusterScores scores = score_clusters(Labels32{7, 7, 7}, Labels32{-2, -2, -2});
  EXPECT_EQ(scores.nmi, 1);
  EXPECT_EQ(scores.accuracy, 1);
  EXPECT_EQ(scores.ari, 1);
  EXPECT_EQ(scores.purity, 1);
}

TEST(ClusterScores, OneSingleRowIsPerfect) {
  const ClusterScores scores = score_clusters(Labels32{3}, Labels32{4});
  EXPECT_EQ(scores.nmi, 1);
  EXPECT_EQ(scores.ari, 1);
}

TEST(ClusterScores, GroupsOfOneRowOnBothSidesArePerfect) {
  const ClusterScores scores = score_clusters(Labels32{1, 2, 3, 4}, Labels32{9, -9, 0, 5});
  EXPECT_EQ(scores.nmi, 1);
  EXPECT_EQ(scores.accuracy, 1);
  EXPECT_EQ(scores.ari, 1);
  EXPECT_EQ(scores.purity, 1);
}

TEST(ClusterScores, ASideThatTellsNothingHasNoInformation) {
  const Labels32 constant{1, 1, 1, 1};
  const Labels32 varied{0, 0, 1, 2};
  for (const auto normalization :
       {Normalization::geometric, Normalization::arithmetic, Normalization::minimum,
        Normalization::maximum, Normalization::joint}) {
    EXPECT_EQ(normalized_mutual_information(constant, varied, normalization), 0);
    EXPECT_EQ(normalized_mutual_information(varied, constant, normalization), 0);
  }
  EXPECT_EQ(adjusted_rand_index(constant, varied), 0);
  EXPECT_EQ(clustering_accuracy(constant, varied), 0.5);
  EXPECT_EQ(purity(constant, varied), 0.5);
  EXPECT_EQ(purity(varied, constant), 1);
}

TEST(ClusterScores, IndependentLabelsHaveNoInformation) {
  EXPECT_EQ(normalized_mutual_information(Labels32{0, 0, 1, 1}, Labels32{0, 1, 0, 1}), 0);
  EXPECT_DOUBLE_EQ(adjusted_rand_index(Labels32{0, 0, 1, 1}, Labels32{0, 1, 0, 1}), -0.5);
}

TEST(ClusterScores, ExtremeLabelValuesAreNamesLikeOthers) {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(clustering_accuracy(Labels32{kLeast, kMost, kMost}, Labels32{0, 1, 1}), 1);
}

TEST(ClusterScores, ThousandsOfLabelsAreMatched) {
  constexpr std::int32_t kCount = 4000;
  Labels32 labels(3 * kCount);
  Labels32 truth(3 * kCount);
  for (std::int32_t i = 0; i < 3 * kCount; ++i) {
    labels[i] = i % kCount;
    // Every cluster keeps two of its three rows in a class of its own.
    truth[i] = i < 2 * kCount ? kCount - labels[i] : (labels[i] * 7 + 1) % kCount;
  }
  EXPECT_GE(clustering_accuracy(labels, truth), 2.0 / 3);
  EXPECT_LT(clustering_accuracy(labels, truth), 0.7);
}

TEST(ClusterScores, DifferentLengthsAreRefusedWithBothLengths) {
  try {
    score_clusters(Labels32{1, 2, 3}, Labels32{1, 2});
    FAIL() << "no exception";
  } catch (const InvalidArgument& error) {
    EXPECT_PRED2(holds, error.what(), "3 labels");
    EXPECT_PRED2(holds, error.what(), "2 true classes");
  }
}

TEST(ClusterScores, NoRowsAreRefused) {
  EXPECT_THROW(score_clusters({}, {}), InvalidArgument);
  EXPECT_THROW(normalized_mutual_information({}, {}), InvalidArgument);
  EXPECT_THROW(clustering_accuracy({}, {}), InvalidArgument);
  EXPECT_THROW(adjusted_rand_index({}, {}), InvalidArgument);
  EXPECT_THROW(purity({}, {}), InvalidArgument);
}

TEST(Contingency, CountsPairsInOrder) {
  const Contingency table = count_pairs(kLabels, kTruth);
  EXPECT_EQ(table.rows, 10U);
  EXPECT_EQ(table.cluster_sizes, (std::vector<std::uint64_t>{4, 3, 3}));
  EXPECT_EQ(table.class_sizes, (std::vector<std::uint64_t>{3, 3, 4}));
  const std::vector<Contingency::Cell> cells{{0, 0, 1}, {0, 1, 3}, {1, 0, 2}, {1, 2, 1}, {2, 2, 3}};
  EXPECT_EQ(table.cells, cells);
}

/// Pairs of label lists of one length with few different values.
rc::Gen<std::pair<Labels32, Labels32>> label_pairs() {
  return rc::gen::mapcat(rc::gen::inRange(1, 40), [](int rows) {
    const auto labels = rc::gen::container<Labels32>(rows, rc::gen::inRange(-2, 4));
    return rc::gen::pair(labels, labels);
  });
}

Labels32 renamed(const Labels32& labels) {
  Labels32 others;
  for (const std::int32_t label : labels) others.push_back(1000 - 77 * label);
  return others;
}

RC_GTEST_PROP(ClusterScoresProperty, SymmetricWhereTheyShouldBe, ()) {
  const auto [labels, truth] = *label_pairs();
  const ClusterScores one = score_clusters(labels, truth);
  const ClusterScores other = score_clusters(truth, labels);
  RC_ASSERT(std::abs(one.nmi - other.nmi) < kClose);
  RC_ASSERT(std::abs(one.ari - other.ari) < kClose);
  RC_ASSERT(one.accuracy == other.accuracy);
}

RC_GTEST_PROP(ClusterScoresProperty, NamesDoNotMatter, ()) {
  const auto [labels, truth] = *label_pairs();
  const ClusterScores one = score_clusters(labels, truth);
  const ClusterScores other = score_clusters(renamed(labels), truth);
  RC_ASSERT(std::abs(one.nmi - other.nmi) < kClose);
  RC_ASSERT(std::abs(one.ari - other.ari) < kClose);
  RC_ASSERT(one.accuracy == other.accuracy);
  RC_ASSERT(one.purity == other.purity);
}

RC_GTEST_PROP(ClusterScoresProperty, StayInTheirRanges, ()) {
  const auto [labels, truth] = *label_pairs();
  const ClusterScores scores = score_clusters(labels, truth);
  RC_ASSERT(scores.nmi >= 0 && scores.nmi <= 1);
  RC_ASSERT(scores.ari >= -1 && scores.ari <= 1);
  RC_ASSERT(scores.accuracy > 0 && scores.accuracy <= scores.purity && scores.purity <= 1);
}

RC_GTEST_PROP(ClusterScoresProperty, RenamedTruthIsPerfect, ()) {
  const auto labels = (*label_pairs()).first;
  const ClusterScores scores = score_clusters(renamed(labels), labels);
  RC_ASSERT(scores.nmi == 1);
  RC_ASSERT(scores.ari == 1);
  RC_ASSERT(scores.accuracy == 1);
}

RC_GTEST_PROP(ClusterScoresProperty, AccuracyIsTheBestOfAllPermutations, ()) {
  const auto [labels, truth] = *label_pairs();
  std::vector<std::int32_t> names(6);
  std::iota(names.begin(), names.end(), -2);
  std::size_t best = 0;
  do {
    std::size_t agreeing = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      agreeing += names[static_cast<std::size_t>(labels[i] + 2)] == truth[i] ? 1 : 0;
    }
    best = std::max(best, agreeing);
  } while (std::next_permutation(names.begin(), names.end()));
  const double expected = static_cast<double>(best) / static_cast<double>(labels.size());
  RC_ASSERT(clustering_accuracy(labels, truth) == expected);
}

}  // namespace
}  // namespace mbn
