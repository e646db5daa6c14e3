// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mbn {

/// One bit for each of 512 drawn rows. Aligned, so that a slice is one cache line.
struct alignas(64) Slice {
  static constexpr std::size_t kWords = 8;
  static constexpr std::size_t kBits = 64 * kWords;
  std::uint64_t words[kWords];
};

/// Counters of 512 drawn rows, bit by bit: plane p holds bit p of every count.
struct CountPlanes {
  static constexpr std::size_t kPlanes = 15;  ///< counts up to 32767
  Slice planes[kPlanes + 1];  ///< the last is never used: readers may look 7 bytes too far
};

/// Which slices a row selects: one per feature, by the row's code in it.
struct SliceTable {
  /// [feature of this table][code], `codes_below` per feature; then one slice of zeros.
  const Slice* slices = nullptr;
  std::size_t codes_below = 0;
  const std::uint32_t* features = nullptr;  ///< which codes of a row to look at
  std::size_t feature_count = 0;
  std::size_t planes = 0;  ///< at least 4, and enough for the highest count that can come out
  /// Work space of feature_count + kSlicesAtOnce numbers.
  std::uint32_t* selected = nullptr;
};
constexpr std::size_t kSlicesAtOnce = 16;

/// Adds the slices that `row` selects to `counts`: every drawn row that has the row's code in a
/// feature is counted once.
template <class Code>
void add_slices(const SliceTable& table, const Code* row, CountPlanes& counts);
template <class Code>
void add_slices_reference(const SliceTable& table, const Code* row, CountPlanes& counts);

/// How the drawn rows of one or more clusterings share the 512 bits: clustering i has bits
/// i * stride .. i * stride + centroids - 1. A stride above kFreeStride is a multiple of 8.
struct SliceShares {
  std::size_t clusterings = 0;
  std::size_t centroids = 0;
  std::size_t stride = 0;
  static constexpr std::size_t kFreeStride = 57;
};

struct Winner {
  std::uint32_t code = 0;
  std::uint32_t count = 0;
};

/// The highest count among each clustering's drawn rows, and the first that has it.
void read_winners(const SliceShares& shares, const CountPlanes& counts, std::size_t planes,
                  Winner* winners);
void read_winners_reference(const SliceShares& shares, const CountPlanes& counts,
                            std::size_t planes, Winner* winners);

}  // namespace mbn
