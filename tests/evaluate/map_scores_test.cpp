// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mbn/cluster.hpp>
#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>

#include "base/random.hpp"

namespace mbn {
namespace {

using Classes = std::vector<std::int32_t>;

/// Whole numbers below `values`: distances are exact, and few values make many of them equal.
template <class T = float>
Matrix random_integers(std::size_t rows, std::size_t columns, std::uint32_t values,
                       std::uint32_t stream) {
  Matrix matrix(rows, columns, element_type_of<T>());
  Random random(23, Purpose::generate, stream);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      matrix.mutable_row<T>(i)[c] = static_cast<T>(random.below(values));
    }
  }
  return matrix;
}

Classes random_classes(std::size_t rows, std::uint32_t classes, std::uint32_t stream) {
  Classes labels(rows);
  Random random(29, Purpose::generate, stream);
  // Labels are any integers: some are negative here.
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(classes)) - 2;
  return labels;
}

double squared(MatrixView rows, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t c = 0; c < rows.columns(); ++c) {
    const double difference = double{rows.at(a, c)} - rows.at(b, c);
    sum += difference * difference;
  }
  return sum;
}

/// Whether j is nearer to i than k is; the smaller number of ties.
bool nearer(MatrixView rows, std::size_t i, std::size_t j, std::size_t k) {
  return std::pair(squared(rows, i, j), j) < std::pair(squared(rows, i, k), k);
}

/// Over all triplets that there are: what drawn ones estimate.
double all_triplets(MatrixView data, MatrixView map) {
  double right = 0;
  double count = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t j = 0; j < data.rows(); ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        if (i == j || i == k) continue;
        ++count;
        if (nearer(data, i, j, k) == nearer(map, i, j, k)) ++right;
      }
    }
  }
  return right / count;
}

/// The same draws as the library's, from a list of the rows that are left.
double slow_triplets(MatrixView data, MatrixView map) {
  const auto count = static_cast<std::uint32_t>(data.rows());
  double right = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Random random(0, Purpose::triplets, i);
    for (int t = 0; t < 5; ++t) {
      std::vector<std::uint32_t> left(count);
      std::iota(left.begin(), left.end(), 0U);
      std::array<std::uint32_t, 2> drawn{};
      left.erase(left.begin() + i);
      for (std::uint32_t& other : drawn) {
        const auto place = random.below(static_cast<std::uint32_t>(left.size()));
        other = left[place];
        left.erase(left.begin() + place);
      }
      if (nearer(data, i, drawn[0], drawn[1]) == nearer(map, i, drawn[0], drawn[1])) ++right;
    }
  }
  return right / (5.0 * count);
}

double slow_nearest(MatrixView map, const Classes& labels) {
  double right = 0;
  for (std::size_t i = 0; i < map.rows(); ++i) {
    std::size_t best = i == 0 ? 1 : 0;
    for (std::size_t j = 0; j < map.rows(); ++j) {
      if (j != i && squared(map, i, j) < squared(map, i, best)) best = j;
    }
    if (labels[best] == labels[i]) ++right;
  }
  return right / static_cast<double>(map.rows());
}

/// The means of classes, in the order of the labels.
Matrix centroids(MatrixView rows, const Classes& labels) {
  std::map<std::int32_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < labels.size(); ++i) members[labels[i]].push_back(i);
  Matrix means(members.size(), rows.columns());
  std::size_t place = 0;
  for (const auto& [label, own] : members) {
    for (std::size_t c = 0; c < rows.columns(); ++c) {
      double sum = 0;
      for (const std::size_t i : own) sum += rows.at(i, c);
      means.mutable_row<float>(place)[c] =
          static_cast<float>(sum / static_cast<double>(own.size()));
    }
    ++place;
  }
  return means;
}

/// The first columns of the data: a map that keeps some of it.
Matrix first_columns(const Matrix& data, std::size_t columns) {
  Matrix map(data.rows(), columns);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    std::copy_n(data.row<float>(i), columns, map.mutable_row<float>(i));
  }
  return map;
}

