// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <mbn/error.hpp>
#include <mbn/marks.hpp>

#include "base/random.hpp"
#include "rows/kinds.hpp"

namespace mbn {
namespace {

// Noise around `origin`; cluster c is shifted by 3 in column 2 c, and by -2 in column 2 c + 1.
Matrix planted(std::span<const std::int32_t> labels, std::size_t columns, float origin,
               std::uint64_t seed) {
  Random random(seed, Purpose::generate);
  Matrix rows(labels.size(), columns);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    float* row = rows.mutable_row<float>(i);
    for (std::size_t j = 0; j < columns; ++j) row[j] = origin + static_cast<float>(random.normal());
    const auto first = 2 * static_cast<std::size_t>(labels[i]);
    row[first] += 3;
    row[first + 1] -= 2;
  }
  return rows;
}

std::vector<std::int32_t> three_clusters(std::size_t rows) {
  std::vector<std::int32_t> labels(rows);
  for (std::size_t i = 0; i < rows; ++i) labels[i] = static_cast<std::int32_t>(i % 3);
  return labels;
}

TEST(ClusterMarks, NameThePlantedColumnsFirstInTwentySeeds) {
  const auto labels = three_clusters(300);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const float origin : {0.0F, 1e5F}) {
      const auto found = cluster_marks(planted(labels, 40, origin, seed), labels, 3);
      for (std::uint32_t c = 0; c < 3; ++c) {
        ASSERT_GE(found[c].marks.size(), 2U);
        EXPECT_EQ(found[c].marks[0].column, 2 * c);
        EXPECT_GT(found[c].marks[0].effect, 1);
        EXPECT_EQ(found[c].marks[1].column, 2 * c + 1);
        EXPECT_LT(found[c].marks[1].effect, -0.7);
        EXPECT_EQ(found[c].rows, 100U);
      }
    }
  }
}

TEST(ClusterMarks, MeansAreThoseOfPlainSums) {
  const auto labels = three_clusters(90);
  const Matrix rows = planted(labels, 8, 5, 1);
  const auto found = cluster_marks(rows, labels, 3, 8);
  const Mark& mark = found[1].marks.at(0);
  double inside = 0;
  double outside = 0;
  double squares = 0;
  for (std::size_t i = 0; i < 90; ++i) {
    const double value = rows.at(i, mark.column);
    (labels[i] == 1 ? inside : outside) += value;
  }
  const double mean = (inside + outside) / 90;
  for (std::size_t i = 0; i < 90; ++i) squares += std::pow(rows.at(i, mark.column) - mean, 2);
  EXPECT_NEAR(mark.inside, inside / 30, 1e-9);
  EXPECT_NEAR(mark.outside, outside / 60, 1e-9);
  EXPECT_NEAR(mark.effect, (inside / 30 - outside / 60) / std::sqrt(squares / 90), 1e-6);
}

TEST(ClusterMarks, OfSparseRowsAreSharesOfRowsThatHaveTheColumn) {
  // Word 0 in all rows, word 1 in cluster 0 only, word 2 in half of both.
  Matrix dense(8, 3);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 8; ++i) {
    labels.push_back(i < 4 ? 0 : 1);
    dense.mutable_row<float>(i)[0] = 5;
    dense.mutable_row<float>(i)[1] = i < 4 ? 7 : 0;
    dense.mutable_row<float>(i)[2] = i % 2 == 0 ? 1 : 0;
  }
  const Rows sparse = as_sparse(dense);
  const auto found = cluster_marks(sparse, labels, 2);
  ASSERT_EQ(found[0].marks.size(), 1U);
  EXPECT_EQ(found[0].marks[0].column, 1U);
  EXPECT_DOUBLE_EQ(found[0].marks[0].inside, 1);
  EXPECT_DOUBLE_EQ(found[0].marks[0].outside, 0);
  EXPECT_TRUE(found[1].marks.empty()) << "what a cluster lacks is no word for it";
  const std::vector<std::string> words{"the", "car", "of"};
  EXPECT_EQ(describe(found[0], words, true), "car (100 % of its rows, 0 % of the others)");
  EXPECT_EQ(describe(found[1], words, true), "");
}

TEST(ClusterMarks, ConstantColumnsAndEmptyClustersHaveNone) {
  Matrix rows(6, 2);
  for (std::size_t i = 0; i < 6; ++i) rows.mutable_row<float>(i)[0] = 0.1F;
  const std::vector<std::int32_t> labels{0, 0, 0, 1, 1, -1};
  const auto found = cluster_marks(rows, labels, 3);
  for (const ClusterMarks& cluster : found) EXPECT_TRUE(cluster.marks.empty());
  EXPECT_EQ(found[0].rows, 3U);
  EXPECT_EQ(found[1].rows, 2U);
  EXPECT_EQ(found[2].rows, 0U);
}

TEST(ClusterMarks, SayHighAndLow) {
  const ClusterMarks cluster{50, {{1, 1.9, 5.55, 2.64}, {0, -0.8, 2.77, 3.18}}};
  const std::vector<std::string> names{"sepal width", "petal length"};
  EXPECT_EQ(describe(cluster, names),
            "high petal length (5.55, others 2.64), low sepal width (2.77, others 3.18)");
  EXPECT_EQ(describe(cluster, {}),
            "high column 2 (5.55, others 2.64), low column 1 (2.77, others "
            "3.18)");
}

TEST(ClusterMarks, RefuseLabelsThatDoNotFit) {
  const Matrix rows(4, 2);
  EXPECT_THROW(cluster_marks(rows, std::vector<std::int32_t>{0, 1}, 2), InvalidArgument);
  EXPECT_THROW(cluster_marks(rows, std::vector<std::int32_t>{0, 1, 2, 0}, 2), InvalidArgument);
}

TEST(ClusterMarks, AreTheSameForAnyNumberOfThreads) {
  const auto labels = three_clusters(200);
  const Matrix rows = planted(labels, 100, 0, 3);
  const auto one = cluster_marks(rows, labels, 3, 9, {.threads = 1});
  EXPECT_EQ(cluster_marks(rows, labels, 3, 9, {.threads = 3}), one);
}

}  // namespace
}  // namespace mbn
