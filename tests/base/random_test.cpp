// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace mbn {
namespace {

// Known answers published with Random123.
TEST(Philox, GivesTheKnownAnswers) {
  using Block = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, StreamsDifferInEveryPartOfTheirKey) {
  std::set<std::uint32_t> firsts;
  for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32}) {
    for (const Purpose purpose : {Purpose::rows, Purpose::features}) {
      for (std::uint32_t a = 0; a < 3; ++a) {
        for (std::uint32_t b = 0; b < 3; ++b) firsts.insert(Random(seed, purpose, a, b).next());
      }
    }
  }
  EXPECT_EQ(firsts.size(), 3U * 2 * 3 * 3);
}

TEST(Random, BelowIsUniformAndInRange) {
  Random random(7, Purpose::sample);
  constexpr std::uint32_t kBound = 6;
  constexpr int kDraws = 60000;
  std::array<int, kBound> counts{};
  for (int i = 0; i < kDraws; ++i) {
    const std::uint32_t value = random.below(kBound);
    ASSERT_LT(value, kBound);
    ++counts[value];
  }
  // Five standard deviations of a fair die.
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 6, 5 * std::sqrt(kDraws * 5 / 36.0));
  EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, UniformAndNormalHaveTheirMoments) {
  Random random(3, Purpose::generate);
  constexpr int kDraws = 100000;
  double uniform = 0;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    uniform += u;
    const double normal = random.normal();
    ASSERT_TRUE(std::isfinite(normal));
    sum += normal;
    squares += normal * normal;
  }
  EXPECT_NEAR(uniform / kDraws, 0.5, 0.005);
  EXPECT_NEAR(sum / kDraws, 0, 0.016);
  EXPECT_NEAR(squares / kDraws, 1, 0.025);
}

TEST(DrawWithoutReplacement, GivesDifferentNumbersInRange) {
  Random random(1, Purpose::rows);
  const auto drawn = draw_without_replacement(random, 1000, 400);
  EXPECT_EQ(drawn.size(), 400U);
  EXPECT_EQ(std::set<std::uint32_t>(drawn.begin(), drawn.end()).size(), 400U);
  EXPECT_LT(*std::max_element(drawn.begin(), drawn.end()), 1000U);
  EXPECT_FALSE(std::is_sorted(drawn.begin(), drawn.end()));
}

TEST(DrawWithoutReplacement, OfEverythingIsAPermutation) {
  Random random(1, Purpose::rows);
  auto drawn = draw_without_replacement(random, 50, 50);
  std::sort(drawn.begin(), drawn.end());
  std::vector<std::uint32_t> all(50);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(drawn, all);
}

// Every number must be as likely in the first place as in the last: no row is favoured.
TEST(DrawWithoutReplacement, EveryNumberIsEquallyLikely) {
  std::array<int, 10> first{};
  std::array<int, 10> any{};
  constexpr int kRounds = 20000;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    Random random(5, Purpose::rows, 1, round);
    const auto drawn = draw_without_replacement(random, 10, 3);
    ++first[drawn[0]];
    for (const std::uint32_t number : drawn) ++any[number];
  }
  for (const int count : first) EXPECT_NEAR(count, kRounds / 10, 5 * std::sqrt(kRounds * 0.09));
  for (const int count : any) EXPECT_NEAR(count, kRounds * 0.3, 5 * std::sqrt(kRounds * 0.21));
}

}  // namespace
}  // namespace mbn
