// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <mbn/error.hpp>
#include <mbn/neighbours.hpp>

#include "rows/toy.hpp"

namespace mbn {
namespace {

TEST(Neighbours, AreThoseOfComparingWithEveryRow) {
  for (const std::size_t columns : {2U, 30U}) {
    const Matrix rows = toy_images(300, columns, 5);
    const Neighbours neighbours(rows);
    const NearestRows found = neighbours.find(rows, 4, {.threads = 2});
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      std::vector<std::pair<double, std::uint32_t>> all;
      for (std::uint32_t j = 0; j < rows.rows(); ++j) {
        double sum = 0;
        for (std::size_t c = 0; c < columns; ++c) {
          sum += std::pow(double{rows.at(i, c)} - double{rows.at(j, c)}, 2);
        }
        all.emplace_back(sum, j);
      }
      std::ranges::sort(all);
      EXPECT_EQ(found.distances.at(i, 0), 0);
      for (std::size_t n = 0; n < 4; ++n) {
        EXPECT_NEAR(found.distances.at(i, n), std::sqrt(all[n].first), 1e-3);
      }
    }
    EXPECT_EQ(found.rows, neighbours.find(rows, 4, {.threads = 1}).rows);
  }
}

TEST(Neighbours, RefusesWhatItCannotFind) {
  const Matrix rows = toy_images(10, 3, 2);
  const Neighbours neighbours(rows);
  EXPECT_THROW(neighbours.find(rows, 0), InvalidArgument);
  EXPECT_THROW(neighbours.find(rows, 11), InvalidArgument);
  EXPECT_THROW(neighbours.find(toy_images(10, 4, 2), 1), InvalidArgument);
  Matrix odd(1, 3);
  odd.mutable_row<float>(0)[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(Neighbours{odd}, InvalidArgument);
}

}  // namespace
}  // namespace mbn
