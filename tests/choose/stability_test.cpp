// SPDX-License-Identifier: Apache-2.0
#include "choose/stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace mbn {
namespace {

double information(const Labelling& first, const Labelling& second) {
  double sum = 0;
  const auto n = static_cast<double>(first.size());
  for (std::int32_t u = 0; u < 3; ++u) {
    for (std::int32_t v = 0; v < 3; ++v) {
      double both = 0;
      for (std::size_t i = 0; i < first.size(); ++i) both += first[i] == u && second[i] == v;
      const auto a = static_cast<double>(std::ranges::count(first, u));
      const auto b = static_cast<double>(std::ranges::count(second, v));
      if (both > 0) sum += both / n * std::log(n * both / (a * b));
    }
  }
  return sum;
}

// The slow twin: the mean over all orders of the second labelling.
double expected(const Labelling& first, Labelling second) {
  std::ranges::sort(second);
  double sum = 0;
  int orders = 0;
  do {
    sum += information(first, second);
    ++orders;
  } while (std::next_permutation(second.begin(), second.end()));
  return sum / orders;
}

TEST(Stability, IsInformationBeyondTheMeanOverAllOrders) {
  const Labelling first = {0, 0, 1, 1, 2, 2, 2, 0};
  const Labelling second = {0, 1, 1, 1, 2, 0, 2, 0};
  const double chance = expected(first, second);
  EXPECT_GT(chance, 0.1);
  EXPECT_NEAR(stability(first, second, 3), (information(first, second) - chance) / std::log(3),
              1e-12);
}

TEST(Stability, DoesNotMindNamesAndKnowsChance) {
  Labelling first;
  Labelling renamed;
  Labelling random;
  Random stream(1, Purpose::generate);
  for (int i = 0; i < 3000; ++i) {
    first.push_back(i % 3);
    renamed.push_back(2 - i % 3);
    random.push_back(static_cast<std::int32_t>(stream.below(3)));
  }
  EXPECT_NEAR(stability(first, renamed, 3), 1, 0.002);
  EXPECT_NEAR(stability(first, random, 3), 0, 0.003);
}

TEST(Stability, CountsACoarsePartitionForLess) {
  Labelling coarse(900, 0);
  std::fill_n(coarse.begin(), 30, 1);
  EXPECT_LT(stability(coarse, coarse, 3), 0.2);
}

TEST(Stability, OfOneClusterIsNone) {
  const Labelling one(10, 0);
  EXPECT_EQ(stability(one, one, 1), 0);
  EXPECT_EQ(stability(one, one, 2), 0);
}

TEST(Stability, IsTheMeanOverPairs) {
  const std::vector<Labelling> three = {{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 1, 0, 1}};
  const double same = stability(three[0], three[1], 2);
  const double other = stability(three[0], three[2], 2);
  const auto measure = [](const Labelling& a, const Labelling& b) { return stability(a, b, 2); };
  EXPECT_NEAR(mean_over_pairs(std::span(three), measure), (same + 2 * other) / 3, 1e-12);
  EXPECT_EQ(mean_over_pairs(std::span(three).first(1), measure), 0);
}

}  // namespace
}  // namespace mbn
