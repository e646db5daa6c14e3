// SPDX-License-Identifier: Apache-2.0
#include "kernels/reaching.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

TEST(Reaching, EveryTargetFindsWhatThePlainLoopFinds) {
  constexpr std::size_t kWords = 3;
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  Random random(5, Purpose::generate);
  std::vector<float> terms(64 * kWords);
  std::vector<float> best(64 * kWords);
  for (std::size_t v = 0; v < terms.size(); ++v) {
    terms[v] = random.below(3) == 0 ? std::nanf("") : static_cast<float>(random.below(4));
    best[v] = random.below(8) == 0 ? -kInfinite : static_cast<float>(random.below(6));
  }
  for (const float bound : {0.0F, 1.0F, 2.0F, kInfinite}) {
    std::vector<std::uint64_t> scaled(kWords), shifted(kWords), found(kWords, 7);
    const bool any_scaled =
        reference::reaching_scaled(terms.data(), best.data(), bound, kWords, scaled.data());
    const bool any_shifted =
        reference::reaching_shifted(terms.data(), best.data(), bound, kWords, shifted.data());
    on_every_target([&] {
      EXPECT_EQ(reaching_scaled(terms.data(), best.data(), bound, kWords, found.data()),
                any_scaled);
      EXPECT_EQ(found, scaled);
      EXPECT_EQ(reaching_shifted(terms.data(), best.data(), bound, kWords, found.data()),
                any_shifted);
      EXPECT_EQ(found, shifted);
    });
  }
}

TEST(Reaching, ATieReachesAndNaNDoesNot) {
  std::vector<float> terms(64, std::nanf(""));
  std::vector<float> best(64, 6.0F);
  terms[3] = 2;
  terms[4] = 1;
  std::vector<std::uint64_t> hits(1);
  EXPECT_TRUE(reaching_scaled(terms.data(), best.data(), 3, 1, hits.data()));
  EXPECT_EQ(hits[0], 1U << 3);
  EXPECT_TRUE(reaching_shifted(terms.data(), best.data(), 7, 1, hits.data()));
  EXPECT_EQ(hits[0], 1U << 4);
  EXPECT_FALSE(reaching_scaled(terms.data(), best.data(), 1, 1, hits.data()));
}

}  // namespace
}  // namespace mbn
