// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>

#include "base/random.hpp"
#include "input/files.hpp"

namespace mbn {
namespace {

/// Rows on a half circle, at these angles in degrees.
Matrix at_angles(const std::vector<double>& degrees) {
  Matrix rows(degrees.size(), 2);
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    // The length does not matter.
    const double length = 1 + static_cast<double>(i);
    rows.mutable_row<float>(i)[0] = static_cast<float>(length * std::cos(degrees[i] * M_PI / 180));
    rows.mutable_row<float>(i)[1] = static_cast<float>(length * std::sin(degrees[i] * M_PI / 180));
  }
  return rows;
}

SparseMatrix sets(const std::vector<std::vector<std::uint32_t>>& labels) {
  SparseMatrix matrix;
  matrix.columns = 10;
  for (const auto& row : labels) {
    matrix.indices.insert(matrix.indices.end(), row.begin(), row.end());
    matrix.values.resize(matrix.indices.size(), 1);
    matrix.starts.push_back(matrix.indices.size());
  }
  return matrix;
}

TEST(Retrieval, CountsByHand) {
  // Nearest first: 0: 1 2 3, 1: 0 2 3, 2: 1 0 3 (20 and 30 degrees), 3: 2 1 0.
  const Matrix rows = at_angles({0, 10, 30, 60});
  const RetrievalCurve curve = score_retrieval(rows, sets({{1}, {1, 2}, {2}, {3}}));
  EXPECT_EQ(curve.retrieved, (std::vector<std::uint32_t>{1, 3}));
  // At 1: 0-1 shares, 1-0 shares, 2-1 shares, 3-2 does not. At 3: 1, 2, 1, 0 of 3.
  EXPECT_DOUBLE_EQ(curve.accuracy[0], 3.0 / 4);
  EXPECT_DOUBLE_EQ(curve.accuracy[1], 4.0 / 12);
  EXPECT_EQ(curve.queries, 4u);
  EXPECT_EQ(curve.labelled, 4u);
}

TEST(Retrieval, UnlabelledIsNeverRight) {
  const Matrix rows = at_angles({0, 10, 30, 60});
  SparseMatrix labels = sets({{1}, {}, {1}, {}});
  const RetrievalCurve curve = score_retrieval(rows, labels);
  // Two rows without labels are not alike; hits are 0-2 and 2-0, each in third place or better.
  EXPECT_DOUBLE_EQ(curve.accuracy[0], 0);
  EXPECT_DOUBLE_EQ(curve.accuracy[1], 2.0 / 12);
  EXPECT_EQ(curve.labelled, 2u);
  labels.values[0] = 0;  // a stored zero is no label
  EXPECT_DOUBLE_EQ(score_retrieval(rows, labels).accuracy[1], 0);
}

TEST(Retrieval, GroupsArePassedOver) {
  const Matrix rows = at_angles({0, 10, 30, 60});
  const std::vector<std::int32_t> groups = {7, 7, 1, 2};
  const RetrievalCurve curve =
      score_retrieval(rows, sets({{1}, {1}, {1}, {3}}), {.deepest = 3, .groups = groups});
  // 0: 2, then 3, then nobody. 1 the same. 2: 1, 0, 3. 3: 2, 1, 0.
  EXPECT_DOUBLE_EQ(curve.accuracy[0], 3.0 / 4);
  EXPECT_DOUBLE_EQ(curve.accuracy[1], 4.0 / 12);
}

TEST(Retrieval, DepthAndThreads) {
  Random random(3, Purpose::generate);
  Matrix rows(101, 5);
  std::vector<std::vector<std::uint32_t>> labels;
  for (std::size_t i = 0; i < 101; ++i) {
    for (std::size_t c = 0; c < 5; ++c) {
      rows.mutable_row<float>(i)[c] = static_cast<float>(random.uniform() - 0.5);
    }
    labels.push_back({random.below(3)});
  }
  const RetrievalCurve curve = score_retrieval(rows, sets(labels), {}, {.threads = 1});
  EXPECT_EQ(curve.retrieved, (std::vector<std::uint32_t>{1, 3, 7, 15, 31, 63}));
  EXPECT_EQ(curve.accuracy, score_retrieval(rows, sets(labels), {}, {.threads = 4}).accuracy);
  EXPECT_EQ(score_retrieval(rows, sets(labels), {.deepest = 10}).retrieved.back(), 7u);
  EXPECT_NEAR(curve.accuracy.back(), 1.0 / 3, 0.06);
}

TEST(Retrieval, RefusesWhatDoesNotFit) {
  const Matrix rows = at_angles({0, 10});
  const std::vector<std::int32_t> groups = {1};
  files::expect_error<InvalidArgument>([&] { score_retrieval(at_angles({1}), sets({{1}})); },
                                       {"at least 2 rows"});
  files::expect_error<InvalidArgument>([&] { score_retrieval(rows, sets({{1}})); },
                                       {"labels for 1 rows", "has 2"});
  files::expect_error<InvalidArgument>(
      [&] {
        score_retrieval(rows, sets({{1}, {1}}), {.groups = groups});
      },
      {"groups for 1"});
  files::expect_error<InvalidArgument>(
      [&] {
        score_retrieval(rows, sets({{1}, {1}}), {.deepest = 0});
      },
      {"deepest is 0"});
}

}  // namespace
}  // namespace mbn
