// SPDX-License-Identifier: Apache-2.0
//
// The search of a block is tested through the engine that prepares it
// (tests/upper/upper_engines_test.cpp). Here are the functions that move bits.
#include "kernels/row_slices.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

TEST(RowSlices, TransposeMovesEveryBitAcrossTheDiagonal) {
  Random random(1, Purpose::generate);
  std::vector<std::uint64_t> words(64);
  for (std::uint64_t& word : words) {
    for (int bit = 0; bit < 64; ++bit) word |= std::uint64_t{random.below(2)} << bit;
  }
  on_every_target([&] {
    std::vector<std::uint64_t> turned = words;
    std::array<std::uint16_t, 64> counts{};
    transpose_bits(turned.data(), counts.data());
    for (std::size_t i = 0; i < 64; ++i) {
      ASSERT_EQ(counts[i], std::popcount(turned[i]));
      for (std::size_t j = 0; j < 64; ++j) {
        ASSERT_EQ(turned[j] >> i & 1, words[i] >> j & 1) << i << ", " << j;
      }
    }
  });
}

TEST(RowSlices, AnswersAreReadFromTheirPlanes) {
  for (const std::size_t planes : {0U, 1U, 7U, 8U, 9U, 17U, 32U}) {
    Random random(2, Purpose::generate, static_cast<std::uint32_t>(planes));
    std::vector<std::uint32_t> codes(RowSlice::kRows);
    std::vector<RowSlice> slices(planes);
    for (std::size_t r = 0; r < codes.size(); ++r) {
      for (std::size_t p = 0; p < planes; ++p) {
        const std::uint64_t bit = random.below(2);
        codes[r] |= static_cast<std::uint32_t>(bit << p);
        slices[p].words[r / 64] |= bit << r % 64;
      }
    }
    std::vector<std::uint32_t> answers(RowSlice::kRows, 77);
    read_answers(slices.data(), planes, answers.data());
    EXPECT_EQ(answers, codes) << planes << " planes";
  }
}

}  // namespace
}  // namespace mbn
