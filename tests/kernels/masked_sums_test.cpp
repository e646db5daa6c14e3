// SPDX-License-Identifier: Apache-2.0
#include "kernels/masked_sums.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

constexpr std::size_t kSizes[] = {1, 5, 16, 31, 32, 33, 100, 784, 5000};

std::vector<float> floats(std::size_t count, double size, std::uint64_t seed) {
  Random random(seed, Purpose::generate);
  std::vector<float> values(count);
  for (auto& value : values) value = static_cast<float>(size * random.normal());
  return values;
}

TEST(PlanePlace, IsAPermutationOfEachGroup) {
  std::set<std::size_t> places;
  for (std::size_t f = 0; f < 64; ++f) {
    places.insert(plane_place(f));
    EXPECT_EQ(plane_place(f) / 32, f / 32);
  }
  EXPECT_EQ(places.size(), 64);
}

TEST(MaskedSums, EveryTargetAddsTheWordsOfTheMask) {
  for (const std::size_t features : kSizes) {
    Random random(features, Purpose::generate);
    BytePlanes planes(features);
    for (std::size_t f = 0; f < features; ++f) {
      planes.words[f] = static_cast<std::uint16_t>(random.below(65536));
    }
    constexpr std::size_t kMasks = 7;
    std::vector<std::uint8_t> masks(kMasks * planes.words.size());
    std::vector<std::uint64_t> expected(kMasks);
    for (std::size_t m = 0; m < kMasks; ++m) {
      for (std::size_t f = 0; f < features; ++f) {
        if (random.below(2) == 0) continue;
        masks[m * planes.words.size() + plane_place(f)] = 255;
        expected[m] += planes.words[f];
      }
    }
    on_every_target([&] {
      split_words(planes);
      for (const std::vector<std::uint32_t>& chosen :
           {std::vector<std::uint32_t>{}, {3}, {6, 0}, {0, 1, 2, 3, 4, 5, 6}}) {
        std::vector<std::uint64_t> low(chosen.size());
        std::vector<std::uint64_t> high(chosen.size());
        masked_sums(planes.low, masks.data(), chosen.data(), chosen.size(), low.data());
        masked_sums(planes.high, masks.data(), chosen.data(), chosen.size(), high.data());
        for (std::size_t n = 0; n < chosen.size(); ++n) {
          EXPECT_EQ(low[n] + 256 * high[n], expected[chosen[n]]);
        }
      }
      EXPECT_EQ(sum_of_squares(planes),
                reference::sum_of_squares(planes.words.data(), planes.words.size()));
    });
  }
}

TEST(MaskedSums, EveryTargetGivesTheSameWords) {
  for (const std::size_t features : kSizes) {
    for (const double size : {1.0, 1e-8, 1e9, 1e-30, 1e30}) {
      const auto x = floats(features, size, 1);
      const auto w = floats(features, size, 2);
      std::vector<std::uint16_t> squares(features);
      std::vector<std::uint16_t> products(features);
      const WordScale square_scale =
          reference::square_differences(x.data(), w.data(), features, squares.data());
      const WordScale product_scale =
          reference::multiply(x.data(), w.data(), features, products.data());
      on_every_target([&] {
        std::vector<std::uint16_t> words(features);
        WordScale scale = square_differences(x.data(), w.data(), features, words.data());
        EXPECT_EQ(scale.usable, square_scale.usable);
        EXPECT_EQ(scale.unit, square_scale.unit);
        if (scale.usable) {
          EXPECT_EQ(words, squares);
        }
        scale = multiply(x.data(), w.data(), features, words.data());
        EXPECT_EQ(scale.usable, product_scale.usable);
        EXPECT_EQ(scale.unit, product_scale.unit);
        EXPECT_EQ(scale.offset, product_scale.offset);
        if (scale.usable) {
          EXPECT_EQ(words, products);
        }
      });
    }
  }
}

TEST(MaskedSums, DifferencesOfBytesAreExact) {
  std::vector<std::uint8_t> x(600);
  std::vector<std::uint8_t> w(600);
  std::vector<std::uint16_t> expected(600);
  Random random(8, Purpose::generate);
  for (std::size_t f = 0; f < x.size(); ++f) {
    x[f] = static_cast<std::uint8_t>(f == 0 ? 255 : random.below(256));
    w[f] = static_cast<std::uint8_t>(f == 0 ? 0 : random.below(256));
    const int difference = x[f] - w[f];
    expected[f] = static_cast<std::uint16_t>(difference * difference);
  }
  on_every_target([&] {
    std::vector<std::uint16_t> words(600);
    square_differences(x.data(), w.data(), x.size(), words.data());
    EXPECT_EQ(words, expected);
  });
}

TEST(MaskedSums, WordsBoundTheNumber) {
  const auto x = floats(1000, 3, 4);
  const auto w = floats(1000, 3, 5);
  std::vector<std::uint16_t> words(1000);
  const WordScale scale = multiply(x.data(), w.data(), 1000, words.data());
  ASSERT_TRUE(scale.usable);
  const double slack = 1e-6 * static_cast<double>(scale.largest);
  for (std::size_t f = 0; f < 1000; ++f) {
    const double number = static_cast<double>(x[f]) * static_cast<double>(w[f]);
    const double low =
        words[f] * static_cast<double>(scale.unit) + static_cast<double>(scale.offset);
    EXPECT_GE(number, low - slack);
    EXPECT_LE(number, low + static_cast<double>(scale.unit) + slack);
  }
}

TEST(CloseBelow, EveryTargetClosesTheSame) {
  on_every_target([] {
    std::vector<float> values(128, std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < 100; ++i) values[i] = static_cast<float>(i);
    std::vector<std::uint64_t> open{~std::uint64_t{0}, 0xFFFFFFFFU};
    EXPECT_TRUE(close_below(values.data(), 70, open.data(), 2));
    EXPECT_EQ(open[0], 0);
    EXPECT_EQ(open[1], 0xFFFFFFC0U);
    EXPECT_FALSE(close_below(values.data(), 96, open.data(), 2));
  });
}

}  // namespace
}  // namespace mbn
