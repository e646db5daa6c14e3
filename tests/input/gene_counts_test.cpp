// SPDX-License-Identifier: Apache-2.0
#include "input/gene_counts.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mbn {
namespace {

bool are_raw(std::vector<float> cells) {
  return are_raw_counts(MatrixView(cells.data(), 2, cells.size() / 2));
}

TEST(GeneCounts, AreWholeNumbersFromZeroOn) {
  EXPECT_TRUE(are_raw({0, 1, 2, 300}));
  EXPECT_FALSE(are_raw({0, 1, 2, 0.5F}));
  EXPECT_FALSE(are_raw({0, -1, 2, 3}));
  EXPECT_FALSE(are_raw({0, 1, 2, std::numeric_limits<float>::quiet_NaN()}));
  EXPECT_FALSE(are_raw({0, 0, 0, 0})) << "nothing was counted";
  const SparseMatrix counts{3, {0, 1, 2}, {0, 2}, {4, 1}};
  EXPECT_TRUE(are_raw_counts(counts));
  const SparseMatrix logarithms{3, {0, 1, 2}, {0, 2}, {4, 0.7F}};
  EXPECT_FALSE(are_raw_counts(logarithms));
}

}  // namespace
}  // namespace mbn
