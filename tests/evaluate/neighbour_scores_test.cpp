// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>

#include "base/random.hpp"

namespace mbn {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// 60 x 5 by formula, without equal distances, so that another program can make it again.
Matrix formula_data() {
  Matrix data(60, 5);
  for (std::int64_t a = 0; a < 60; ++a) {
    for (std::int64_t c = 0; c < 5; ++c) {
      const std::int64_t value = a * a * a * 17 + a * 7919 * (c + 1) + c * c * a * 104729 + c * 31;
      data.mutable_row<float>(a)[c] = static_cast<float>(value % 10007) / 16;
    }
  }
  return data;
}

Matrix formula_map(const Matrix& data) {
  Matrix map(data.rows(), 2);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    map.mutable_row<float>(i)[0] = data.at(i, 0) + data.at(i, 3) / 4;
    map.mutable_row<float>(i)[1] = data.at(i, 1) + data.at(i, 2) / 2;
  }
  return map;
}

/// Whole numbers below `values`: distances are exact, and few values make many of them equal.
template <class T>
Matrix random_integers(std::size_t rows, std::size_t columns, std::uint32_t values,
                       std::uint32_t stream) {
  Matrix matrix(rows, columns, element_type_of<T>());
  Random random(17, Purpose::generate, stream);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      matrix.mutable_row<T>(i)[c] = static_cast<T>(random.below(values));
    }
  }
  return matrix;
}

/// places[j]: the place of row j, from 1, among all others sorted by distance from row i.
std::vector<std::size_t> places_from(MatrixView rows, std::size_t i) {
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t j = 0; j < rows.rows(); ++j) {
    double sum = 0;
    for (std::size_t c = 0; c < rows.columns(); ++c) {
      const double difference = double{rows.at(i, c)} - rows.at(j, c);
      sum += difference * difference;
    }
    if (j != i) others.emplace_back(sum, j);
  }
  std::sort(others.begin(), others.end());
  std::vector<std::size_t> places(rows.rows());
  for (std::size_t place = 0; place < others.size(); ++place) {
    places[others[place].second] = place + 1;
  }
  return places;
}

/// The definition, sorting everything.
NeighbourScores slow_scores(MatrixView data, MatrixView map, std::size_t k) {
  const auto n = static_cast<double>(data.rows());
  double intruders = 0;
  double missing = 0;
  double shared = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto in_data = places_from(data, i);
    const auto on_map = places_from(map, i);
    for (std::size_t j = 0; j < data.rows(); ++j) {
      if (j == i) continue;
      if (on_map[j] <= k && in_data[j] > k) intruders += static_cast<double>(in_data[j] - k);
      if (in_data[j] <= k && on_map[j] > k) missing += static_cast<double>(on_map[j] - k);
      if (in_data[j] <= k && on_map[j] <= k) ++shared;
    }
  }
  const auto neighbours = static_cast<double>(k);
  const double worst = n * neighbours * (2 * n - 3 * neighbours - 1) / 2;
  return {1 - intruders / worst, 1 - missing / worst, shared / (n * neighbours)};
}

void expect_equal(const NeighbourScores& a, const NeighbourScores& b) {
  EXPECT_EQ(a.trustworthiness, b.trustworthiness);
  EXPECT_EQ(a.continuity, b.continuity);
  EXPECT_EQ(a.neighbour_preservation, b.neighbour_preservation);
}

TEST(NeighbourScores, AgreeWithScikitLearn) {
  struct Expected {
    std::uint32_t neighbours;
    double trustworthiness;
    double continuity;
    double shared;
  };
  const Matrix data = formula_data();
  const Matrix map = formula_map(data);
  for (const Expected& expected : {Expected{1, 0.7330459770114943, 0.8982758620689655, 4},
                                   Expected{5, 0.7241666666666666, 0.8291666666666666, 85},
                                   Expected{15, 0.7506306306306306, 0.8121621621621622, 419},
                                   Expected{29, 0.738721264367816, 0.766271551724138, 1166}}) {
    const NeighbourScores scores = score_neighbours(data, map, expected.neighbours);
    EXPECT_NEAR(scores.trustworthiness, expected.trustworthiness, 1e-12);
    EXPECT_NEAR(scores.continuity, expected.continuity, 1e-12);
    EXPECT_NEAR(scores.neighbour_preservation, expected.shared / (60.0 * expected.neighbours),
                1e-12);
  }
}

TEST(NeighbourScores, AgreeWithTheSlowTwinWithTies) {
  for (const std::uint32_t values : {2U, 4U, 200U}) {
    for (const std::size_t columns : {1UL, 7UL, 8UL, 21UL}) {
      const Matrix data = random_integers<float>(90, columns, values, 1);
      const Matrix map = random_integers<float>(90, 2, values, 2);
      expect_equal(score_neighbours(data, map, 6), slow_scores(data, map, 6));
    }
  }
}

TEST(NeighbourScores, BytesAndFloatsOfTheSameValuesScoreTheSame) {
  const Matrix bytes = random_integers<std::uint8_t>(120, 50, 256, 3);
  const Matrix floats = random_integers<float>(120, 50, 256, 3);
  const Matrix map = random_integers<float>(120, 2, 1000, 4);
  expect_equal(score_neighbours(bytes, map, 10), score_neighbours(floats, map, 10));
  expect_equal(score_neighbours(bytes, map, 10), slow_scores(bytes, map, 10));
  expect_equal(score_neighbours(floats, bytes, 10), {1, 1, 1});
}

