// SPDX-License-Identifier: Apache-2.0
#include "rows/preparation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <mbn/error.hpp>

#include "base/random.hpp"

namespace mbn {
namespace {

Matrix make_rows(std::size_t rows, std::size_t columns) {
  Random random(1, Purpose::generate);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix.mutable_row<float>(i)[j] =
          static_cast<float>(1000.0 * static_cast<double>(j) + random.normal());
    }
  }
  return matrix;
}

TEST(ColumnStatistics, EqualThePlainFormulas) {
  const Matrix rows = make_rows(3000, 3);
  Job job({.threads = 2});
  const ColumnStatistics statistics = column_statistics(rows, job);
  for (std::size_t j = 0; j < 3; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) mean += static_cast<double>(rows.at(i, j)) / 3000;
    double variance = 0;
    float low = rows.at(0, j);
    float high = low;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      variance += std::pow(static_cast<double>(rows.at(i, j)) - mean, 2) / 3000;
      low = std::min(low, rows.at(i, j));
      high = std::max(high, rows.at(i, j));
    }
    EXPECT_NEAR(statistics.mean[j], mean, 1e-9 * (1 + mean));
    EXPECT_NEAR(statistics.variance[j], variance, 1e-9);
    EXPECT_EQ(statistics.minimum[j], static_cast<double>(low));
    EXPECT_EQ(statistics.maximum[j], static_cast<double>(high));
  }
}

TEST(ColumnStatistics, AreTheSameBytesForAnyNumberOfThreads) {
  const Matrix rows = make_rows(9000, 5);
  Job one({.threads = 1});
  Job three({.threads = 3});
  const ColumnStatistics a = column_statistics(rows, one);
  const ColumnStatistics b = column_statistics(rows, three);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.variance, b.variance);
}

// What a preparation with this scaler alone makes of the rows.
Matrix prepare(Scaler scaler, const Matrix& rows, Job& job) {
  Preparation preparation;
  preparation.scaler = std::move(scaler);
  Rows prepared = prepare_rows(preparation, rows, job);
  return Matrix::copy_of(prepared.view().dense());
}

TEST(Prepare, StandardGivesMeanZeroAndDeviationOne) {
  const Matrix rows = make_rows(500, 4);
  Job job({.threads = 1});
  const Scaler scaler =
      make_scaler(column_statistics(rows, job), Scale::standard, Metric::euclidean);
  const Matrix prepared = prepare(scaler, rows, job);
  const ColumnStatistics after = column_statistics(prepared, job);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(after.mean[j], 0, 1e-4);
    EXPECT_NEAR(after.variance[j], 1, 1e-4);
  }
}

TEST(Prepare, MinmaxGivesZeroToOneAndConstantColumnsBecomeZero) {
  Matrix rows(3, 2, ElementType::uint8);
  rows.mutable_row<std::uint8_t>(1)[0] = 100;
  rows.mutable_row<std::uint8_t>(2)[0] = 200;
  for (std::size_t i = 0; i < 3; ++i) rows.mutable_row<std::uint8_t>(i)[1] = 7;
  Job job({.threads = 1});
  const Scaler scaler = make_scaler(column_statistics(rows, job), Scale::minmax, Metric::euclidean);
  const Matrix prepared = prepare(scaler, rows, job);
  EXPECT_EQ(prepared.at(0, 0), 0);
  EXPECT_EQ(prepared.at(1, 0), 0.5F);
  EXPECT_EQ(prepared.at(2, 0), 1);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(prepared.at(i, 1), 0);
}

// A column of numbers, and three levels with shares 0.5, 0.3 and 0.2.
Matrix with_category() {
  Matrix rows(10, 4);
  for (std::size_t i = 0; i < 10; ++i) {
    rows.mutable_row<float>(i)[0] = static_cast<float>(i);
    rows.mutable_row<float>(i)[i < 5 ? 1 : i < 8 ? 2 : 3] = 1;
  }
  return rows;
}

double squared_distance(const Matrix& rows, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t j = 1; j < rows.columns(); ++j) {
    const double difference = double{rows.at(a, j)} - double{rows.at(b, j)};
    sum += difference * difference;
  }
  return sum;
}

