// SPDX-License-Identifier: Apache-2.0
#include "base/principal_axes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "kernels/every_target.hpp"
#include "rows/dense_operator.hpp"

namespace mbn::pca {
namespace {

// Rows whose variance falls by a third from one hidden direction to the next, down to noise.
Matrix falling(std::size_t rows, std::size_t columns) {
  Matrix matrix(rows, columns);
  Random random(2, Purpose::generate);
  std::vector<double> mix(columns * columns);
  for (double& cell : mix) cell = random.normal();
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> sum(columns);
    double size = 1;
    for (std::size_t h = 0; h < columns; ++h, size *= 0.8) {
      const double factor = size * random.normal();
      for (std::size_t j = 0; j < columns; ++j) sum[j] += factor * mix[h * columns + j];
    }
    for (std::size_t j = 0; j < columns; ++j) {
      matrix.mutable_row<float>(i)[j] = static_cast<float>(sum[j]);
    }
  }
  return matrix;
}

Eigen::MatrixXd as_eigen(const Matrix& rows) {
  Eigen::MatrixXd matrix(rows.rows(), rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows.at(i, j);
    }
  }
  return matrix;
}

class LeadingAxes : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {};

TEST_P(LeadingAxes, AreThoseOfTheSingularValueDecomposition) {
  const Matrix rows = falling(GetParam().first, GetParam().second);
  Job job({.threads = 2});
  const PrincipalAxes axes = leading_axes(DenseOperator(rows, job), 10);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(as_eigen(rows), Eigen::ComputeThinV);
  ASSERT_EQ(axes.directions.columns, 10U);
  for (Eigen::Index c = 0; c < 10; ++c) {
    const double value = svd.singularValues()[c];
    EXPECT_NEAR(axes.scatter[c], value * value, 1e-3 * value * value) << c;
    double along = 0;
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      along += axes.directions.row(j)[c] * svd.matrixV()(static_cast<Eigen::Index>(j), c);
    }
    EXPECT_NEAR(std::abs(along), 1, 1e-2) << c;
  }
}

INSTANTIATE_TEST_SUITE_P(TallAndWide, LeadingAxes,
                         testing::Values(std::pair{200UL, 60UL}, std::pair{50UL, 90UL}));

TEST(LeadingAxes, AreTheSameBytesOnAnyThreadsAndProcessor) {
  const Matrix rows = falling(700, 60);
  Job one({.threads = 1});
  const PrincipalAxes expected = leading_axes(DenseOperator(rows, one), 7);
  on_every_target([&] {
    Job three({.threads = 3});
    EXPECT_EQ(leading_axes(DenseOperator(rows, three), 7).directions.cells,
              expected.directions.cells);
  });
}

TEST(LeadingAxes, DirectionsWithoutVarianceAreLeftOut) {
  Matrix rows(40, 30);
  Random random(1, Purpose::generate);
  for (std::size_t i = 0; i < 40; ++i) {
    const auto a = static_cast<float>(random.normal());
    const auto b = static_cast<float>(random.normal());
    for (std::size_t j = 0; j < 30; ++j) {
      rows.mutable_row<float>(i)[j] = j % 2 == 0 ? a : 2 * b;
    }
  }
  Job job({.threads = 1});
  EXPECT_EQ(leading_axes(DenseOperator(rows, job), 5).directions.columns, 2U);
  EXPECT_EQ(leading_axes(DenseOperator(Matrix(40, 30), job), 5).directions.columns, 0U);
}

}  // namespace
}  // namespace mbn::pca
