// SPDX-License-Identifier: Apache-2.0
#include "rows/metric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <mbn/error.hpp>
#include <mbn/matrix.hpp>

#include "base/job.hpp"
#include "base/random.hpp"
#include "rows/preparation.hpp"
#include "rows/row_change.hpp"

namespace mbn {
namespace {

constexpr Metric kWithoutProducts[] = {Metric::manhattan, Metric::chi_squared, Metric::hamming,
                                       Metric::jaccard};

std::vector<float> counts(std::size_t count, std::uint32_t stream) {
  Random random(4, Purpose::generate, 80, stream);
  std::vector<float> cells(count);
  for (float& cell : cells) {
    cell = random.below(2) == 0 ? 0.0F : static_cast<float>(random.below(4)) / 3.0F;
  }
  return cells;
}

// By hand.
TEST(Distance, OfMetricsWithoutProducts) {
  const std::vector<float> x = {1, 0, 3, 0, 0.5F};
  const std::vector<float> w = {3, 0, 3, 2, 1};
  EXPECT_DOUBLE_EQ(distance(Metric::manhattan, x.data(), w.data(), 5), 4.5);
  EXPECT_DOUBLE_EQ(distance(Metric::chi_squared, x.data(), w.data(), 5), 1 + 2 + 0.25 / 1.5);
  EXPECT_DOUBLE_EQ(distance(Metric::hamming, x.data(), w.data(), 5), 3);
  EXPECT_DOUBLE_EQ(distance(Metric::jaccard, x.data(), w.data(), 5), 0.25);
  const std::vector<float> none(5);
  EXPECT_EQ(distance(Metric::jaccard, none.data(), none.data(), 5), 0);
  EXPECT_EQ(distance(Metric::jaccard, none.data(), x.data(), 5), 1);
}

SparseCells nonzeros(const std::vector<float>& row, std::vector<std::uint32_t>& columns,
                     std::vector<float>& values) {
  for (std::uint32_t j = 0; j < row.size(); ++j) {
    if (row[j] == 0) continue;
    columns.push_back(j);
    values.push_back(row[j]);
  }
  return {columns, values};
}

TEST(Distance, OfSparseRowsIsThatOfDenseRowsToTheBit) {
  for (const Metric metric : kWithoutProducts) {
    for (std::uint32_t stream = 0; stream < 20; ++stream) {
      const auto x = counts(53, 2 * stream);
      const auto w = counts(53, 2 * stream + 1);
      std::vector<std::uint32_t> x_at, w_at;
      std::vector<float> x_values, w_values;
      EXPECT_EQ(distance(metric, nonzeros(x, x_at, x_values), nonzeros(w, w_at, w_values)),
                distance(metric, x.data(), w.data(), 53));
    }
  }
}

TEST(RowChange, CorrelationIsTheCosineOfCentredRows) {
  std::vector<float> x = {1, 2, 3, 6};
  change_row(Metric::correlation, x.data(), x.size());
  EXPECT_NEAR(x[0] + x[1] + x[2] + x[3], 0, 1e-6);
  const double norm = std::sqrt(4 + 1 + 0 + 9.0);
  EXPECT_NEAR(x[0], -2 / norm, 1e-6);
  EXPECT_NEAR(x[3], 3 / norm, 1e-6);
  // Their mean is not exact in double; what is left must not become a row of norm 1.
  std::vector<float> same(7, 0.1F);
  change_row(Metric::correlation, same.data(), same.size());
  EXPECT_EQ(same, std::vector<float>(7));
}

TEST(RowChange, HellingerTakesRootsOfSharesAndJaccardSets) {
  std::vector<float> x = {1, 0, 3};
  change_row(Metric::hellinger, x.data(), x.size());
  EXPECT_FLOAT_EQ(x[0], 0.5F);
  EXPECT_FLOAT_EQ(x[2], std::sqrt(0.75F));
  std::vector<float> zeros(3);
  change_row(Metric::hellinger, zeros.data(), zeros.size());
  EXPECT_EQ(zeros, std::vector<float>(3));
  std::vector<float> set = {-2, 0, 0.1F};
  change_row(Metric::jaccard, set.data(), set.size());
  EXPECT_EQ(set, (std::vector<float>{1, 0, 1}));
}

TEST(Preparation, RefusesValuesBelowZeroThatTheMetricIsNotFor) {
  Matrix rows(3, 4);
  rows.mutable_row<float>(1)[2] = -0.5F;
  Job job({.threads = 1});
  for (const Metric metric : {Metric::chi_squared, Metric::hellinger}) {
    Preparation preparation;
    preparation.scaler.metric = metric;
    try {
      prepare_rows(preparation, rows, job);
      ADD_FAILURE() << "not refused";
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find("row 2, column 3 (counted from 1) is -0.5"),
                std::string::npos)
          << error.what();
    }
  }
  Preparation manhattan;
  manhattan.scaler.metric = Metric::manhattan;
  EXPECT_TRUE(manhattan.is_identity());
  EXPECT_EQ(prepare_rows(manhattan, rows, job).view().dense().at(1, 2), -0.5F);
}

}  // namespace
}  // namespace mbn
