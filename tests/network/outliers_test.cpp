// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <mbn/fit.hpp>
#include <mbn/generate.hpp>

#include "api/model_access.hpp"
#include "base/random.hpp"
#include "rows/gather.hpp"
#include "rows/kinds.hpp"
#include "rows/metric.hpp"

namespace mbn {
namespace {

// The slow twin: all distances in double, sorted.
std::vector<double> sixth_distances(const Matrix& kept, const Matrix& rows) {
  std::vector<double> sixth;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::vector<double> all;
    for (std::size_t j = 0; j < kept.rows(); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < rows.columns(); ++k) {
        sum += std::pow(rows.at(i, k) - kept.at(j, k), 2);
      }
      all.push_back(std::sqrt(sum));
    }
    std::ranges::sort(all);
    sixth.push_back(all[5]);
  }
  return sixth;
}

FitOptions small() {
  return {.clusterings = 30,
          .feature_fraction = 1,
          .decay = 0.5,
          .clusters = 3,
          .restarts = 3,
          .seed = 1};
}

Table blobs(std::uint32_t columns) {
  return generate({.kind = ToyKind::gaussians, .rows = 150, .columns = columns, .seed = 4});
}

TEST(Outliers, AreDistancesToTheSixthDrawnRow) {
  for (const std::uint32_t columns : {2U, 40U}) {  // a tree, and all pairs
    const Table table = blobs(columns);
    const Model model = fit(table.data(), small());
    Matrix rows = Matrix::copy_of(table.rows.dense());
    for (std::size_t k = 0; k < columns; ++k) rows.mutable_row<float>(7)[k] = 1e4F;
    const std::vector<float> scores = model.outlier_scores(RowsView(rows.view()));
    std::vector<double> wanted =
        sixth_distances(ModelAccess::data(model).bottom.kept.dense(), rows);
    std::vector<double> usual = sixth_distances(ModelAccess::data(model).bottom.kept.dense(),
                                                ModelAccess::data(model).bottom.kept.dense());
    std::ranges::sort(usual);
    const double median = usual[usual.size() / 2];
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      EXPECT_NEAR(scores[i], wanted[i] / median, 1e-4 * (1 + scores[i])) << columns << " " << i;
    }
    EXPECT_EQ(std::ranges::max_element(scores) - scores.begin(), 7);
  }
}

TEST(Outliers, ARowIsARow) {
  const Table table = blobs(12);
  const Model model = fit(table.data(), small());
  const std::vector<float> all = model.outlier_scores(table.data(), {.threads = 3});
  for (const std::size_t i : {0U, 77U, 149U}) {
    EXPECT_EQ(model.outlier_scores(table.data().slice(i, 1), {.threads = 1})[0], all[i]);
  }
}

// Dense and sparse rows, by the distances of rows/metric.hpp.
TEST(Outliers, OfEveryMetric) {
  for (const double share : {0.5, 0.03}) {
    Random random(3, Purpose::generate);
    Matrix rows(90, 120);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t k = 0; k < rows.columns(); ++k) {
        if (random.uniform() < share) {
          rows.mutable_row<float>(i)[k] = static_cast<float>(1 + random.below(5));
        }
      }
    }
    for (const Metric metric :
         {Metric::manhattan, Metric::chi_squared, Metric::hamming, Metric::jaccard}) {
      SCOPED_TRACE(name_of(metric));
      FitOptions options = small();
      options.metric = metric;
      const Model model = fit(RowsView(rows.view()), options);
      const BottomLayer& bottom = ModelAccess::data(model).bottom;
      ASSERT_EQ(bottom.is_sparse(), share < 0.1);
      const Rows kept = as_dense(bottom.kept.view());
      const std::vector<float> scores = model.outlier_scores(RowsView(rows.view()));
      const auto sixth = [&](const float* x) {
        std::vector<double> all;
        for (std::size_t j = 0; j < kept.rows(); ++j) {
          all.push_back(distance(metric, x, kept.view().dense().row<float>(j), 120));
        }
        std::ranges::sort(all);
        return all[5];
      };
      const double ratio = sixth(rows.row<float>(0)) / static_cast<double>(scores[0]);
      for (std::size_t i = 1; i < rows.rows(); ++i) {
        EXPECT_NEAR(scores[i] * ratio, sixth(rows.row<float>(i)), 1e-4 * ratio);
      }
    }
  }
}

TEST(Outliers, OfSparseRows) {
  Random random(2, Purpose::generate);
  Matrix dense(80, 200);
  for (std::size_t i = 0; i < 80; ++i) {
    for (int n = 0; n < 4; ++n) {
      dense.mutable_row<float>(i)[random.below(200)] = static_cast<float>(1 + random.below(3));
    }
  }
  FitOptions options = small();
  const Model model = fit(RowsView(dense.view()), options);
  ASSERT_TRUE(ModelAccess::data(model).bottom.is_sparse());
  const std::vector<float> scores = model.outlier_scores(RowsView(dense.view()));
  std::vector<double> wanted = sixth_distances(dense, dense);  // nearly every row was drawn
  std::ranges::sort(wanted);
  std::vector<float> sorted = scores;
  std::ranges::sort(sorted);
  EXPECT_NEAR(sorted.back() / sorted[40], wanted.back() / wanted[40], 0.02);
  options.metric = Metric::cosine;
  for (const float score :
       fit(RowsView(dense.view()), options).outlier_scores(RowsView(dense.view()))) {
    EXPECT_GE(score, 0);
    EXPECT_LT(score, 4);
  }
}

}  // namespace
}  // namespace mbn
