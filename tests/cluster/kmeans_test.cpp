// SPDX-License-Identifier: Apache-2.0
//
// k-means against Lloyd's iteration without bounds, from the same starts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include <mbn/cluster.hpp>
#include <mbn/error.hpp>

#include "base/random.hpp"
#include "cluster/lloyd.hpp"
#include "cluster/start.hpp"

namespace mbn {
namespace {

template <class T>
Matrix blobs(std::size_t rows, std::size_t columns, std::uint32_t count, double spread,
             std::uint64_t seed) {
  Random random(seed, Purpose::generate);
  std::vector<double> centres(count * columns);
  for (double& cell : centres) cell = 40 + 150 * random.uniform();
  Matrix matrix(rows, columns, element_type_of<T>());
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t blob = random.below(count);
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = centres[blob * columns + j] + spread * (random.uniform() - 0.5);
      matrix.mutable_row<T>(i)[j] = static_cast<T>(std::clamp(value, 0.0, 255.0));
    }
  }
  return matrix;
}

Matrix from_values(const std::vector<std::vector<float>>& values) {
  Matrix matrix(values.size(), values.front().size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::copy(values[i].begin(), values[i].end(), matrix.mutable_row<float>(i));
  }
  return matrix;
}

std::vector<double> as_doubles(MatrixView rows, std::size_t i) {
  std::vector<double> cells(lloyd::padded(rows.columns()));
  for (std::size_t j = 0; j < rows.columns(); ++j) cells[j] = double{rows.at(i, j)};
  return cells;
}

/// The reference: Lloyd's iteration with every distance and every sum, in every iteration.
lloyd::Run plain_lloyd(MatrixView rows, lloyd::Centres centres, std::uint32_t max_iterations) {
  lloyd::Run run;
  run.labels.assign(rows.rows(), -1);
  const auto assign = [&] {
    bool any = false;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const auto best =
          static_cast<std::int32_t>(lloyd::nearest(as_doubles(rows, i).data(), centres).centre);
      any = any || best != run.labels[i];
      run.labels[i] = best;
    }
    return any;
  };
  const auto count = [&](std::size_t c) {
    return std::count(run.labels.begin(), run.labels.end(), static_cast<std::int32_t>(c));
  };
  const auto fill_empty = [&] {
    std::vector<double> squares(rows.rows());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      squares[i] = lloyd::squared_distance(as_doubles(rows, i).data(),
                                           centres.row(static_cast<std::size_t>(run.labels[i])),
                                           centres.width);
    }
    bool any = false;
    for (std::size_t c = 0; c < centres.count; ++c) {
      if (count(c) > 0) continue;
      std::size_t farthest = rows.rows();
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        if (squares[i] > (farthest == rows.rows() ? 0 : squares[farthest]) &&
            count(static_cast<std::size_t>(run.labels[i])) > 1) {
          farthest = i;
        }
      }
      if (farthest == rows.rows()) break;
      run.labels[farthest] = static_cast<std::int32_t>(c);
      squares[farthest] = 0;
      any = true;
    }
    return any;
  };
  bool settled = false;
  while (!settled && run.iterations < max_iterations) {
    const bool changed = assign();
    ++run.iterations;
    const bool filled = fill_empty();
    settled = !changed && !filled;
    for (std::size_t c = 0; c < centres.count && !settled; ++c) {
      const auto size = count(c);
      if (size == 0) continue;
      for (std::size_t j = 0; j < rows.columns(); ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < rows.rows(); ++i) {
          if (run.labels[i] == static_cast<std::int32_t>(c)) sum += double{rows.at(i, j)};
        }
        centres.row(c)[j] = double{static_cast<float>(sum / static_cast<double>(size))};
      }
    }
  }
  if (!settled) assign();
  run.centres = centres;
  return run;
}

KMeans clustered(MatrixView rows, KMeansOptions options, std::uint32_t threads = 1) {
  RunOptions run;
  run.threads = threads;
  return kmeans(rows, options, run);
}

