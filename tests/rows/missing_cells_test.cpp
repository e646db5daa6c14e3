// SPDX-License-Identifier: Apache-2.0
#include "rows/missing_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <mbn/error.hpp>

#include "rows/scaler.hpp"
#include "rows/toy.hpp"
#include "rows/with_holes.hpp"

namespace mbn {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::string refusal(RowsView rows, MissingValues missing) {
  Job job({.threads = 2});
  try {
    require_training_values(rows, missing, job);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

TEST(MissingCells, AreFoundInFloatsOnly) {
  const Matrix bytes = toy_images(5, 3, 2);
  EXPECT_FALSE(has_missing(RowsView(bytes)));
  Matrix rows = as_floats(bytes);
  EXPECT_FALSE(has_missing(RowsView(rows)));
  rows.mutable_row<float>(4)[2] = kNan;
  EXPECT_TRUE(has_missing(RowsView(rows)));
  EXPECT_TRUE(has_missing(rows.view(), 4));
  EXPECT_FALSE(has_missing(rows.view(), 3));
}

TEST(MissingCells, AreTakenOnlyWhenAskedFor) {
  const Matrix rows = with_holes(toy_images(50, 6, 2), 3);
  EXPECT_NE(refusal(rows, MissingValues::refuse).find("every value must be finite"),
            std::string::npos);
  EXPECT_EQ(refusal(rows, MissingValues::partial), "");
}

TEST(MissingCells, ARowOrAColumnOrNumbersWithoutAValueAreRefused) {
  Matrix rows = as_floats(toy_images(50, 3, 2));
  rows.mutable_row<float>(7)[1] = std::numeric_limits<float>::infinity();
  EXPECT_NE(refusal(rows, MissingValues::partial).find("row 8, column 2"), std::string::npos);
  for (std::size_t j = 0; j < 3; ++j) rows.mutable_row<float>(7)[j] = kNan;
  EXPECT_NE(refusal(rows, MissingValues::partial).find("row 8 (counted from 1) has no value"),
            std::string::npos);
  rows = as_floats(toy_images(50, 3, 2));
  for (std::size_t i = 0; i < 50; ++i) rows.mutable_row<float>(i)[1] = kNan;
  EXPECT_NE(refusal(rows, MissingValues::partial).find("column 2 (counted from 1) has no value"),
            std::string::npos);
  // New rows may lack a column.
  Job job({.threads = 1});
  EXPECT_NO_THROW(require_values(rows, MissingValues::partial, job));
}

TEST(MissingCells, SparseRowsHaveNone) {
  SparseMatrix rows;
  rows.columns = 3;
  rows.starts = {0, 0};
  EXPECT_NE(refusal(rows, MissingValues::partial).find("a cell that is not there is zero"),
            std::string::npos);
}

TEST(ColumnStatistics, LeaveOutMissingCells) {
  const Matrix rows = with_holes(as_floats(toy_images(3000, 4, 3)), 3);
  Job job({.threads = 2});
  const ColumnStatistics found = column_statistics(rows, job);
  const CellMoments moments = moments_of_cells(rows);
  for (std::size_t j = 0; j < 4; ++j) {
    double sum = 0;
    double squares = 0;
    double count = 0;
    double low = 1e9;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const double value = rows.at(i, j);
      if (std::isnan(value)) continue;
      sum += value;
      squares += value * value;
      count += 1;
      low = std::min(low, value);
    }
    const double mean = sum / count;
    EXPECT_LT(count, 2500);
    EXPECT_NEAR(found.mean[j], mean, 1e-9 * mean);
    EXPECT_NEAR(found.variance[j], squares / count - mean * mean, 1e-6 * squares / count);
    EXPECT_EQ(found.minimum[j], low);
    EXPECT_NEAR(moments.mean[j], mean, 1e-9 * mean);
    EXPECT_NEAR(moments.variance[j], found.variance[j], 1e-9 * found.variance[j]);
  }
}

// The first block of a thousand rows has no value in the column.
TEST(ColumnStatistics, ABlockMayLackAColumn) {
  Matrix rows(1500, 2);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    rows.mutable_row<float>(i)[0] = static_cast<float>(i);
    rows.mutable_row<float>(i)[1] = i < 1200 ? kNan : static_cast<float>(i % 2);
  }
  Job job({.threads = 1});
  const ColumnStatistics found = column_statistics(rows, job);
  EXPECT_DOUBLE_EQ(found.mean[1], 0.5);
  EXPECT_DOUBLE_EQ(found.variance[1], 0.25);
  EXPECT_EQ(found.maximum[1], 1);
}

}  // namespace
}  // namespace mbn
