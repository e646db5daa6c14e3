// SPDX-License-Identifier: Apache-2.0
#include "map/start_places.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

// Three columns of the input and one of the network, of which the given one varies most.
Matrix joint_rows_along(std::size_t column, float reach) {
  Matrix joint(600, 4);
  Random random(3, Purpose::generate);
  for (std::size_t i = 0; i < joint.rows(); ++i) {
    for (std::size_t j = 0; j < joint.columns(); ++j) {
      const auto at = static_cast<float>(2 * random.uniform() - 1);
      joint.mutable_row<float>(i)[j] = j == column ? reach * at : at;
    }
  }
  return joint;
}

double correlation(const Matrix& places, const Matrix& joint, std::size_t column) {
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < joint.rows(); ++i) {
    const double x = double{places.view().at(i, 0)};
    const double y = double{joint.view().at(i, column)};
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return std::abs(xy) / std::sqrt(xx * yy);
}

TEST(StartPlaces, GoAlongWhatVariesMost) {
  const Matrix joint = joint_rows_along(1, 4);
  Job job({.threads = 2});
  EXPECT_GT(correlation(start_along_directions(joint, 1, 2, 0, job), joint, 1), 0.95);
}

TEST(StartPlaces, TheNetworkCountsTwice) {
  const Matrix joint = joint_rows_along(1, 1.5F);
  Job job({.threads = 2});
  EXPECT_GT(correlation(start_along_directions(joint, 1, 2, 0, job), joint, 3), 0.8);
  EXPECT_GT(correlation(start_along_directions(joint, 0, 2, 0, job), joint, 1), 0.8);
}

TEST(StartPlaces, AreTheSameForAnyNumberOfThreads) {
  const Matrix joint = joint_rows_along(0, 2);
  Job one({.threads = 1});
  const Matrix expected = start_along_directions(joint, 1, 3, 7, one);
  for (const unsigned threads : {2U, 3U}) {
    Job job({.threads = threads});
    EXPECT_TRUE(same_bytes(start_along_directions(joint, 1, 3, 7, job), expected)) << threads;
  }
}

TEST(StartPlaces, OfManyRowsAreTheirFirstComponents) {
  const Matrix components = joint_rows_along(0, 2);
  std::vector<std::uint32_t> numbers(components.rows());
  std::iota(numbers.begin(), numbers.end(), 0U);
  const Matrix places = start_along_components(components, numbers, 2, 0);
  EXPECT_GT(correlation(places, components, 0), 0.99);
}

TEST(StartPlaces, OfRowsWithoutVarianceAreALittleApart) {
  const Matrix joint(5, 2);
  Job job({.threads = 1});
  const Matrix places = start_along_directions(joint, 1, 3, 0, job);
  for (std::size_t i = 0; i < places.rows(); ++i) {
    for (std::size_t c = 0; c < places.columns(); ++c) {
      EXPECT_LE(std::abs(places.view().at(i, c)), 0.01F);
      EXPECT_NE(places.view().at(i, c), 0.0F);
    }
  }
}

}  // namespace
}  // namespace mbn