TEST(Prepare, ACategoryWeighsAsAWhole) {
  const Matrix rows = with_category();
  const std::vector<ColumnBlock> blocks = {{1, 3}};
  Job job({.threads = 1});
  const ColumnStatistics statistics = column_statistics(rows, job);
  const Matrix standard =
      prepare(make_scaler(statistics, Scale::standard, Metric::euclidean, blocks), rows, job);
  const ColumnStatistics after = column_statistics(standard, job);
  EXPECT_NEAR(after.variance[0], 1, 1e-5);
  EXPECT_NEAR(after.variance[1] + after.variance[2] + after.variance[3], 0.25, 1e-5);
  EXPECT_NEAR(squared_distance(standard, 0, 9), 0.5 / (1 - 0.25 - 0.09 - 0.04), 1e-4);
  EXPECT_NEAR(squared_distance(standard, 0, 9), squared_distance(standard, 5, 9), 1e-5)
      << "rare levels are no farther";
  const Matrix minmax =
      prepare(make_scaler(statistics, Scale::minmax, Metric::euclidean, blocks), rows, job);
  EXPECT_NEAR(squared_distance(minmax, 0, 9), 1, 1e-5);
}

TEST(Prepare, ACategoryOfOneLevelBecomesZeros) {
  Matrix rows(3, 1);
  for (std::size_t i = 0; i < 3; ++i) rows.mutable_row<float>(i)[0] = 1;
  const std::vector<ColumnBlock> blocks = {{0, 1}};
  Job job({.threads = 1});
  const Scaler scaler =
      make_scaler(column_statistics(rows, job), Scale::standard, Metric::euclidean, blocks);
  EXPECT_EQ(scaler.factor[0], 0);
}

TEST(Prepare, CosineGivesUnitNormAndLeavesZeros) {
  Matrix rows(2, 2);
  rows.mutable_row<float>(0)[0] = 3;
  rows.mutable_row<float>(0)[1] = 4;
  Job job({.threads = 1});
  const Scaler scaler = make_scaler({}, Scale::none, Metric::cosine);
  const Matrix prepared = prepare(scaler, rows, job);
  EXPECT_FLOAT_EQ(prepared.at(0, 0), 0.6F);
  EXPECT_FLOAT_EQ(prepared.at(0, 1), 0.8F);
  EXPECT_EQ(prepared.at(1, 0), 0);
}

TEST(Prepare, DoesNotCopyRowsWhenTheScalerIsTheIdentity) {
  const Matrix rows = make_rows(5, 3);
  Job job({.threads = 1});
  const Rows prepared = prepare_rows(Preparation(), rows, job);
  EXPECT_EQ(prepared.view().dense().row<float>(0), rows.row<float>(0));
  EXPECT_EQ(prepared.view().dense().shape(), rows.shape());
}

TEST(RequireFinite, NamesRowAndColumn) {
  Matrix rows(3, 4);
  rows.mutable_row<float>(2)[1] = std::numeric_limits<float>::quiet_NaN();
  Job job({.threads = 2});
  try {
    require_finite(rows, job);
    FAIL() << "NaN was accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("row 3, column 2"), std::string::npos) << error.what();
  }
}

TEST(DominanceNote, NamesTheColumnAndTheOption) {
  ColumnStatistics statistics;
  statistics.variance = {1, 2, 1, 100000, 1};
  const auto note = dominance_note(statistics);
  ASSERT_TRUE(note.has_value());
  const std::string text = note->text();
  EXPECT_NE(text.find("column 4"), std::string::npos) << text;
  EXPECT_NE(text.find(" scale = standard will"), std::string::npos) << text;
}

TEST(DominanceNote, IsSilentWhenColumnsAreAlike) {
  ColumnStatistics statistics;
  statistics.variance = std::vector<double>(20, 1.0);
  EXPECT_FALSE(dominance_note(statistics).has_value());
  statistics.variance = std::vector<double>(20, 0.0);
  EXPECT_FALSE(dominance_note(statistics).has_value());
}

}  // namespace
}  // namespace mbn
