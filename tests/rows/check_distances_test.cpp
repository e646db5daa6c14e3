// SPDX-License-Identifier: Apache-2.0
#include "rows/check_distances.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <mbn/error.hpp>

namespace mbn {
namespace {

Matrix distances_on_a_line(std::size_t rows) {
  Matrix distances(rows, rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      distances.mutable_row<float>(i)[j] = std::abs(static_cast<float>(i) - static_cast<float>(j));
    }
  }
  return distances;
}

void expect_refused(RowsView rows, const std::string& words) {
  try {
    check_distances(rows);
    ADD_FAILURE() << "accepted: " << words;
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(CheckDistances, TakesDistances) {
  EXPECT_FALSE(check_distances(distances_on_a_line(9)));
  EXPECT_FALSE(check_distances(Matrix(4, 4))) << "all rows are the same";
}

TEST(CheckDistances, RefusesWhatIsNone) {
  expect_refused(Matrix(4, 5), "these are 4 x 5");
  Matrix below = distances_on_a_line(5);
  below.mutable_row<float>(1)[3] = -0.5F;
  expect_refused(below, "row 2, column 4 (counted from 1) is -0.5");
  Matrix similar = distances_on_a_line(9);
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 9; ++j) {
      similar.mutable_row<float>(i)[j] = 8 - similar.at(i, j);
    }
  }
  expect_refused(similar, "these are similarities");
}

TEST(CheckDistances, TellsWhenTheyAreNotTheSameBothWays) {
  Matrix uneven = distances_on_a_line(9);
  uneven.mutable_row<float>(6)[2] = 1;
  const auto note = check_distances(uneven);
  ASSERT_TRUE(note);
  EXPECT_NE(note->text().find("row 3, column 7 is 4, and row 7, column 3 is 1"), std::string::npos)
      << note->text();
  uneven.mutable_row<float>(6)[2] = 4.0001F;
  EXPECT_FALSE(check_distances(uneven)) << "rounding";
}

}  // namespace
}  // namespace mbn
