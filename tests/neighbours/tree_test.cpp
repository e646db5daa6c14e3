// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "neighbours/neighbour_lists.hpp"
#include "rows/metric.hpp"

namespace mbn {
namespace {

// Integers of a small range give many ties.
Matrix make_rows(std::size_t rows, std::size_t columns, ElementType type, std::uint32_t range,
                 std::uint64_t seed) {
  Matrix matrix(rows, columns, type);
  Random random(seed, Purpose::generate);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t f = 0; f < columns; ++f) {
      if (type == ElementType::uint8) {
        matrix.mutable_row<std::uint8_t>(i)[f] = static_cast<std::uint8_t>(random.below(range));
      } else {
        matrix.mutable_row<float>(i)[f] = range != 0 ? static_cast<float>(random.below(range))
                                                     : static_cast<float>(random.normal());
      }
    }
  }
  return matrix;
}

// The reference: sorts the kept rows by the distance in double.
std::vector<std::pair<double, std::uint32_t>> sorted_kept(MatrixView kept, MatrixView rows,
                                                          std::size_t row) {
  const auto floats = [](MatrixView matrix, std::size_t number) {
    std::vector<float> cells(matrix.columns());
    for (std::size_t f = 0; f < cells.size(); ++f) cells[f] = matrix.at(number, f);
    return cells;
  };
  const std::vector<float> x = floats(rows, row);
  std::vector<std::pair<double, std::uint32_t>> all(kept.rows());
  for (std::uint32_t j = 0; j < kept.rows(); ++j) {
    all[j] = {distance(Metric::euclidean, x.data(), floats(kept, j).data(), x.size()), j};
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Tree, GivesTheListsOfAllPairs) {
  for (const std::size_t columns : {1UL, 2UL, 3UL, 7UL, 10UL}) {
    for (const auto& [type, range] : {std::pair{ElementType::uint8, 5U},
                                      {ElementType::uint8, 256U},
                                      {ElementType::float32, 0U},
                                      {ElementType::float32, 4U}}) {
      const Matrix kept = make_rows(1200, columns, type, range, 1);
      const Matrix rows = make_rows(60, columns, type, range, 2);
      Job job({.threads = 2});
      const NeighbourLists lists = make_tree(kept)->find(rows, 30, job);
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        const auto all = sorted_kept(kept, rows, i);
        for (std::size_t n = 0; n < 30; ++n) {
          ASSERT_EQ(lists.numbers(i)[n], all[n].second)
              << columns << " columns, range " << range << ", row " << i << ", rank " << n;
          ASSERT_EQ(lists.distances(i)[n], static_cast<float>(all[n].first));
        }
      }
    }
  }
}

TEST(Tree, ListsMayBeEmptyOrLongerThanTheKeptRows) {
  const Matrix kept = make_rows(9, 3, ElementType::float32, 0, 1);
  Job job({.threads = 1});
  EXPECT_EQ(make_tree(kept)->find(kept, 0, job).length(), 0);
  const NeighbourLists lists = make_tree(kept)->find(kept, 50, job);
  EXPECT_EQ(lists.length(), 9);
  for (std::uint32_t i = 0; i < 9; ++i) EXPECT_EQ(lists.numbers(i)[0], i);
}

TEST(Tree, PaysForFewColumns) {
  EXPECT_TRUE(tree_pays({70000, 2}, Metric::euclidean));
  EXPECT_FALSE(tree_pays({70000, 2}, Metric::cosine));
  EXPECT_FALSE(tree_pays({70000, 50}, Metric::euclidean));
  EXPECT_FALSE(tree_pays({100, 2}, Metric::euclidean));
}

}  // namespace
}  // namespace mbn
