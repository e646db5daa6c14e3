// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/generate.hpp>

#include "network/votes.hpp"

namespace mbn {
namespace {

Table blobs() {
  return generate(
      {.kind = ToyKind::gaussians, .rows = 300, .columns = 6, .clusters = 3, .seed = 2});
}

FitOptions small() {
  return {.clusterings = 40, .decay = 0.5, .clusters = 3, .restarts = 5, .seed = 3};
}

TEST(Votes, AreTheSharesOfTheClustersInACell) {
  CodeMatrix codes(4, 2, 3);
  const std::vector<std::vector<std::uint32_t>> given = {{0, 2}, {0, 2}, {1, 2}, {0, 0}};
  codes.visit([&](auto* cells) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t v = 0; v < 2; ++v) {
        cells[2 * i + v] = static_cast<std::remove_reference_t<decltype(*cells)>>(given[i][v]);
      }
    }
  });
  const std::vector<std::int32_t> labels = {0, 1, 1, 0};
  const Matrix votes = count_votes(codes, labels, 2);
  ASSERT_EQ(votes.rows(), 6U);
  EXPECT_FLOAT_EQ(votes.at(0, 0), 2.0F / 3);  // clustering 0, cell 0: rows 0, 1, 3
  EXPECT_FLOAT_EQ(votes.at(1, 1), 1);
  EXPECT_FLOAT_EQ(votes.at(2, 0), 0.5F);  // nobody: all clusters alike
  EXPECT_FLOAT_EQ(votes.at(5, 1), 2.0F / 3);
  Job job(RunOptions{.threads = 2});
  const Matrix said = vote(votes, codes, job);
  EXPECT_FLOAT_EQ(said.at(0, 0), (2.0F / 3 + 1.0F / 3) / 2);
  EXPECT_FLOAT_EQ(said.at(2, 1), (1 + 2.0F / 3) / 2);
}

TEST(Votes, ConfidenceComparesTheLabelWithTheNextBest) {
  Matrix probabilities(3, 3);
  const float rows[3][3] = {{0.6F, 0.3F, 0.1F}, {0.5F, 0.5F, 0}, {0, 1, 0}};
  for (std::size_t i = 0; i < 3; ++i) std::copy_n(rows[i], 3, probabilities.mutable_row<float>(i));
  const std::vector<std::int32_t> labels = {0, 1, 2};
  const auto confidence = confidence_of(probabilities, labels);
  EXPECT_FLOAT_EQ(confidence[0], 2.0F / 3);
  EXPECT_FLOAT_EQ(confidence[1], 0.5F);
  EXPECT_FLOAT_EQ(confidence[2], 0);
}

TEST(Votes, TheFitAndTheModelAndItsFileSayTheSame) {
  const Table table = blobs();
  const FitResult result = fit_transform(table.rows, small());
  const Assignment again =
      Model::from_bytes(result.model.to_bytes()).assign(table.rows, {.threads = 3});
  EXPECT_EQ(again.labels, result.labels);
  EXPECT_EQ(again.confidence, result.confidence);
  for (std::size_t i = 0; i < 300; ++i) {
    const float* row = again.probabilities.row<float>(i);
    EXPECT_NEAR(std::accumulate(row, row + 3, 0.0F), 1, 1e-5);
  }
  const Assignment one = result.model.assign(table.rows.view().slice(17, 1));
  EXPECT_EQ(one.confidence[0], again.confidence[17]);
}

TEST(Votes, RowsBetweenClustersAreLessSureThanOthers) {
  const Table table =
      generate({.kind = ToyKind::gaussians, .rows = 600, .columns = 2, .clusters = 3, .seed = 5});
  FitOptions options = small();
  options.feature_fraction = 1;
  const FitResult result = fit_transform(table.rows, options);
  std::vector<std::size_t> order(600);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return result.confidence[i]; });
  EXPECT_LT(result.confidence[order[0]], 0.6F);
  EXPECT_GT(result.confidence[order[300]], 0.75F);
  EXPECT_TRUE(std::ranges::all_of(result.confidence, [](float c) { return c >= 0 && c <= 1; }));
}

TEST(Votes, AModelWithoutClustersHasNone) {
  const Table table = blobs();
  FitOptions options = small();
  options.clusters = Clusters::unknown;
  const FitResult result = fit_transform(table.rows, options);
  EXPECT_TRUE(result.confidence.empty());
  EXPECT_THROW(result.model.assign(table.rows), Error);
}

}  // namespace
}  // namespace mbn
