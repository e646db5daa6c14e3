// SPDX-License-Identifier: Apache-2.0
#include "rows/partial_distance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "rows/metric.hpp"
#include "rows/toy.hpp"
#include "rows/with_holes.hpp"

namespace mbn {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(PartialDistance, ByHand) {
  const std::array<float, 4> x{1, 2, kNan, kNan};
  const std::array<float, 4> w{4, kNan, 9, kNan};
  const std::array<double, 4> expected{10, 20, 30, 40};
  EXPECT_EQ(partial_distance(x.data(), w.data(), expected.data(), 4), 9 + 20);
}

TEST(PartialDistance, IsTheUsualOneForWholeRows) {
  Random random(2, Purpose::generate);
  Matrix rows(40, 13);
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 13; ++j)
      rows.mutable_row<float>(i)[j] = static_cast<float>(random.normal());
  }
  const std::vector<double> expected = expected_differences(rows);
  for (std::size_t i = 1; i < 40; ++i) {
    const float* x = rows.row<float>(0);
    const float* w = rows.row<float>(i);
    EXPECT_EQ(partial_distance(x, w, expected.data(), 13), distance(Metric::euclidean, x, w, 13));
  }
}

TEST(PartialDistance, NoRowIsNearerThanItself) {
  const Matrix rows = with_holes(toy_images(60, 8, 4), 2);
  const std::vector<double> expected = expected_differences(rows);
  for (std::size_t i = 0; i < 60; ++i) {
    const auto to = [&](std::size_t other) {
      return partial_distance(rows.row<float>(i), rows.row<float>(other), expected.data(), 8);
    };
    EXPECT_EQ(to(i), 0);
    for (std::size_t other = 0; other < 60; ++other) EXPECT_GE(to(other), 0);
  }
}

TEST(PartialDistance, ExpectsHalfOfWhatTwoRowsDifferOnAverage) {
  const Matrix rows = with_holes(toy_images(80, 3, 4), 3);
  const std::vector<double> expected = expected_differences(rows);
  for (std::size_t j = 0; j < 3; ++j) {
    double sum = 0;
    double pairs = 0;
    for (std::size_t a = 0; a < 80; ++a) {
      for (std::size_t b = 0; b < 80; ++b) {
        const double difference = rows.at(a, j) - rows.at(b, j);
        if (difference != difference) continue;
        sum += difference * difference;
        pairs += 1;
      }
    }
    EXPECT_NEAR(2 * expected[j], sum / pairs, 1e-9 * expected[j]);
  }
}

}  // namespace
}  // namespace mbn
