// SPDX-License-Identifier: Apache-2.0
#include "map/joint_space.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rows/kinds.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

double variance(MatrixView rows, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t c = first; c < last; ++c) {
    double mean = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) mean += double{rows.at(i, c)};
    mean /= static_cast<double>(rows.rows());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      sum += (double{rows.at(i, c)} - mean) * (double{rows.at(i, c)} - mean);
    }
  }
  return sum / static_cast<double>(rows.rows());
}

TEST(JointSpace, TheInputHasDeviationOneAndTheNetworkLess) {
  const Matrix rows = as_floats(toy_images(300, 20, 3));
  const Matrix components = as_floats(toy_images(300, 4, 3, 9));
  Job job({.threads = 2});
  const JointSpace space = fit_joint_space(rows, true, components, Metric::euclidean, false, job);
  const Matrix joint = joint_rows(space, rows, components, job);
  ASSERT_EQ(joint.columns(), 24U);
  EXPECT_NEAR(variance(joint, 0, 20), 1, 1e-5);
  EXPECT_NEAR(variance(joint, 20, 24), 0.04, 1e-5);
  const JointSpace along = fit_joint_space(rows, false, components, Metric::euclidean, false, job);
  EXPECT_NEAR(variance(joint_rows(along, rows, components, job), 20, 24), 0.64, 1e-5);
}

TEST(JointSpace, ManyColumnsAndCompressedRowsBecomeDirections) {
  const Matrix rows = as_floats(toy_images(300, 230, 3));
  const Matrix components = as_floats(toy_images(300, 4, 3, 9));
  Job job({.threads = 2});
  const JointSpace space = fit_joint_space(rows, true, components, Metric::euclidean, false, job);
  EXPECT_EQ(joint_rows(space, rows, components, job).columns(), 54U);
  EXPECT_EQ(joint_columns(230, false, 4), 54U);
  const Rows sparse = as_sparse(rows);
  const JointSpace other = fit_joint_space(sparse, true, components, Metric::euclidean, false, job);
  const Matrix joint = joint_rows(other, sparse, components, job);
  EXPECT_EQ(joint.columns(), 54U);
  EXPECT_NEAR(variance(joint, 0, 50), 1, 1e-5);
  EXPECT_NEAR(variance(joint, 50, 54), 0.64, 1e-5);
  // A row alone is that row among others.
  EXPECT_TRUE(
      same_bytes(joint_rows(other, sparse.view().slice(7, 1), components.view().slice(7, 1), job),
                 joint.view().slice(7, 1)));
}

TEST(JointSpace, RowsWithoutVarianceCountForNothing) {
  const Matrix rows(5, 3);
  const Matrix components(5, 2);
  Job job({});
  const JointSpace space = fit_joint_space(rows, true, components, Metric::euclidean, false, job);
  EXPECT_EQ(space.input_factor, 0);
  EXPECT_EQ(space.network_factor, 0);
  const Rows sparse = as_sparse(rows);
  const JointSpace of_sparse =
      fit_joint_space(sparse, true, components, Metric::euclidean, false, job);
  EXPECT_EQ(joint_rows(of_sparse, sparse, components, job).columns(), 2U);
}

TEST(JointSpace, ZerosAreNeverNegative) {
  Matrix rows(2, 1);
  rows.mutable_row<float>(0)[0] = -0.0F;
  rows.mutable_row<float>(1)[0] = 1;
  const Matrix components(2, 1);
  Job job({});
  const JointSpace space = fit_joint_space(rows, true, components, Metric::euclidean, false, job);
  EXPECT_FALSE(std::signbit(joint_rows(space, rows, components, job).view().at(0, 0)));
}

}  // namespace
}  // namespace mbn
