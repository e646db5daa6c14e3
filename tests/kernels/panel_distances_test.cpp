// SPDX-License-Identifier: Apache-2.0
#include "kernels/panel_distances.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/large_array.hpp"
#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

constexpr PairTerm kTerms[] = {PairTerm::absolute, PairTerm::chi_squared, PairTerm::unequal,
                               PairTerm::smaller};

// Numbers of 0 or more, many of them equal.
std::vector<float> numbers(std::size_t count, double size, std::uint32_t stream) {
  Random random(3, Purpose::generate, 79, stream);
  std::vector<float> cells(count);
  for (float& cell : cells) {
    cell = random.below(3) == 0 ? 0.0F : static_cast<float>(size * random.uniform());
    if (random.below(4) == 0) cell = static_cast<float>(size);
  }
  return cells;
}

LargeArray<float> packed(const std::vector<float>& rows, std::size_t count, std::size_t features) {
  LargeArray<float> panels(right_panels(count) * kRightPanel * features);
  pack_right({rows.data(), 1, features}, features, count, 0, right_panels(count), panels.data());
  return panels;
}

TEST(PanelDistances, EqualTheReferenceToTheBitOnEveryTarget) {
  for (const PairTerm term : kTerms) {
    for (const std::size_t features : {1, 2, 17, 100}) {
      for (const std::size_t count : {1, 3, 4, 9}) {
        for (const double size : {1.0, 1e-30, 1e30}) {
          const auto rows = numbers(count * features, size, 1);
          const auto kept = packed(numbers(20 * features, size, 2), 20, features);
          const std::size_t stride = 2 * kRightPanel + 5;
          std::vector<float> expected(count * stride);
          reference::panel_distances(term, rows.data(), features, count, kept.data(), 2, features,
                                     expected.data(), stride);
          on_every_target([&] {
            std::vector<float> found(count * stride);
            panel_distances(term, rows.data(), features, count, kept.data(), 2, features,
                            found.data(), stride);
            EXPECT_EQ(found, expected);
          });
        }
      }
    }
  }
}

TEST(PanelDistances, AreSumsOfTerms) {
  const std::vector<float> x = {1, 0, 3, 0, 0.5F};
  const std::vector<float> w = {3, 0, 3, 2, 1};
  const auto kept = packed(w, 1, 5);
  const auto distance = [&](PairTerm term) {
    std::vector<float> out(kRightPanel);
    panel_distances(term, x.data(), 5, 1, kept.data(), 1, 5, out.data(), kRightPanel);
    return out[0];
  };
  EXPECT_FLOAT_EQ(distance(PairTerm::absolute), 2 + 2 + 0.5F);
  EXPECT_FLOAT_EQ(distance(PairTerm::chi_squared), 1 + 2 + 0.25F / 1.5F);
  EXPECT_FLOAT_EQ(distance(PairTerm::unequal), 3);
  EXPECT_FLOAT_EQ(distance(PairTerm::smaller), 1 + 3 + 0.5F);
}

TEST(PairTerms, EqualTheReferenceToTheBitOnEveryTarget) {
  for (const PairTerm term : {PairTerm::absolute, PairTerm::chi_squared, PairTerm::unequal}) {
    for (const std::size_t features : {1, 7, 16, 33, 784}) {
      const auto x = numbers(features, 100, 3);
      const auto w = numbers(features, 100, 4);
      std::vector<float> expected(features);
      const float largest =
          reference::pair_terms(term, x.data(), w.data(), features, expected.data());
      on_every_target([&] {
        std::vector<float> found(features);
        EXPECT_EQ(pair_terms(term, x.data(), w.data(), features, found.data()), largest);
        EXPECT_EQ(found, expected);
      });
    }
  }
}

}  // namespace
}  // namespace mbn
