// SPDX-License-Identifier: Apache-2.0
//
// Philox turns a counter into random bits with a keyed bijection: ten rounds of two 32 x 32 -> 64
// bit products. The key is the seed; the counter is (block, second, first, purpose), so each
// (purpose, layer, clustering) has 2^32 blocks of its own and no stream needs another's state.
//
// A bounded draw uses Lemire's method: the high word of a 64-bit product, rejecting the few low
// words that would favour small values.
#include "base/random.hpp"

#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace mbn {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

Random::Random(std::uint64_t seed, Purpose purpose, std::uint32_t first, std::uint32_t second)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, second, first, static_cast<std::uint32_t>(purpose)} {}

std::uint32_t Random::next() {
  if (used_ == block_.size()) {
    block_ = philox4x32(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

std::uint32_t Random::below(std::uint32_t bound) {
  assert(bound > 0);
  const std::uint32_t threshold = (0U - bound) % bound;
  for (;;) {
    const std::uint64_t product = std::uint64_t{next()} * bound;
    if (static_cast<std::uint32_t>(product) >= threshold) {
      return static_cast<std::uint32_t>(product >> 32);
    }
  }
}

double Random::uniform() {
  const std::uint64_t high = next() >> 5;
  const std::uint64_t low = next() >> 6;
  return static_cast<double>((high << 26) | low) * 0x1p-53;
}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::vector<std::uint32_t> draw_without_replacement(Random& random, std::uint32_t population,
                                                    std::uint32_t count) {
  assert(count <= population);
  std::vector<std::uint32_t> numbers(population);
  std::iota(numbers.begin(), numbers.end(), 0U);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::swap(numbers[i], numbers[i + random.below(population - i)]);
  }
  numbers.resize(count);
  return numbers;
}

std::vector<std::uint32_t> draw_or_all(Random& random, std::uint32_t population,
                                       std::uint32_t count) {
  if (count < population) return draw_without_replacement(random, population, count);
  std::vector<std::uint32_t> all(population);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace mbn
