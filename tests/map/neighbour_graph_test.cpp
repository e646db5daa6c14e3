// SPDX-License-Identifier: Apache-2.0
#include "map/neighbour_graph.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "map/joint_index.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

// The slow twin: a table of what every row counts for every other.
std::vector<std::vector<float>> table_of(const NeighbourLists& lists, std::size_t neighbours,
                                         bool steep) {
  const std::size_t rows = lists.rows();
  std::vector<std::vector<float>> counts(rows, std::vector<float>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    std::size_t rank = 0;
    for (const std::uint32_t other : lists.numbers(i)) {
      if (other == i || rank == neighbours) continue;
      const float place = static_cast<float>(rank++) / static_cast<float>(neighbours);
      counts[i][other] = (steep ? 1 - place : 1) / (1 + 7.5F * place);
    }
  }
  std::vector<std::vector<float>> edges(rows, std::vector<float>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      const float a = counts[i][j];
      const float b = counts[j][i];
      edges[i][j] = a + b - a * b;
    }
  }
  return edges;
}

class Graph : public testing::TestWithParam<bool> {};

TEST_P(Graph, IsWhatATableOfAllPairsSays) {
  Job job({.threads = 2});
  const JointIndex index(as_floats(toy_images(150, 6, 3)), job);
  const NeighbourLists lists = index.own_neighbours(8, job);
  const NeighbourGraph graph = make_neighbour_graph(lists, 7, GetParam());
  const auto table = table_of(lists, 7, GetParam());
  ASSERT_EQ(graph.rows(), index.rows().rows());
  std::size_t edges = 0;
  for (std::size_t i = 0; i < graph.rows(); ++i) {
    std::uint32_t last = 0;
    for (std::uint64_t t = graph.starts[i]; t < graph.starts[i + 1]; ++t) {
      EXPECT_TRUE(t == graph.starts[i] || graph.others[t] > last);
      last = graph.others[t];
      EXPECT_NEAR(graph.weights[t], table[i][last], 1e-6);
      EXPECT_NE(last, i);
    }
    for (const float weight : table[i]) edges += weight > 0 ? 1 : 0;
  }
  EXPECT_EQ(graph.others.size(), edges);
}

INSTANTIATE_TEST_SUITE_P(SteepOrNot, Graph, testing::Bool());

TEST(JointIndex, KnowsItsRowsAndHoldsEachOnce) {
  Matrix rows(6, 2);
  for (std::size_t i = 0; i < 6; ++i) rows.mutable_row<float>(i)[0] = static_cast<float>(i % 4);
  Job job({});
  const JointIndex index(rows, job);
  EXPECT_EQ(index.rows().rows(), 4U);
  EXPECT_EQ(index.numbers(), (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(index.find(rows.view().row<float>(5)), 1U);
  const std::vector<float> stranger = {1, 1};
  EXPECT_FALSE(index.find(stranger.data()).has_value());
}

TEST(JointIndex, FindsTheNearestOfARowThatLiesFarOutside) {
  const Matrix rows = as_floats(toy_images(200, 5, 3));
  Matrix far(1, 5);
  for (std::size_t c = 0; c < 5; ++c) far.mutable_row<float>(0)[c] = 1e9F;
  Job job({});
  const JointIndex index(rows, job);
  const auto nearest = index.nearest(far, 3, job);
  ASSERT_EQ(nearest[0].size(), 3U);
  // The nearest to a point far along the diagonal is the one with the largest sum.
  const auto sum = [&](std::size_t row) {
    double total = 0;
    for (std::size_t c = 0; c < 5; ++c) total += double{index.rows().view().at(row, c)};
    return total;
  };
  for (std::size_t i = 0; i < index.rows().rows(); ++i) EXPECT_LE(sum(i), sum(nearest[0][0]));
}

}  // namespace
}  // namespace mbn