TEST(NeighbourScores, ByteSumsDoNotOverflow) {
  constexpr std::size_t kColumns = 100000;
  Matrix data(5, kColumns, ElementType::uint8);
  Matrix map(5, 1);
  for (std::size_t i = 0; i < 5; ++i) {
    std::fill_n(data.mutable_row<std::uint8_t>(i), i * kColumns / 5, std::uint8_t{255});
    map.mutable_row<float>(i)[0] = static_cast<float>(i);
  }
  expect_equal(score_neighbours(data, map, 2), {1, 1, 1});
}

TEST(NeighbourScores, ThreadsDoNotMatter) {
  const Matrix data = random_integers<float>(700, 12, 3, 5);
  const Matrix map = random_integers<float>(700, 2, 30, 6);
  RunOptions run;
  run.threads = 1;
  const NeighbourScores all = score_neighbours(data, map, 15, 0, run);
  const NeighbourScores some = score_neighbours(data, map, 15, 101, run);
  for (const std::uint32_t threads : {2U, 3U, 7U}) {
    run.threads = threads;
    expect_equal(score_neighbours(data, map, 15, 0, run), all);
    expect_equal(score_neighbours(data, map, 15, 101, run), some);
  }
}

TEST(NeighbourScores, ASampleIsNearTheWhole) {
  const Matrix data = random_integers<float>(1500, 4, 1000, 7);
  Matrix map(1500, 2);
  for (std::size_t i = 0; i < 1500; ++i) {
    std::copy_n(data.row<float>(i), 2, map.mutable_row<float>(i));
  }
  const NeighbourScores all = score_neighbours(data, map, 15, 0);
  const NeighbourScores some = score_neighbours(data, map, 15, 300);
  EXPECT_NEAR(some.trustworthiness, all.trustworthiness, 0.02);
  EXPECT_NEAR(some.continuity, all.continuity, 0.02);
  EXPECT_NEAR(some.neighbour_preservation, all.neighbour_preservation, 0.03);
}

TEST(NeighbourScores, TheDataItselfIsItsBestMap) {
  const Matrix data = random_integers<float>(50, 3, 4, 8);
  expect_equal(score_neighbours(data, data, 15), {1, 1, 1});
}

TEST(NeighbourScores, FewRowsLowerTheNeighbourhood) {
  for (std::size_t rows = 1; rows < 12; ++rows) {
    const Matrix data = random_integers<float>(rows, 3, 50, 9);
    const Matrix map = random_integers<float>(rows, 2, 50, 10);
    const NeighbourScores scores = score_neighbours(data, map, 100);
    if (rows < 3) {
      expect_equal(scores, {1, 1, 1});
    } else {
      expect_equal(scores, slow_scores(data, map, (rows - 1) / 2));
      EXPECT_GE(scores.trustworthiness, 0);
      EXPECT_GE(scores.continuity, 0);
    }
  }
}

TEST(NeighbourScores, VeryLargeAndVerySmallCellsKeepTheirOrder) {
  const Matrix data = random_integers<float>(40, 3, 50, 11);
  const Matrix map = random_integers<float>(40, 2, 50, 12);
  for (const float factor : {0x1p100F, 0x1p-100F}) {
    Matrix scaled = Matrix::copy_of(data);
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t c = 0; c < 3; ++c) scaled.mutable_row<float>(i)[c] *= factor;
    }
    expect_equal(score_neighbours(scaled, map, 5), score_neighbours(data, map, 5));
  }
}

TEST(NeighbourScores, ViewsWithAStrideAreRead) {
  const Matrix wide = random_integers<float>(40, 9, 50, 13);
  const MatrixView view(wide.row<float>(0), 40, 4, 9);
  const Matrix map = random_integers<float>(40, 2, 50, 14);
  expect_equal(score_neighbours(view, map, 5), slow_scores(view, map, 5));
}

TEST(NeighbourScores, WrongArgumentsAreRefused) {
  const Matrix data(5, 2);
  EXPECT_THROW(score_neighbours(data, data, 0), InvalidArgument);
  EXPECT_THROW(score_neighbours(Matrix(0, 2), Matrix(0, 2)), InvalidArgument);
  EXPECT_THROW(score_neighbours(Matrix(5, 0), data), InvalidArgument);
  try {
    score_neighbours(data, Matrix(4, 2));
    FAIL() << "no exception";
  } catch (const InvalidArgument& error) {
    EXPECT_PRED2(holds, error.what(), "5 rows");
    EXPECT_PRED2(holds, error.what(), "4");
  }
}

TEST(NeighbourScores, CellsThatAreNotFiniteAreRefused) {
  Matrix data = random_integers<float>(20, 3, 50, 15);
  const Matrix map = random_integers<float>(20, 2, 50, 16);
  data.mutable_row<float>(7)[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(score_neighbours(data, map), InvalidArgument);
  EXPECT_THROW(score_neighbours(map, data), InvalidArgument);
}

TEST(NeighbourScores, MemoryLimitAndCancellationAreHeeded) {
  const Matrix data = random_integers<float>(200, 3, 50, 17);
  RunOptions run;
  run.threads = 2;
  run.memory_limit = 1000;
  EXPECT_THROW(score_neighbours(data, data, 5, 0, run), MemoryLimitExceeded);
  run.memory_limit = 2 * data.shape().bytes() + 2 * 2 * 200 * sizeof(double);
  expect_equal(score_neighbours(data, data, 5, 0, run), {1, 1, 1});

  const std::atomic<bool> cancel{true};
  run.cancel = &cancel;
  EXPECT_THROW(score_neighbours(data, data, 5, 0, run), Cancelled);
}

}  // namespace
}  // namespace mbn
