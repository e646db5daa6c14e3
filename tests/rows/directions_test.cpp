// SPDX-License-Identifier: Apache-2.0
#include "rows/directions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "kernels/every_target.hpp"
#include "rows/kinds.hpp"
#include "rows/preparation.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

Preparation with_directions(RowsView rows, std::uint32_t count, Metric metric) {
  Job job({.threads = 2});
  FitOptions options;
  options.metric = metric;
  options.scale = Scale::none;
  options.directions = count;
  return make_preparation(rows, column_statistics(rows, job), options, job);
}

Matrix coordinates(const Preparation& preparation, RowsView rows, std::uint32_t threads = 1) {
  Job job({.threads = threads});
  return Matrix::copy_of(prepare_rows(preparation, rows, job).view().dense());
}

double distance(MatrixView rows, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t j = 0; j < rows.columns(); ++j) {
    const double step = rows.at(a, j) - rows.at(b, j);
    sum += step * step;
  }
  return std::sqrt(sum);
}

TEST(Directions, AllOfThemKeepTheDistances) {
  const Matrix rows = as_floats(toy_images(80, 40, 4));
  const Matrix turned = coordinates(with_directions(rows, 40, Metric::euclidean), rows);
  ASSERT_EQ(turned.columns(), 40U);
  for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{0, 1}, {3, 70}, {20, 21}}) {
    EXPECT_NEAR(distance(turned, a, b), distance(rows, a, b), 1e-4 * distance(rows, a, b));
  }
}

TEST(Directions, VarianceFallsFromOneToTheNextAndIsThatOfTheCoordinates) {
  const Matrix rows = as_floats(toy_images(300, 60, 4));
  const Preparation preparation = with_directions(rows, 8, Metric::euclidean);
  const Matrix turned = coordinates(preparation, rows);
  Job job({.threads = 1});
  const ColumnStatistics statistics = column_statistics(turned, job);
  for (std::size_t c = 0; c < 8; ++c) {
    EXPECT_NEAR(statistics.mean[c], 0, 1e-2 * std::sqrt(statistics.variance[c]));
    EXPECT_NEAR(preparation.directions.variance[c], statistics.variance[c] * 300 / 299,
                1e-3 * statistics.variance[c]);
    if (c > 0) {
      EXPECT_LE(statistics.variance[c], statistics.variance[c - 1] * 1.0001);
    }
  }
}

TEST(Directions, SparseRowsGetTheCoordinatesOfDenseOnes) {
  Matrix dense(200, 90);
  Random random(4, Purpose::generate);
  for (std::size_t i = 0; i < 200; ++i) {
    for (int n = 0; n < 5; ++n) {
      dense.mutable_row<float>(i)[(i % 3) * 30 + random.below(30)] += 1;
    }
  }
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    const Rows sparse = as_sparse(dense);
    const Preparation of_sparse = with_directions(sparse, 6, metric);
    const Preparation of_dense = with_directions(dense, 6, metric);
    EXPECT_TRUE(of_sparse.sparse);
    EXPECT_EQ(of_sparse.directions.centre.empty(), metric == Metric::cosine);
    const Matrix a = coordinates(of_sparse, sparse);
    const Matrix b = coordinates(of_dense, dense);
    // The leading directions are well apart from each other; the sign is by rule.
    for (std::size_t i = 0; i < 200; ++i) EXPECT_NEAR(a.at(i, 0), b.at(i, 0), 2e-3) << i;
  }
}

TEST(Directions, ARowIsARowOnAnyThreadsAndProcessor) {
  const Matrix images = toy_images(500, 70, 4);
  const Preparation preparation = with_directions(images, 9, Metric::euclidean);
  const Matrix expected = coordinates(preparation, images);
  on_every_target([&] {
    const Preparation again = with_directions(images, 9, Metric::euclidean);
    EXPECT_TRUE(same_bytes(again.directions.basis, preparation.directions.basis));
    EXPECT_TRUE(same_bytes(coordinates(preparation, images, 3), expected));
    for (const std::size_t row : {0UL, 101UL, 499UL}) {
      EXPECT_TRUE(same_bytes(coordinates(preparation, images.view().slice(row, 1)),
                             expected.view().slice(row, 1)));
    }
  });
}

TEST(Directions, UnitsOfTheRowsDoNotMatter) {
  Matrix small = as_floats(toy_images(100, 30, 3));
  Matrix large = as_floats(toy_images(100, 30, 3));
  for (std::size_t i = 0; i < 100; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      small.mutable_row<float>(i)[j] = std::ldexp(small.at(i, j), -90);
      large.mutable_row<float>(i)[j] = std::ldexp(large.at(i, j), 90);
    }
  }
  const Preparation a = with_directions(small, 5, Metric::euclidean);
  const Preparation b = with_directions(large, 5, Metric::euclidean);
  EXPECT_TRUE(same_bytes(a.directions.basis, b.directions.basis));
}

TEST(Directions, CosineCoordinatesHaveNormOne) {
  const Matrix rows = as_floats(toy_images(100, 30, 3));
  const Matrix turned = coordinates(with_directions(rows, 5, Metric::cosine), rows);
  for (std::size_t i = 0; i < 100; ++i) {
    double squares = 0;
    for (std::size_t j = 0; j < 5; ++j) squares += double{turned.at(i, j)} * turned.at(i, j);
    EXPECT_NEAR(squares, 1, 1e-5);
  }
}

TEST(Directions, AreFoundOnASampleOfManyRows) {
  EXPECT_EQ(direction_sample(100, false).size(), 100U);
  EXPECT_EQ(direction_sample(50'000, true).size(), 50'000U);
  const std::vector<std::uint32_t> sample = direction_sample(50'000, false);
  EXPECT_EQ(sample.size(), direction_rows(false));
  EXPECT_LT(sample.back(), 50'000U);
  EXPECT_TRUE(std::is_sorted(sample.begin(), sample.end()));
}

}  // namespace
}  // namespace mbn
