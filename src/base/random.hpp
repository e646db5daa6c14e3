// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mbn {

/// What random numbers are used for. Streams of different purpose never share a number. The values
/// are part of every result: never change them.
enum class Purpose : std::uint32_t {
  rows = 1,
  features = 2,
  kmeans = 3,
  projection = 4,
  generate = 5,
  sample = 6,
  pool = 7,
  part = 8,
  pilot = 9,
  half = 10,
  map = 11,
  triplets = 12,
  distances = 13,
  student = 16,
  dropout = 17,
  batches = 18,
  augment = 19
};

/// A counter-based random stream (Philox4x32-10): the numbers depend on the seed, the purpose and
/// two indices only, so streams can be opened in any order on any thread. One object serves one
/// thread.
class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose, std::uint32_t first = 0, std::uint32_t second = 0);

  std::uint32_t next();
  /// Uniform in 0 .. bound-1, without bias. `bound` is at least 1.
  std::uint32_t below(std::uint32_t bound);
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Standard normal.
  double normal();

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  unsigned used_ = 4;
};

/// One block of Philox4x32 with ten rounds (Salmon et al., 2011).
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// `count` different numbers of 0 .. population-1 in random order.
std::vector<std::uint32_t> draw_without_replacement(Random& random, std::uint32_t population,
                                                    std::uint32_t count);

/// All numbers of 0 .. population-1 in order when `count` is no less, else `count` of them drawn.
std::vector<std::uint32_t> draw_or_all(Random& random, std::uint32_t population,
                                       std::uint32_t count);

}  // namespace mbn