double objective_of(MatrixView rows, const KMeans& result) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto centre = static_cast<std::size_t>(result.labels[i]);
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      const double difference = double{rows.at(i, j)} - double{result.centres.at(centre, j)};
      sum += difference * difference;
    }
  }
  return sum;
}

/// Properties that every result must have.
void expect_rules_hold(MatrixView rows, const KMeans& result, std::uint32_t clusters) {
  ASSERT_EQ(result.centres.rows(), clusters);
  ASSERT_EQ(result.centres.columns(), rows.columns());
  ASSERT_EQ(result.labels.size(), rows.rows());
  EXPECT_NEAR(result.objective, objective_of(rows, result), 1e-9 * (1 + result.objective));
  EXPECT_EQ(nearest_centres(rows, result.centres), result.labels);
  std::vector<std::size_t> sizes(clusters);
  std::vector<std::size_t> firsts(clusters, rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto c = static_cast<std::size_t>(result.labels[i]);
    if (sizes[c]++ == 0) firsts[c] = i;
  }
  for (std::size_t c = 1; c < clusters; ++c) {
    EXPECT_GE(sizes[c - 1], sizes[c]);
    if (sizes[c - 1] == sizes[c] && sizes[c] > 0) {
      EXPECT_LT(firsts[c - 1], firsts[c]);
    }
  }
}

void expect_plain_lloyd(MatrixView rows, std::uint32_t clusters, std::uint32_t max_iterations) {
  for (std::uint32_t restart = 0; restart < 4; ++restart) {
    const lloyd::Centres starts = lloyd::draw_starts(rows, clusters, 17, restart);
    const lloyd::Run fast = lloyd::run_lloyd(rows, starts, max_iterations, [] {});
    const lloyd::Run slow = plain_lloyd(rows, starts, max_iterations);
    EXPECT_EQ(fast.labels, slow.labels);
    EXPECT_EQ(fast.iterations, slow.iterations);
    EXPECT_EQ(fast.centres.cells, slow.centres.cells);
  }
}

TEST(Lloyd, BoundsNeverChangeTheAnswer) {
  expect_plain_lloyd(blobs<float>(400, 3, 5, 200, 1), 7, 300);
  expect_plain_lloyd(blobs<float>(300, 17, 30, 60, 2), 40, 300);
  expect_plain_lloyd(blobs<std::uint8_t>(300, 25, 6, 250, 3), 9, 300);
  expect_plain_lloyd(blobs<float>(400, 2, 5, 200, 4), 12, 3);
}

TEST(Lloyd, BoundsNeverChangeTheAnswerWithTies) {
  // A small grid of bytes has many ties.
  expect_plain_lloyd(blobs<std::uint8_t>(250, 2, 1, 8, 5), 11, 300);
  expect_plain_lloyd(blobs<std::uint8_t>(250, 1, 1, 20, 6), 25, 300);
}

TEST(Lloyd, EmptyClustersTakeTheFarthestRows) {
  const Matrix rows = from_values({{0}, {1}, {2}, {10}, {30}});
  lloyd::Centres starts(3, 1);
  starts.row(1)[0] = 100;
  starts.row(2)[0] = 200;
  const lloyd::Run run = lloyd::run_lloyd(rows, starts, 300, [] {});
  EXPECT_EQ(run.labels, (std::vector<std::int32_t>{0, 0, 0, 2, 1}));
  EXPECT_EQ(run.labels, plain_lloyd(rows, starts, 300).labels);
}

TEST(Starts, AreDifferentRowsWhileThereAreAny) {
  const Matrix rows = from_values({{1, 2}, {1, 2}, {3, 4}, {5, 6}, {3, 4}});
  for (std::uint32_t restart = 0; restart < 20; ++restart) {
    const lloyd::Centres starts = lloyd::draw_starts(rows, 5, 1, restart);
    std::set<double> seen;
    for (std::size_t c = 0; c < 3; ++c) seen.insert(starts.row(c)[0]);
    EXPECT_EQ(seen.size(), 3U);
    EXPECT_EQ(starts.row(3)[0], starts.row(0)[0]);
  }
}

