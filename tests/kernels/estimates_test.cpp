// SPDX-License-Identifier: Apache-2.0
#include "kernels/estimates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

std::vector<float> numbers(std::size_t count, std::uint32_t stream) {
  Random random(2, Purpose::generate, 78, stream);
  std::vector<float> cells(count);
  for (float& cell : cells) cell = static_cast<float>(20 * random.uniform() - 10);
  return cells;
}

TEST(Estimates, EqualTheReferenceToTheBit) {
  for (const std::size_t count : {0, 1, 3, 16, 31, 32, 33, 64, 257, 1000}) {
    const auto offset = numbers(count, 1);
    const auto factor = numbers(count, 2);
    const auto products = numbers(count, 3);
    auto expected = products;
    const float smallest =
        reference::finish_estimates(offset.data(), factor.data(), count, expected.data());
    on_every_target([&] {
      auto values = products;
      EXPECT_EQ(finish_estimates(offset.data(), factor.data(), count, values.data()), smallest);
      EXPECT_EQ(values, expected);
    });
  }
}

TEST(Estimates, NaNIsNeverTheSmallestNorNearIt) {
  std::vector<float> offset(100, 0), factor(100, 1);
  on_every_target([&] {
    for (const std::size_t place : {0, 17, 40, 99}) {
      auto values = numbers(100, 4);
      values[place] = NAN;
      auto expected = values;
      EXPECT_EQ(finish_estimates(offset.data(), factor.data(), 100, values.data()),
                reference::finish_estimates(offset.data(), factor.data(), 100, expected.data()));
      const std::vector<float> none(100, NAN);
      EXPECT_EQ(find_at_most(none.data(), 0, 100, 1e30F), 100U);
    }
    std::vector<float> all(70, NAN);
    EXPECT_EQ(finish_estimates(offset.data(), factor.data(), 70, all.data()),
              std::numeric_limits<float>::infinity());
  });
}

TEST(Estimates, EveryValueAtMostTheLimitIsFound) {
  for (const std::size_t count : {1, 15, 64, 333}) {
    const auto values = numbers(count, 5);
    on_every_target([&] {
      for (const float limit : {-11.0F, -9.5F, values[count / 2], 0.0F, 11.0F}) {
        std::vector<std::size_t> found, expected;
        for (std::size_t j = find_at_most(values.data(), 0, count, limit); j < count;
             j = find_at_most(values.data(), j + 1, count, limit)) {
          found.push_back(j);
        }
        for (std::size_t j = 0; j < count; ++j) {
          if (values[j] <= limit) expected.push_back(j);
        }
        EXPECT_EQ(found, expected);
      }
      EXPECT_EQ(find_at_most(values.data(), count, count, 11.0F), count);
    });
  }
}

}  // namespace
}  // namespace mbn
