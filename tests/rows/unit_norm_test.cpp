// SPDX-License-Identifier: Apache-2.0
#include "rows/unit_norm.hpp"

#include <gtest/gtest.h>

#include <array>

namespace mbn {
namespace {

TEST(UnitNorm, TheThreeWaysAgreeButForRounding) {
  const std::array<float, 4> row = {3, 0, -4, 12};
  EXPECT_EQ(norm(row.data(), row.size()), 13);
  std::array<float, 4> scaled = row;
  std::array<float, 4> divided = row;
  scale_to_unit_norm(scaled.data(), scaled.size());
  divide_by_norm(divided.data(), divided.size(), 13);
  for (std::size_t j = 0; j < row.size(); ++j) {
    EXPECT_EQ(divided[j], static_cast<float>(static_cast<double>(row[j]) / 13));
    EXPECT_FLOAT_EQ(scaled[j], divided[j]);
  }
  EXPECT_NEAR(norm(scaled.data(), scaled.size()), 1, 1e-7);
}

TEST(UnitNorm, SquaresBeyondTheRangeOfFloat) {
  std::array<float, 2> row = {3e30F, 4e30F};
  scale_to_unit_norm(row.data(), row.size());
  EXPECT_FLOAT_EQ(row[0], 0.6F);
  EXPECT_FLOAT_EQ(row[1], 0.8F);
}

TEST(UnitNorm, ZerosStayZeros) {
  std::array<float, 3> row{};
  scale_to_unit_norm(row.data(), row.size());
  divide_by_norm(row.data(), row.size(), norm(row.data(), row.size()));
  EXPECT_EQ(row, (std::array<float, 3>{}));
  EXPECT_EQ(norm(nullptr, 0), 0);
}

}  // namespace
}  // namespace mbn