TEST(RandomTriplets, AgreeWithTheSlowTwinWithTies) {
  for (const std::uint32_t values : {2U, 5U, 1000U}) {
    for (const std::size_t columns : {1UL, 7UL, 8UL, 21UL}) {
      const Matrix data = random_integers(90, columns, values, 41);
      const Matrix map = random_integers(90, 2, values, 42);
      EXPECT_DOUBLE_EQ(random_triplet_accuracy(data, map, 0), slow_triplets(data, map));
      EXPECT_DOUBLE_EQ(random_triplet_accuracy(data, map, 90), slow_triplets(data, map));
    }
  }
}

TEST(RandomTriplets, AreNearTheShareOfAllTriplets) {
  for (const std::uint32_t values : {3U, 1000U}) {
    const Matrix data = random_integers(120, 6, values, 1);
    const Matrix map = first_columns(data, 2);
    // 600 triplets have a deviation of 0.02.
    EXPECT_NEAR(random_triplet_accuracy(data, map, 0), all_triplets(data, map), 0.07);
  }
}

TEST(RandomTriplets, OfThreeRowsAreAllTriplets) {
  // Every row has one pair of others, so all draws of a row agree and the share is exact.
  for (std::uint32_t stream = 0; stream < 20; ++stream) {
    const Matrix data = random_integers(3, 2, 4, stream);
    const Matrix map = random_integers(3, 1, 4, stream + 100);
    EXPECT_DOUBLE_EQ(random_triplet_accuracy(data, map), all_triplets(data, map));
  }
}

TEST(RandomTriplets, OfTheDataItselfAreAllRight) {
  const Matrix data = random_integers(200, 3, 3, 2);
  EXPECT_EQ(random_triplet_accuracy(data, data), 1);
  const Matrix bytes = random_integers<std::uint8_t>(200, 20, 256, 3);
  const Matrix floats = random_integers(200, 20, 256, 3);
  EXPECT_EQ(random_triplet_accuracy(bytes, floats), 1);
}

TEST(RandomTriplets, OfNoStructureAreChance) {
  const Matrix data = random_integers(2000, 5, 1000, 4);
  const Matrix other = random_integers(2000, 2, 1000, 5);
  EXPECT_NEAR(random_triplet_accuracy(data, other, 0), 0.5, 0.03);
  // A map of one point has only ties: no better than chance.
  EXPECT_NEAR(random_triplet_accuracy(data, Matrix(2000, 2), 0), 0.5, 0.03);
  // Identical rows on both sides have the same order.
  EXPECT_EQ(random_triplet_accuracy(Matrix(50, 3), Matrix(50, 2)), 1);
}

TEST(RandomTriplets, FewRowsHaveNone) {
  for (const std::size_t rows : {1UL, 2UL}) {
    EXPECT_EQ(random_triplet_accuracy(random_integers(rows, 2, 9, 6), Matrix(rows, 2)), 1);
  }
}

TEST(NearestNeighbour, AgreesWithTheSlowTwinWithTies) {
  for (const std::uint32_t values : {2U, 5U, 1000U}) {
    const Matrix map = random_integers(150, 2, values, 7);
    const Classes labels = random_classes(150, 4, 8);
    EXPECT_DOUBLE_EQ(nearest_neighbour_accuracy(map, labels, 0), slow_nearest(map, labels));
    EXPECT_DOUBLE_EQ(nearest_neighbour_accuracy(map, labels, 150), slow_nearest(map, labels));
    EXPECT_NEAR(nearest_neighbour_accuracy(map, labels, 100), slow_nearest(map, labels), 0.1);
  }
}

TEST(NearestNeighbour, OfFewRowsOrOneClass) {
  const Matrix map = random_integers(2, 2, 9, 9);
  EXPECT_EQ(nearest_neighbour_accuracy(map, Classes{1, 1}), 1);
  EXPECT_EQ(nearest_neighbour_accuracy(map, Classes{1, 2}), 0);
  EXPECT_EQ(nearest_neighbour_accuracy(Matrix(1, 2), Classes{1}), 0);
  EXPECT_EQ(nearest_neighbour_accuracy(random_integers(40, 2, 9, 10), Classes(40, 3)), 1);
}

