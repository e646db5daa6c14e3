// SPDX-License-Identifier: Apache-2.0
#include <mbn/pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace mbn {
namespace {

// The slow twin: all keys, sorted.
std::vector<std::uint64_t> smallest_keys(std::uint64_t rows, std::uint64_t count,
                                         std::uint64_t seed) {
  const auto key = [&](std::uint64_t number) {
    std::uint64_t bits = number + seed * 0x9E3779B97F4A7C15U + 0xD1B54A32D192ED03U;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31);
  };
  std::vector<std::uint64_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  std::ranges::sort(numbers, {}, key);
  numbers.resize(count);
  std::ranges::sort(numbers);
  return numbers;
}

TEST(Pool, HasTheSmallestKeys) {
  for (const std::uint32_t pool : {2U, 3U, 100U, 999U}) {
    for (const std::uint64_t seed : {0U, 7U}) {
      EXPECT_EQ(pool_rows(1000, {.pool = pool, .seed = seed}), smallest_keys(1000, pool, seed));
    }
  }
  EXPECT_EQ(pool_rows(1000, {.pool = 5}), (std::vector<std::uint64_t>{89, 123, 350, 549, 669}));
}

TEST(Pool, IsAllRowsWhereThereAreNoMore) {
  EXPECT_EQ(pool_rows(3, {.pool = 3}), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(pool_rows(3, {}), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(pool_size(100'001, {}), 100'000U);
  EXPECT_EQ(pool_size(100'001, {.metric = Metric::precomputed}), 100'001U);
}

TEST(Pool, MostlyStaysWhenRowsAreAdded) {
  const auto before = pool_rows(10'000, {.pool = 1000});
  const auto after = pool_rows(10'100, {.pool = 1000});
  std::vector<std::uint64_t> both;
  std::ranges::set_intersection(before, after, std::back_inserter(both));
  EXPECT_GT(both.size(), 970U);
}

}  // namespace
}  // namespace mbn