TEST(Starts, AreDrawnByTheSquareOfTheDistance) {
  // From 0 the chances of 1 and 3 are 1 : 9; from 1 those of 0 and 3 are 1 : 4; from 3, 9 : 4.
  const Matrix rows = from_values({{0}, {1}, {3}});
  std::vector<double> seen(3);
  std::vector<double> far(3);
  for (std::uint32_t restart = 0; restart < 6000; ++restart) {
    const lloyd::Centres starts = lloyd::draw_starts(rows, 2, 1, restart);
    const std::size_t first = starts.row(0)[0] == 0 ? 0 : (starts.row(0)[0] == 1 ? 1 : 2);
    ++seen[first];
    if (starts.row(1)[0] == (first == 2 ? 0 : 3)) ++far[first];
  }
  for (const double count : seen) EXPECT_NEAR(count / 6000, 1.0 / 3, 0.03);
  EXPECT_NEAR(far[0] / seen[0], 0.9, 0.03);
  EXPECT_NEAR(far[1] / seen[1], 0.8, 0.03);
  EXPECT_NEAR(far[2] / seen[2], 9.0 / 13, 0.04);
}

TEST(KMeans, FindsBlobs) {
  const Matrix rows = blobs<float>(600, 4, 6, 5, 8);
  const KMeans result = clustered(rows, {.clusters = 6, .restarts = 20, .seed = 3});
  expect_rules_hold(rows, result, 6);
  EXPECT_LT(result.objective, 600 * 4 * 25.0 / 12 * 1.05);
  EXPECT_GT(result.iterations, 0U);
}

TEST(KMeans, KeepsTheBestOfItsRestarts) {
  const Matrix rows = blobs<std::uint8_t>(300, 3, 12, 60, 9);
  const KMeans result = clustered(rows, {.clusters = 12, .restarts = 15, .seed = 4});
  expect_rules_hold(rows, result, 12);
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t restart = 0; restart < 15; ++restart) {
    const lloyd::Run run =
        lloyd::run_lloyd(rows, lloyd::draw_starts(rows, 12, 4, restart), 300, [] {});
    best = std::min(best, run.objective);
  }
  EXPECT_EQ(result.objective, best);
}

TEST(KMeans, GivesTheSameBytesOnOneAndThreeThreads) {
  const Matrix rows = blobs<float>(700, 7, 5, 150, 10);
  const KMeansOptions options{.clusters = 8, .restarts = 9, .seed = 5};
  const KMeans one = clustered(rows, options, 1);
  const KMeans three = clustered(rows, options, 3);
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.objective, three.objective);
  EXPECT_EQ(one.iterations, three.iterations);
  for (std::size_t c = 0; c < 8; ++c) {
    for (std::size_t j = 0; j < 7; ++j) EXPECT_EQ(one.centres.at(c, j), three.centres.at(c, j));
  }
}

TEST(KMeans, ReadsRowsThatAreNotPacked) {
  const Matrix wide = blobs<float>(200, 9, 4, 30, 11);
  const MatrixView part(wide.row<float>(0) + 2, 200, 5, 9);
  const Matrix packed = Matrix::copy_of(part);
  const KMeansOptions options{.clusters = 4, .restarts = 5};
  EXPECT_EQ(clustered(part, options).labels, clustered(packed, options).labels);
}

TEST(KMeans, OneClusterIsTheMean) {
  const Matrix rows = from_values({{0, 1}, {2, 5}, {4, 0}});
  const KMeans result = clustered(rows, {.clusters = 1});
  expect_rules_hold(rows, result, 1);
  EXPECT_FLOAT_EQ(result.centres.at(0, 0), 2);
  EXPECT_FLOAT_EQ(result.centres.at(0, 1), 2);
}

TEST(KMeans, OneRow) {
  const Matrix rows = from_values({{3, 4, 5}});
  const KMeans result = clustered(rows, {.clusters = 1});
  expect_rules_hold(rows, result, 1);
  EXPECT_EQ(result.objective, 0);
}

