// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "base/job.hpp"
#include "bottom/drawn_features.hpp"
#include "bottom/sparse_cases.hpp"
#include "bottom/sparse_engines.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {
namespace {

Draws make_draws(std::size_t rows, std::size_t columns, std::uint32_t centroids) {
  return draw({.seed = 4,
               .layer = 1,
               .clusterings = 70,
               .centroids = centroids,
               .features = drawn_features(0.5, columns),
               .input_rows = static_cast<std::uint32_t>(rows),
               .input_features = static_cast<std::uint32_t>(columns)});
}

CodeMatrix dense_codes(MatrixView kept, const Draws& draws, Metric metric, MatrixView rows) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  Job job(RunOptions{.threads = 1});
  make_exact_bottom(kept, draws, metric)->encode(rows, codes, job);
  return codes;
}

using Maker = std::unique_ptr<BottomEngine>(SparseView, const Draws&, Metric, Job&);

CodeMatrix sparse_codes(Maker* make, SparseView kept, const Draws& draws, Metric metric,
                        SparseView rows, unsigned threads) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  Job job(RunOptions{.threads = threads});
  make(kept, draws, metric, job)->encode(rows, codes, job);
  return codes;
}

std::unique_ptr<BottomEngine> make_terms(SparseView kept, const Draws& draws, Metric metric, Job&) {
  return make_sparse_terms(kept, draws, metric);
}

bool has_negative(MatrixView rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      if (rows.at(i, j) < 0) return true;
    }
  }
  return false;
}

void expect_same_as_dense(MatrixView kept, MatrixView rows, std::uint32_t centroids) {
  const Draws draws = make_draws(kept.rows(), kept.columns(), centroids);
  const SparseMatrix sparse_kept = compress_plainly(kept);
  const SparseMatrix sparse = compress_plainly(rows);
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    const CodeMatrix expected = dense_codes(kept, draws, metric, rows);
    for (Maker* make : {make_sparse_bounds, make_sparse_direct}) {
      EXPECT_EQ(sparse_codes(make, sparse_kept, draws, metric, sparse, 1), expected);
      EXPECT_EQ(sparse_codes(make, sparse_kept, draws, metric, sparse, 3), expected);
    }
  }
  for (const Metric metric :
       {Metric::manhattan, Metric::chi_squared, Metric::hamming, Metric::jaccard}) {
    if (metric == Metric::chi_squared && has_negative(kept)) continue;
    SCOPED_TRACE(name_of(metric));
    const CodeMatrix expected = dense_codes(kept, draws, metric, rows);
    EXPECT_EQ(sparse_codes(make_terms, sparse_kept, draws, metric, sparse, 1), expected);
    EXPECT_EQ(sparse_codes(make_terms, sparse_kept, draws, metric, sparse, 3), expected);
  }
}

float count(Random& random) {
  return static_cast<float>(1 + random.below(3));
}
float any_sign(Random& random) {
  return static_cast<float>(random.normal());
}

TEST(SparseBottom, CountsWithManyTiesGiveTheCodesOfDenseRows) {
  const Matrix kept = random_sparse_rows(150, 90, 0.05, 1, count);
  const Matrix rows = random_sparse_rows(60, 90, 0.05, 2, count);
  expect_same_as_dense(kept, rows, 75);
  expect_same_as_dense(kept, kept, 75);
  expect_same_as_dense(kept, kept, 1);
  expect_same_as_dense(kept, kept, 150);
}

TEST(SparseBottom, ValuesOfBothSignsGiveTheCodesOfDenseRows) {
  const Matrix kept = random_sparse_rows(300, 400, 0.03, 3, any_sign);
  const Matrix rows = random_sparse_rows(80, 400, 0.03, 4, any_sign);
  expect_same_as_dense(kept, rows, 100);
  expect_same_as_dense(kept, kept, 100);
}

TEST(SparseBottom, RowsOfZerosAndEqualRowsGetTheLowestCode) {
  Matrix kept = random_sparse_rows(120, 64, 0.04, 5, count);
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    float* row = kept.mutable_row<float>(i);
    if (i % 3 == 0) std::fill_n(row, 64, 0.0F);
    if (i % 3 == 1 && i > 1) std::copy_n(kept.row<float>(1), 64, row);
  }
  expect_same_as_dense(kept, kept, 60);
  expect_same_as_dense(Matrix(20, 64), kept, 10);
}

TEST(SparseBottom, ValuesOfEveryMagnitudeGiveTheCodesOfDenseRows) {
  for (const float size : {1e-30F, 1e-12F, 1e12F, 1e18F}) {
    SCOPED_TRACE(size);
    const Matrix kept = random_sparse_rows(100, 120, 0.05, 6, [&](Random& random) {
      return size * static_cast<float>(random.normal());
    });
    expect_same_as_dense(kept, kept, 50);
  }
  const Matrix mixed = random_sparse_rows(100, 120, 0.1, 7, [](Random& random) {
    return static_cast<float>(std::exp(12 * random.normal()));
  });
  expect_same_as_dense(mixed, mixed, 50);
}

TEST(SparseBottom, ARowGetsTheSameCodesAloneAndInABatch) {
  const Matrix rows = random_sparse_rows(100, 200, 0.03, 8, count);
  const SparseMatrix sparse = compress_plainly(rows);
  const Draws draws = make_draws(100, 200, 40);
  for (Maker* make : {make_sparse_bounds, make_sparse_direct}) {
    const CodeMatrix all = sparse_codes(make, sparse, draws, Metric::cosine, sparse, 2);
    for (const std::size_t i : {0, 17, 99}) {
      const CodeMatrix one =
          sparse_codes(make, sparse, draws, Metric::cosine, sparse.view().slice(i, 1), 1);
      for (std::size_t v = 0; v < draws.clusterings; ++v) EXPECT_EQ(one.at(0, v), all.at(i, v));
    }
  }
}

TEST(DrawnFeatures, DistanceIsTheSameDoubleAsOfDenseRows) {
  const Matrix rows = random_sparse_rows(40, 333, 0.1, 9, any_sign);
  const SparseMatrix sparse = compress_plainly(rows);
  const Draws draws = make_draws(40, 333, 20);
  const DrawnFeatures features(draws, 333);
  std::vector<float> x(draws.features);
  std::vector<float> w(draws.features);
  for (std::size_t v = 0; v < draws.clusterings; v += 13) {
    for (std::size_t j = 0; j < 40; ++j) {
      gather_features(rows, 3, draws.columns_of(v), x.data());
      gather_features(rows, j, draws.columns_of(v), w.data());
      for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
        EXPECT_EQ(features.distance(metric, v, sparse, 3, sparse, j),
                  distance(metric, x.data(), w.data(), x.size()));
      }
    }
  }
}

}  // namespace
}  // namespace mbn
