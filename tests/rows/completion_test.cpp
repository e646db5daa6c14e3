// SPDX-License-Identifier: Apache-2.0
#include "rows/completion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rows/preparation.hpp"
#include "rows/toy.hpp"
#include "rows/with_holes.hpp"

namespace mbn {
namespace {

// Rows of four hidden quantities and a little noise.
Matrix hidden_rows(std::size_t rows, std::size_t columns) {
  constexpr std::size_t kHidden = 4;
  std::vector<double> basis(kHidden * columns);
  Random random(3, Purpose::generate);
  for (double& cell : basis) cell = random.normal();
  Matrix made(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> hidden(kHidden);
    for (double& value : hidden) value = random.normal();
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 5 + 0.05 * random.normal();
      for (std::size_t h = 0; h < kHidden; ++h) sum += hidden[h] * basis[h * columns + j];
      made.mutable_row<float>(i)[j] = static_cast<float>(sum);
    }
  }
  return made;
}

double mean_square_error(const Matrix& truth, const Matrix& holed, const Directions& directions) {
  const Completion completion(directions);
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < truth.rows(); ++i) {
    std::vector<float> row(holed.row<float>(i), holed.row<float>(i) + holed.columns());
    completion.complete(row.data());
    for (std::size_t j = 0; j < truth.columns(); ++j) {
      if (!std::isnan(holed.at(i, j))) {
        EXPECT_EQ(row[j], truth.at(i, j));
        continue;
      }
      sum += std::pow(row[j] - truth.at(i, j), 2);
      count += 1;
    }
  }
  return sum / count;
}

TEST(Completion, FindsWhatTheOtherCellsTell) {
  const Matrix truth = hidden_rows(400, 30);
  const Matrix holed = with_holes(truth, 3);
  Job job({.threads = 2});
  const Directions directions = find_directions(holed, 4, Metric::euclidean, job);
  // A column has a variance of about 4.
  EXPECT_LT(mean_square_error(truth, holed, directions), 0.05);
}

TEST(Completion, AsManyDirectionsAsColumnsAreNotTooMany) {
  const Matrix truth = hidden_rows(400, 12);
  const Matrix holed = with_holes(truth, 6);
  Job job({.threads = 2});
  const Directions directions = find_directions(holed, 12, Metric::euclidean, job);
  EXPECT_LT(mean_square_error(truth, holed, directions), 0.5);
}

TEST(Completion, HasOneAnswerForSmallAndForLargeGaps) {
  const Matrix truth = hidden_rows(300, 24);
  Job job({.threads = 1});
  const Directions directions = find_directions(truth, 4, Metric::euclidean, job);
  const Completion completion(directions);
  std::vector<float> row(truth.row<float>(0), truth.row<float>(0) + 24);
  const std::vector<float> whole = row;
  completion.complete(row.data());
  EXPECT_EQ(row, whole);
  // 11 of 24 missing: subtracted from the whole; 13 missing: added up. Nearly the same rows.
  for (const std::size_t missing : {11U, 13U}) {
    row = whole;
    for (std::size_t j = 0; j < missing; ++j) row[j] = std::numeric_limits<float>::quiet_NaN();
    completion.complete(row.data());
    for (std::size_t j = 0; j < 24; ++j) EXPECT_NEAR(row[j], whole[j], 0.4) << missing;
  }
}

TEST(Completion, ARowWithoutAnyOtherCellGetsTheCentre) {
  const Matrix truth = hidden_rows(300, 24);
  Job job({.threads = 1});
  const Directions directions = find_directions(truth, 4, Metric::euclidean, job);
  std::vector<float> row(24, std::numeric_limits<float>::quiet_NaN());
  Completion(directions).complete(row.data());
  for (std::size_t j = 0; j < 24; ++j) EXPECT_FLOAT_EQ(row[j], directions.centre[j]);
}

TEST(PreparedPartialRows, AreTheSameAloneAndForAnyNumberOfThreads) {
  const Matrix rows = with_holes(hidden_rows(500, 40), 3);
  FitOptions options;
  options.directions = 6;
  options.missing = MissingValues::partial;
  Job one({.threads = 1});
  Job three({.threads = 3});
  const Preparation a = make_preparation(rows, column_statistics(rows, one), options, one);
  const Preparation b = make_preparation(rows, column_statistics(rows, three), options, three);
  EXPECT_TRUE(same_bytes(a.directions.basis, b.directions.basis));
  const Rows all = prepare_rows(a, rows, three);
  ASSERT_EQ(all.columns(), 6U);
  for (const std::size_t i : {0U, 123U, 499U}) {
    const Rows alone = prepare_rows(a, rows.view().slice(i, 1), one);
    EXPECT_TRUE(same_bytes(alone.view().dense(), all.view().dense().slice(i, 1)));
  }
}

// Rows without missing cells are prepared as if there were no such option.
TEST(PreparedPartialRows, WholeRowsAreAsWithoutTheOption) {
  const Matrix rows = hidden_rows(300, 40);
  FitOptions options;
  options.directions = 6;
  Job job({.threads = 1});
  const ColumnStatistics statistics = column_statistics(rows, job);
  const Preparation usual = make_preparation(rows, statistics, options, job);
  options.missing = MissingValues::partial;
  const Preparation partial = make_preparation(rows, statistics, options, job);
  EXPECT_TRUE(same_bytes(prepare_rows(usual, rows, job).view().dense(),
                         prepare_rows(partial, rows, job).view().dense()));
}

}  // namespace
}  // namespace mbn
