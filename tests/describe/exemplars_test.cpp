// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "describe/exemplars.hpp"

namespace mbn {
namespace {

TEST(FindExemplars, TakesRowsThatAgreeMostAndEveryCodeOnce) {
  // Rows 0 to 3 are cluster 0; 0 and 1 are the same, 3 agrees with none.
  CodeMatrix codes(6, 3, 8);
  codes.visit([](auto* cells) {
    const int all[] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 5, 6, 7, 3, 3, 3, 3, 3, 4};
    std::copy(std::begin(all), std::end(all), cells);
  });
  const std::vector<std::int32_t> labels{0, 0, 0, 0, 1, -1};
  const std::vector<std::uint32_t> sample{0, 1, 2, 3, 4, 5};
  const auto found = find_exemplars(codes, sample, labels, 3, 2);
  EXPECT_EQ(found[0], (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(found[1], (std::vector<std::uint32_t>{4}));
  EXPECT_TRUE(found[2].empty());
}

TEST(FindExemplars, OfASampleAreNumbersOfAllRows) {
  CodeMatrix codes(2, 1, 4);
  codes.visit([](auto* cells) { cells[0] = 1, cells[1] = 2; });
  const std::vector<std::int32_t> labels{0, 0, 0, 1, 1, 1};
  const auto found = find_exemplars(codes, std::vector<std::uint32_t>{4, 2}, labels, 2, 3);
  EXPECT_EQ(found[0], (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(found[1], (std::vector<std::uint32_t>{4}));
}

}  // namespace
}  // namespace mbn