TEST(KMeans, AsManyClustersAsRows) {
  const Matrix rows = blobs<float>(20, 3, 20, 100, 12);
  const KMeans result = clustered(rows, {.clusters = 20, .restarts = 3});
  expect_rules_hold(rows, result, 20);
  EXPECT_EQ(result.objective, 0);
  for (std::int32_t i = 0; i < 20; ++i) EXPECT_EQ(result.labels[static_cast<std::size_t>(i)], i);
}

TEST(KMeans, SurplusClustersAreEmptyCopies) {
  const Matrix rows = from_values({{7}, {1}, {7}, {1}, {1}});
  const KMeans result = clustered(rows, {.clusters = 4, .restarts = 6});
  expect_rules_hold(rows, result, 4);
  EXPECT_EQ(result.labels, (std::vector<std::int32_t>{1, 0, 1, 0, 0}));
  EXPECT_EQ(result.objective, 0);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_TRUE(result.centres.at(c, 0) == 1 || result.centres.at(c, 0) == 7);
  }
}

TEST(KMeans, RefusesOptionsOutOfRange) {
  const Matrix rows = from_values({{1}, {2}});
  EXPECT_THROW(clustered(rows, {.clusters = 3}), InvalidArgument);
  EXPECT_THROW(clustered(rows, {.clusters = 0}), InvalidArgument);
  EXPECT_THROW(clustered(rows, {.clusters = 1, .restarts = 0}), InvalidArgument);
  EXPECT_THROW(clustered(rows, {.clusters = 1, .max_iterations = 0}), InvalidArgument);
  EXPECT_THROW(clustered(Matrix(0, 2), {.clusters = 1}), InvalidArgument);
}

TEST(KMeans, EndsEvenWithNaNAndInfinity) {
  Matrix rows = blobs<float>(50, 2, 3, 50, 13);
  rows.mutable_row<float>(7)[1] = std::numeric_limits<float>::quiet_NaN();
  rows.mutable_row<float>(9)[0] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(clustered(rows, {.clusters = 4, .restarts = 3}).labels.size(), 50U);
}

TEST(KMeans, StopsWhenCancelled) {
  const std::atomic<bool> cancel{true};
  RunOptions run;
  run.cancel = &cancel;
  const Matrix rows = from_values({{1}, {2}});
  EXPECT_THROW(kmeans(rows, {.clusters = 2}, run), Cancelled);
}

TEST(NearestCentres, TiesGoToTheLowerNumber) {
  const Matrix rows = from_values({{1}, {3}, {9}});
  const Matrix centres = from_values({{2}, {0}, {2}, {4}});
  EXPECT_EQ(nearest_centres(rows, centres), (std::vector<std::int32_t>{0, 0, 3}));
}

TEST(NearestCentres, RefusesAnotherNumberOfColumns) {
  EXPECT_THROW(nearest_centres(Matrix(2, 3), Matrix(2, 4)), InvalidArgument);
  EXPECT_THROW(nearest_centres(Matrix(2, 3), Matrix(0, 3)), InvalidArgument);
  EXPECT_TRUE(nearest_centres(Matrix(0, 3), Matrix(2, 3)).empty());
}

RC_GTEST_PROP(KMeansProperty, RulesHoldOnSmallGrids, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 40);
  const auto columns = *rc::gen::inRange<std::size_t>(1, 4);
  const auto levels = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto clusters = *rc::gen::inRange<std::uint32_t>(1, static_cast<std::uint32_t>(rows) + 1);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  Random random(seed, Purpose::generate);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix.mutable_row<float>(i)[j] = static_cast<float>(random.below(levels));
    }
  }
  expect_rules_hold(matrix, clustered(matrix, {.clusters = clusters, .restarts = 3, .seed = seed}),
                    clusters);
  RC_ASSERT(!testing::Test::HasFailure());
  const lloyd::Centres starts = lloyd::draw_starts(matrix, clusters, seed, 0);
  const lloyd::Run fast = lloyd::run_lloyd(matrix, starts, 300, [] {});
  RC_ASSERT(fast.labels == plain_lloyd(matrix, starts, 300).labels);
}

}  // namespace
}  // namespace mbn
