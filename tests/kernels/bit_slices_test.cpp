// SPDX-License-Identifier: Apache-2.0
#include "kernels/bit_slices.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

bool same(const CountPlanes& a, const CountPlanes& b, std::size_t planes) {
  for (std::size_t p = 0; p < planes; ++p) {
    if (!std::equal(a.planes[p].words, a.planes[p].words + Slice::kWords, b.planes[p].words)) {
      return false;
    }
  }
  return true;
}

CountPlanes random_counts(std::size_t planes, Random& random) {
  CountPlanes counts{};
  for (std::size_t p = 0; p < planes; ++p) {
    for (std::uint64_t& word : counts.planes[p].words) {
      word = std::uint64_t{random.next()} << 32 | random.next();
    }
  }
  return counts;
}

template <class Code>
void expect_sums(std::size_t features, std::size_t codes_below, std::size_t planes) {
  Random random(5, Purpose::generate, static_cast<std::uint32_t>(features));
  std::vector<Slice> slices(features * codes_below + 1);
  for (std::size_t s = 0; s + 1 < slices.size(); ++s) {
    for (std::uint64_t& word : slices[s].words) {
      word = std::uint64_t{random.next()} << 32 | random.next();
    }
  }
  std::vector<std::uint32_t> numbers(features);
  std::iota(numbers.rbegin(), numbers.rend(), 0U);
  std::vector<std::uint32_t> selected(features + kSlicesAtOnce);
  std::vector<Code> row(features);
  for (Code& code : row) {
    code = static_cast<Code>(random.below(static_cast<std::uint32_t>(codes_below)));
  }
  const SliceTable table{.slices = slices.data(),
                         .codes_below = codes_below,
                         .features = numbers.data(),
                         .feature_count = features,
                         .planes = planes,
                         .selected = selected.data()};
  // Counts that were there before must be kept: a table may come in parts.
  const CountPlanes before = random_counts(3, random);
  CountPlanes expected = before;
  add_slices_reference(table, row.data(), expected);
  on_every_target([&] {
    CountPlanes counts = before;
    add_slices(table, row.data(), counts);
    EXPECT_TRUE(same(counts, expected, planes)) << features << " features";
  });
}

TEST(BitSlices, AddLikeTheReference) {
  for (const std::size_t features : {1U, 2U, 7U, 15U, 16U, 17U, 200U, 401U}) {
    expect_sums<std::uint8_t>(features, 9, 10);
    expect_sums<std::uint16_t>(features, 300, 10);
    expect_sums<std::uint32_t>(features, 20, 15);
  }
}

TEST(BitSlices, ReadWinnersLikeTheReference) {
  Random random(6, Purpose::generate);
  for (const std::size_t centroids :
       {1U, 2U, 17U, 31U, 57U, 58U, 64U, 65U, 170U, 256U, 511U, 512U}) {
    const std::size_t stride =
        centroids <= SliceShares::kFreeStride ? centroids : (centroids + 7) / 8 * 8;
    for (const std::size_t planes : {1U, 4U, 8U, 15U}) {
      const SliceShares shares{
          .clusterings = Slice::kBits / stride, .centroids = centroids, .stride = stride};
      const CountPlanes counts = random_counts(planes, random);
      std::vector<Winner> expected(shares.clusterings);
      read_winners_reference(shares, counts, planes, expected.data());
      on_every_target([&] {
        std::vector<Winner> winners(shares.clusterings);
        read_winners(shares, counts, planes, winners.data());
        for (std::size_t i = 0; i < winners.size(); ++i) {
          EXPECT_EQ(winners[i].code, expected[i].code) << centroids << " centroids, winner " << i;
          EXPECT_EQ(winners[i].count, expected[i].count) << centroids << " centroids, winner " << i;
        }
      });
    }
  }
}

TEST(BitSlices, NobodyCountedMeansTheFirst) {
  const CountPlanes counts{};
  Winner winner{.code = 9, .count = 9};
  read_winners({.clusterings = 1, .centroids = 300, .stride = 304}, counts, 8, &winner);
  EXPECT_EQ(winner.code, 0U);
  EXPECT_EQ(winner.count, 0U);
}

}  // namespace
}  // namespace mbn
