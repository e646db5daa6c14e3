// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer_dot.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

std::vector<std::int16_t> cells(std::size_t count, std::int32_t size, std::uint64_t seed) {
  Random random(seed, Purpose::generate);
  std::vector<std::int16_t> values(count);
  for (auto& value : values) {
    const auto drawn = static_cast<std::int32_t>(random.below(2 * size + 1));
    value = static_cast<std::int16_t>(drawn - size);
  }
  return values;
}

TEST(IntegerDot, EveryTargetMultipliesLikeThePlainLoop) {
  struct Size {
    std::size_t rows_a, rows_b, stride;
  };
  on_every_target([] {
    for (const Size size :
         {Size{1, 1, 2}, Size{3, 17, 10}, Size{4, 32, 512}, Size{7, 33, 514}, Size{8, 33, 514},
          Size{11, 1, 6}, Size{259, 70, 62}, Size{5, 64, 1500}}) {
      const auto a = cells(size.rows_a * size.stride, 1000, 1);
      const auto b = cells(size.rows_b * size.stride, 1000, 2);
      const std::size_t row = product_stride(size.rows_b);
      std::vector<std::int32_t> expected(size.rows_a * row);
      std::vector<std::int32_t> actual(size.rows_a * row);
      std::vector<std::int16_t> scratch(product_scratch(size.rows_b, size.stride));
      reference::integer_products(a.data(), size.rows_a, b.data(), size.rows_b, size.stride,
                                  expected.data());
      integer_products(a.data(), size.rows_a, b.data(), size.rows_b, size.stride, actual.data(),
                       scratch.data());
      for (std::size_t i = 0; i < size.rows_a; ++i) {
        for (std::size_t j = 0; j < size.rows_b; ++j) {
          ASSERT_EQ(actual[i * row + j], expected[i * row + j]) << i << ", " << j;
        }
      }
    }
  });
}

TEST(IntegerDot, ExtremesDoNotOverflow) {
  // Rows of the largest norm that the quantiser makes: squared norm 2^29.
  std::vector<std::int16_t> a(800, 0);
  a[0] = 16384;
  a[1] = -16384;
  const std::vector<std::int16_t> b(a);
  on_every_target([&] {
    std::vector<std::int32_t> c(product_stride(1));
    std::vector<std::int16_t> scratch(product_scratch(1, a.size()));
    integer_products(a.data(), 1, b.data(), 1, a.size(), c.data(), scratch.data());
    EXPECT_EQ(c[0], 1 << 29);
  });
}

TEST(FindBelow, EveryTargetFindsWhatThePlainLoopFinds) {
  Random random(3, Purpose::generate);
  for (const std::size_t count : {0UL, 1UL, 7UL, 16UL, 100UL, 257UL}) {
    std::vector<std::int32_t> products(count);
    std::vector<std::int32_t> others(count);
    for (auto& product : products) product = static_cast<std::int32_t>(random.below(2000)) - 1000;
    for (auto& other : others) other = static_cast<std::int32_t>(random.below(2000)) - 1000;
    for (const std::int32_t limit : {-5000, -800, 0, 3000, std::numeric_limits<int>::max()}) {
      std::vector<std::uint32_t> expected(count);
      std::vector<std::uint32_t> each(count);
      expected.resize(
          reference::find_below(products.data(), others.data(), count, limit, expected.data()));
      each.resize(reference::find_below_each(products.data(), limit / 4, others.data(), count,
                                             each.data()));
      on_every_target([&] {
        std::vector<std::uint32_t> hits(count);
        hits.resize(find_below(products.data(), others.data(), count, limit, hits.data()));
        EXPECT_EQ(hits, expected);
        hits.resize(count);
        hits.resize(find_below_each(products.data(), limit / 4, others.data(), count, hits.data()));
        EXPECT_EQ(hits, each);
      });
    }
  }
}

TEST(IntegerDot, SquaredDistanceOfBytes) {
  for (const std::size_t count : {0U, 1U, 15U, 16U, 33U, 784U, 40000U}) {
    Random random(5, Purpose::generate, static_cast<std::uint32_t>(count));
    std::vector<std::uint8_t> a(count);
    std::vector<std::uint8_t> b(count);
    // Half of the cells have the largest possible difference, to test the sums for overflow.
    for (std::size_t k = 0; k < count; ++k) {
      a[k] = static_cast<std::uint8_t>(k % 2 == 0 ? 255 : random.below(256));
      b[k] = static_cast<std::uint8_t>(k % 2 == 0 ? 0 : random.below(256));
    }
    const std::uint64_t expected = reference::squared_distance(a.data(), b.data(), count);
    on_every_target(
        [&] { EXPECT_EQ(squared_distance(a.data(), b.data(), count), expected) << count; });
  }
}

}  // namespace
}  // namespace mbn