TEST(CentroidTriplets, AgreeWithTheSlowTwin) {
  for (const std::uint32_t classes : {3U, 4U, 12U}) {
    const Matrix data = random_integers(200, 5, 1000, 11);
    const Matrix map = random_integers(200, 2, 1000, 12);
    const Classes labels = random_classes(200, classes, 13);
    EXPECT_DOUBLE_EQ(centroid_triplet_accuracy(data, map, labels),
                     all_triplets(centroids(data, labels), centroids(map, labels)));
  }
}

TEST(CentroidTriplets, OfClassesOfOneRowAreTheTripletsOfRows) {
  const Matrix data = random_integers<std::uint8_t>(30, 4, 6, 14);
  const Matrix map = random_integers(30, 2, 3, 15);
  Classes labels(30);
  std::iota(labels.begin(), labels.end(), -7);
  EXPECT_DOUBLE_EQ(centroid_triplet_accuracy(data, map, labels), all_triplets(data, map));
}

TEST(CentroidTriplets, OfVeryManyClassesAreASample) {
  const Matrix data = random_integers(1000, 6, 1000, 16);
  const Matrix map = first_columns(data, 2);
  Classes labels(1000);
  std::iota(labels.begin(), labels.end(), 0);
  EXPECT_NEAR(centroid_triplet_accuracy(data, map, labels), random_triplet_accuracy(data, map, 0),
              0.04);
  EXPECT_EQ(centroid_triplet_accuracy(data, data, labels), 1);
}

TEST(CentroidTriplets, FewClassesHaveNone) {
  const Matrix data = random_integers(20, 3, 9, 17);
  const Matrix map = random_integers(20, 2, 9, 18);
  EXPECT_EQ(centroid_triplet_accuracy(data, map, Classes(20, 5)), 1);
  Classes two(20, 5);
  two[3] = -1;
  EXPECT_EQ(centroid_triplet_accuracy(data, map, two), 1);
}

TEST(MapScores, AreTheScoresOfTheirNames) {
  const Matrix data = random_integers(300, 5, 50, 19);
  const Matrix map = first_columns(data, 2);
  const Classes labels = random_classes(300, 4, 20);
  const MapScores scores = score_map(data, map, {.labels = labels, .sample = 100});
  EXPECT_EQ(scores.random_triplets, random_triplet_accuracy(data, map, 100));
  EXPECT_EQ(scores.centroid_triplets, centroid_triplet_accuracy(data, map, labels));
  EXPECT_EQ(scores.nearest_neighbour, nearest_neighbour_accuracy(map, labels, 100));
  const KMeans clusters = kmeans(map, {.clusters = 4, .restarts = 10});
  EXPECT_EQ(scores.kmeans_nmi, normalized_mutual_information(clusters.labels, labels));
}

TEST(MapScores, WithoutLabelsAreOfTheDataOnly) {
  const Matrix data = random_integers(60, 5, 50, 21);
  const MapScores scores = score_map(data, data);
  EXPECT_EQ(scores.random_triplets, 1);
  EXPECT_FALSE(scores.centroid_triplets || scores.nearest_neighbour || scores.kmeans_nmi);
  // Two classes have no triplets.
  Classes labels(60);
  for (std::size_t i = 0; i < 60; ++i) labels[i] = static_cast<std::int32_t>(i % 2);
  const MapScores labelled = score_map(data, data, {.labels = labels});
  EXPECT_FALSE(labelled.centroid_triplets);
  EXPECT_TRUE(labelled.nearest_neighbour && labelled.kmeans_nmi);
}

TEST(MapScores, OfTheCosineDoNotSeeTheNorm) {
  Matrix data = random_integers(150, 4, 100, 22);
  for (std::size_t i = 0; i < 150; ++i) data.mutable_row<float>(i)[0] += 1;
  Matrix unit(150, 4);
  for (std::size_t i = 0; i < 150; ++i) {
    double norm = 0;
    for (std::size_t c = 0; c < 4; ++c) norm += double{data.at(i, c)} * data.at(i, c);
    for (std::size_t c = 0; c < 4; ++c) {
      unit.mutable_row<float>(i)[c] = static_cast<float>(data.at(i, c) / std::sqrt(norm));
    }
  }
  const MapScoreOptions cosine{.metric = Metric::cosine};
  EXPECT_GT(score_map(data, unit, cosine).random_triplets, 0.995);
  EXPECT_LT(score_map(data, unit).random_triplets, 0.95);
  const NeighbourScores near = score_neighbours(data, unit, 15, 0, {}, Metric::cosine);
  EXPECT_GT(near.trustworthiness, 0.9999);
  EXPECT_LT(score_neighbours(data, unit, 15, 0).trustworthiness, 0.99);
}

