// SPDX-License-Identifier: Apache-2.0
#include "rows/nearest_drawn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include <mbn/error.hpp>

#include "base/random.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

/// `values` different distances, so that there are ties when they are few.
Matrix some_distances(std::size_t rows, std::size_t columns, std::uint32_t values) {
  Matrix distances(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    Random random(3, Purpose::generate, static_cast<std::uint32_t>(i));
    for (std::size_t j = 0; j < columns; ++j) {
      distances.mutable_row<float>(i)[j] = static_cast<float>(random.below(values)) / 16;
    }
  }
  return distances;
}

/// The plain way: all drawn columns in turn, the first of the nearest.
Matrix by_plain_loop(const DrawnColumns& drawn, MatrixView distances) {
  Matrix codes(distances.rows(), drawn.clusterings);
  for (std::size_t i = 0; i < distances.rows(); ++i) {
    for (std::size_t v = 0; v < drawn.clusterings; ++v) {
      float nearest = std::numeric_limits<float>::infinity();
      for (const std::uint32_t column : drawn.of(v)) {
        if (distances.at(i, column) >= nearest) continue;
        nearest = distances.at(i, column);
        codes.mutable_row<float>(i)[v] = static_cast<float>(column);
      }
    }
  }
  return codes;
}

TEST(NearestDrawn, IsWhatAPlainLoopFinds) {
  for (const std::uint32_t values : {1000000U, 5U, 1U}) {
    for (const std::uint32_t centroids : {1U, 7U, 150U, 300U}) {
      const Matrix distances = some_distances(40, 300, values);
      const DrawnColumns drawn = draw_columns(5, 300, 130, centroids);
      const Matrix expected = by_plain_loop(drawn, distances);
      for (const std::uint32_t threads : {1U, 3U}) {
        Job job(RunOptions{.threads = threads});
        EXPECT_TRUE(same_bytes(nearest_drawn(drawn, distances, job), expected))
            << values << " " << centroids;
      }
    }
  }
}

TEST(NearestDrawn, DrawsAreDifferentColumnsAndDependOnTheSeed) {
  const DrawnColumns drawn = draw_columns(5, 30, 100, 20);
  for (std::size_t v = 0; v < 100; ++v) {
    const auto some = drawn.of(v);
    EXPECT_EQ(std::set<std::uint32_t>(some.begin(), some.end()).size(), 20U);
  }
  EXPECT_EQ(draw_columns(5, 30, 100, 20), drawn);
  EXPECT_NE(draw_columns(6, 30, 100, 20), drawn);
  EXPECT_EQ(codes_of_distances(400), 400U);
  EXPECT_EQ(codes_of_distances(3), 100U) << "three codes compare nothing";
}

/// The smallest distances of each row, also zeros.
SparseMatrix graph_of(MatrixView distances, std::size_t neighbours) {
  SparseMatrix graph;
  graph.columns = distances.columns();
  for (std::size_t i = 0; i < distances.rows(); ++i) {
    std::vector<float> sorted(distances.row<float>(i), distances.row<float>(i) + graph.columns);
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<long>(neighbours) - 1,
                     sorted.end());
    for (std::uint32_t j = 0; j < graph.columns; ++j) {
      if (distances.at(i, j) > sorted[neighbours - 1]) continue;
      graph.indices.push_back(j);
      graph.values.push_back(distances.at(i, j));
    }
    graph.starts.push_back(graph.indices.size());
  }
  return graph;
}

TEST(NearestDrawn, NeighboursOnlyGiveTheSameCodesWhereOneWasDrawn) {
  const Matrix distances = some_distances(50, 200, 1000000);
  const DrawnColumns drawn = draw_columns(5, 200, 100, 100);
  const Matrix expected = by_plain_loop(drawn, distances);
  Job job{RunOptions{}};
  const Matrix codes = nearest_drawn(drawn, graph_of(distances, 6), job);
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < codes.rows(); ++i) {
    for (std::size_t v = 0; v < codes.columns(); ++v) {
      if (codes.at(i, v) == 200) {
        ++unknown;
      } else {
        EXPECT_EQ(codes.at(i, v), expected.at(i, v));
      }
    }
  }
  EXPECT_GT(unknown, 0U);
  EXPECT_LT(unknown, codes.rows() * codes.columns() / 20);
}

TEST(NearestDrawn, RefusesARowWithTooFewNeighboursAndSaysHowManyWouldDo) {
  const DrawnColumns drawn = draw_columns(5, 200, 100, 50);
  Job job{RunOptions{}};
  try {
    nearest_drawn(drawn, graph_of(some_distances(50, 200, 1000000), 2), job);
    ADD_FAILURE() << "accepted";
  } catch (const InvalidArgument& error) {
    const std::string told = error.what();
    EXPECT_NE(told.find("row 1 (counted from 1) has distances to 2 of the 200"), std::string::npos)
        << told;
    EXPECT_NE(told.find("give those to 11 neighbours"), std::string::npos) << told;
  }
  SparseMatrix alone;
  alone.columns = 200;
  alone.starts.push_back(0);
  EXPECT_THROW(nearest_drawn(drawn, alone, job), InvalidArgument) << "a row without any";
}

}  // namespace
}  // namespace mbn
