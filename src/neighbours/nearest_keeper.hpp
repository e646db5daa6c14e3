// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace mbn {

/// Keeps, for each of many rows, the `keep` smallest of the (estimate, number) pairs that it is
/// offered. The pairs kept at the end do not depend on the order of the offers. A row's pairs are
/// collected in a buffer of 1.5 `keep` and cut back to `keep` when it is full, so an offer costs
/// constant time on average. Not thread-safe for the same row.
class NearestKeeper {
 public:
  NearestKeeper(std::size_t rows, std::size_t keep)
      : keep_(keep),
        capacity_(capacity(keep)),
        keys_(rows * capacity_),
        sizes_(rows),
        limits_(rows, std::numeric_limits<std::int32_t>::max()) {}

  /// Pairs that the buffer of one row holds.
  static constexpr std::size_t capacity(std::size_t keep) { return keep + keep / 2 + 16; }

  /// [row] Only estimates below this limit can still be among a row's nearest. It falls as pairs
  /// are offered.
  const std::int32_t* limits() const { return limits_.data(); }

  void offer(std::size_t row, std::int32_t estimate, std::uint32_t number) {
    keys_[row * capacity_ + sizes_[row]] = make_key(estimate, number);
    if (++sizes_[row] == capacity_) cut(row);
  }

  /// The numbers and estimates kept for a row, smallest (estimate, number) first; returns how many.
  std::size_t sorted(std::size_t row, std::span<std::uint32_t> numbers,
                     std::span<std::int32_t> estimates) {
    std::uint64_t* keys = keys_.data() + row * capacity_;
    std::sort(keys, keys + sizes_[row]);
    const std::size_t count = std::min<std::size_t>(keep_, sizes_[row]);
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = static_cast<std::uint32_t>(keys[i]);
      estimates[i] = estimate_of(keys[i]);
    }
    return count;
  }

 private:
  // Unsigned order of keys is the order of (estimate, number).
  static std::uint64_t make_key(std::int32_t estimate, std::uint32_t number) {
    return (std::uint64_t{static_cast<std::uint32_t>(estimate) ^ 0x80000000U} << 32) | number;
  }
  static std::int32_t estimate_of(std::uint64_t key) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(key >> 32) ^ 0x80000000U);
  }

  void cut(std::size_t row) {
    std::uint64_t* keys = keys_.data() + row * capacity_;
    std::nth_element(keys, keys + (keep_ - 1), keys + capacity_);
    sizes_[row] = static_cast<std::uint32_t>(keep_);
    // Plus one: an equal estimate with a smaller number may still win.
    limits_[row] = estimate_of(keys[keep_ - 1]) + 1;
  }

  std::size_t keep_;
  std::size_t capacity_;
  std::vector<std::uint64_t> keys_;  // rows x capacity
  std::vector<std::uint32_t> sizes_;
  std::vector<std::int32_t> limits_;
};

}  // namespace mbn