TEST(MapScores, ThreadsDoNotMatter) {
  const Matrix data = random_integers(700, 12, 30, 23);
  const Matrix map = random_integers(700, 2, 30, 24);
  const Classes labels = random_classes(700, 9, 25);
  RunOptions run;
  run.threads = 1;
  for (const std::uint32_t sample : {0U, 101U}) {
    const MapScoreOptions options{.labels = labels, .sample = sample};
    run.threads = 1;
    const MapScores one = score_map(data, map, options, run);
    for (const std::uint32_t threads : {2U, 3U, 7U}) {
      run.threads = threads;
      const MapScores many = score_map(data, map, options, run);
      EXPECT_EQ(many.random_triplets, one.random_triplets);
      EXPECT_EQ(many.centroid_triplets, one.centroid_triplets);
      EXPECT_EQ(many.nearest_neighbour, one.nearest_neighbour);
      EXPECT_EQ(many.kmeans_nmi, one.kmeans_nmi);
    }
  }
}

TEST(MapScores, TheDrawnTripletsStayTheSame) {
  // A golden number: other draws would be another score for everyone.
  const Matrix data = random_integers(500, 6, 1000, 26);
  EXPECT_DOUBLE_EQ(random_triplet_accuracy(data, first_columns(data, 2), 100), 0.688);
}

TEST(MapScores, WrongArgumentsAreRefused) {
  const Matrix data(5, 2);
  const Classes labels(5);
  EXPECT_THROW(random_triplet_accuracy(data, Matrix(4, 2)), InvalidArgument);
  EXPECT_THROW(random_triplet_accuracy(Matrix(0, 2), Matrix(0, 2)), InvalidArgument);
  EXPECT_THROW(random_triplet_accuracy(data, Matrix(5, 0)), InvalidArgument);
  EXPECT_THROW(centroid_triplet_accuracy(data, Matrix(4, 2), labels), InvalidArgument);
  EXPECT_THROW(centroid_triplet_accuracy(data, data, Classes(4)), InvalidArgument);
  EXPECT_THROW(nearest_neighbour_accuracy(Matrix(0, 2), Classes{}), InvalidArgument);
  EXPECT_THROW(score_map(data, Matrix(4, 2)), InvalidArgument);
  try {
    nearest_neighbour_accuracy(data, Classes(4));
    FAIL() << "no exception";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(std::string(error.what()), "there are 4 labels for 5 rows; give one for every row");
  }
}

TEST(MapScores, CellsThatAreNotFiniteAreRefused) {
  // Of 2000 rows few triplets of 10 rows are drawn; the bad row is found all the same.
  const Matrix map = random_integers(2000, 2, 50, 27);
  const Classes labels = random_classes(2000, 4, 28);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Matrix data = random_integers(2000, 3, 50, 29);
    data.mutable_row<float>(1234)[1] = bad;
    EXPECT_THROW(random_triplet_accuracy(data, map, 10), InvalidArgument);
    EXPECT_THROW(random_triplet_accuracy(map, data, 10), InvalidArgument);
    EXPECT_THROW(centroid_triplet_accuracy(data, map, labels), InvalidArgument);
    EXPECT_THROW(nearest_neighbour_accuracy(data, labels, 10), InvalidArgument);
    EXPECT_THROW(score_map(data, map, {.metric = Metric::cosine}), InvalidArgument);
  }
}

TEST(MapScores, CancellationIsHeeded) {
  const Matrix data = random_integers(200, 3, 50, 30);
  const Classes labels = random_classes(200, 4, 31);
  const std::atomic<bool> cancel{true};
  RunOptions run;
  run.cancel = &cancel;
  EXPECT_THROW(random_triplet_accuracy(data, data, 0, run), Cancelled);
  EXPECT_THROW(centroid_triplet_accuracy(data, data, labels, run), Cancelled);
  EXPECT_THROW(nearest_neighbour_accuracy(data, labels, 0, run), Cancelled);
}

}  // namespace
}  // namespace mbn
