// SPDX-License-Identifier: Apache-2.0
#include "describe/cluster_means.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mbn {
namespace {

TEST(ClusterMeans, AreOverTheRowsThatHaveAValue) {
  const std::vector<float> cells = {1, 10, 3, NAN, 5, 30, 100, NAN, 9, 9};
  const MatrixView rows(cells.data(), 5, 2);
  const std::vector<std::int32_t> labels = {0, 0, 0, 1, -1};
  Job job{RunOptions{}};
  const Matrix means = cluster_means(rows, labels, 3, job);
  EXPECT_EQ(means.at(0, 0), 3);
  EXPECT_EQ(means.at(0, 1), 20);
  EXPECT_EQ(means.at(1, 0), 100);
  EXPECT_EQ(means.at(1, 1), 0) << "no row has one";
  EXPECT_EQ(means.at(2, 0), 0) << "no row at all";
}

TEST(ClusterMeans, OfSparseRowsCountTheZeros) {
  SparseMatrix rows;
  rows.columns = 2;
  rows.indices = {1, 0};
  rows.values = {6, 2};
  rows.starts = {0, 1, 1, 2};
  Job job{RunOptions{}};
  const Matrix means = cluster_means(rows, std::vector<std::int32_t>{0, 0, 1}, 2, job);
  EXPECT_EQ(means.at(0, 0), 0);
  EXPECT_EQ(means.at(0, 1), 3);
  EXPECT_EQ(means.at(1, 0), 2);
}

}  // namespace
}  // namespace mbn
