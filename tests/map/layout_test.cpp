// SPDX-License-Identifier: Apache-2.0
#include "map/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

Matrix random_places(std::size_t rows, std::size_t dimensions) {
  Matrix places(rows, dimensions);
  Random random(5, Purpose::generate);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < dimensions; ++c) {
      places.mutable_row<float>(i)[c] = static_cast<float>(10 * random.uniform() - 5);
    }
  }
  return places;
}

// Rows in groups of ten, each connected to the others of its group.
NeighbourGraph groups_of_ten(std::size_t rows) {
  NeighbourGraph graph;
  graph.starts = {0};
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = i / 10 * 10; j < i / 10 * 10 + 10; ++j) {
      if (j == i) continue;
      graph.others.push_back(j);
      graph.weights.push_back(0.5F);
    }
    graph.starts.push_back(graph.others.size());
  }
  return graph;
}

double apart(MatrixView places, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t c = 0; c < places.columns(); ++c) {
    const double difference = double{places.at(a, c)} - double{places.at(b, c)};
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

class Layout : public testing::TestWithParam<std::size_t> {};

TEST_P(Layout, IsTheSameForAnyNumberOfThreads) {
  const NeighbourGraph graph = groups_of_ten(1000);
  Matrix expected = random_places(1000, GetParam());
  Job one({.threads = 1});
  lay_out(graph, {.epochs = 20}, 3, expected, one);
  for (const unsigned threads : {2U, 3U}) {
    Matrix places = random_places(1000, GetParam());
    Job job({.threads = threads});
    lay_out(graph, {.epochs = 20}, 3, places, job);
    EXPECT_TRUE(same_bytes(places, expected)) << threads;
  }
}

TEST_P(Layout, BringsConnectedRowsTogetherAndOthersApart) {
  const NeighbourGraph graph = groups_of_ten(100);
  Matrix places = random_places(100, GetParam());
  Job job({.threads = 2});
  lay_out(graph, {.epochs = 300}, 3, places, job);
  std::vector<double> within;
  std::vector<double> between;
  for (std::size_t a = 0; a < 100; ++a) {
    for (std::size_t b = a + 1; b < 100; ++b) {
      (a / 10 == b / 10 ? within : between).push_back(apart(places, a, b));
    }
  }
  std::sort(within.begin(), within.end());
  std::sort(between.begin(), between.end());
  EXPECT_LT(3 * within[within.size() / 2], between[between.size() / 2]);
  EXPECT_TRUE(std::all_of(between.begin(), between.end(), [](double d) { return d < 1000; }));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Layout, testing::Values(1, 2, 3));

// The slow twin of one epoch, from the description in layout.cpp.
class LayoutEpoch : public testing::TestWithParam<bool> {};

TEST_P(LayoutEpoch, MovesEveryRowByItsEdgesAndNegatives) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 33U)) * 0xFF51AFD7ED558CCDU;
    x = (x ^ (x >> 33U)) * 0xC4CEB9FE1A85EC53U;
    return x ^ (x >> 33U);
  };
  const NeighbourGraph graph = groups_of_ten(40);
  const LayoutSettings settings{.epochs = 1,
                                .negatives = 3,
                                .pull = 0.5F,
                                .push = 0.25F,
                                .early_pull = 2,
                                .step = 0.5F,
                                .every_edge = GetParam()};
  const Matrix before = random_places(40, 2);
  Matrix after = random_places(40, 2);
  Job job({.threads = 2});
  lay_out(graph, settings, 7, after, job);
  const std::uint64_t key = mix(7 * 0x9E3779B97F4A7C15U + 1);
  for (std::size_t row = 0; row < 40; ++row) {
    double x = double{before.view().at(row, 0)};
    double y = double{before.view().at(row, 1)};
    const auto step = [&](std::size_t other, bool pulls) {
      const double dx = x - double{before.view().at(other, 0)};
      const double dy = y - double{before.view().at(other, 1)};
      const double d = dx * dx + dy * dy;
      const double share = settings.every_edge ? 0.5 : 1;
      const double strength =
          0.5 * share * (pulls ? -2 * 0.5 * 2 / (1 + d) : 2 * 0.25 / ((d + 0.001) * (1 + d)));
      x += std::clamp(strength * dx, -2.0, 2.0);
      y += std::clamp(strength * dy, -2.0, 2.0);
    };
    for (std::uint64_t edge = graph.starts[row]; edge < graph.starts[row + 1]; ++edge) {
      std::uint64_t hash = mix(key + edge);
      const bool drawn = static_cast<double>(hash % (1U << 24U)) / (1U << 24U) < 0.5;
      if (!settings.every_edge && !drawn) continue;
      step(graph.others[edge], true);
      for (int negative = 0; negative < 3; ++negative) {
        hash = mix(hash + 1);
        const std::size_t other = (hash >> 32U) * 40 >> 32U;
        if (other != row) step(other, false);
      }
    }
    EXPECT_NEAR(after.view().at(row, 0), x, 2e-3) << row;
    EXPECT_NEAR(after.view().at(row, 1), y, 2e-3) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryEdgeOrSome, LayoutEpoch, testing::Bool());

TEST(Settle, PutsANewRowAmongItsNeighbours) {
  Matrix map(100, 2);
  for (std::size_t i = 0; i < 100; ++i) {
    map.mutable_row<float>(i)[0] = i < 50 ? -20.0F : 20.0F;
    map.mutable_row<float>(i)[1] = static_cast<float>(i % 50) / 25.0F;
  }
  const std::vector<std::uint32_t> edges = {60, 61, 62, 63};
  std::array<float, 2> place{};
  settle(map, edges, 1, place.data());
  EXPECT_NEAR(place[0], 20, 3);
  EXPECT_NEAR(place[1], 0.5, 3);
}

}  // namespace
}  // namespace mbn
