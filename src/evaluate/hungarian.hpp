// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace mbn {

/// What is gained when `row` and `column` are matched: not negative.
struct Gain {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::int64_t value = 0;
};

inline constexpr std::uint32_t kUnmatched = std::numeric_limits<std::uint32_t>::max();

/// The column of each row (or kUnmatched) in a one-to-one matching of the largest total gain. Pairs
/// that are not listed gain nothing. Rows and columns may differ in number. Time is at most
/// rows x gains x log(gains), memory is that of the gains: match the smaller side as rows.
std::vector<std::uint32_t> best_matching(std::size_t rows, std::size_t columns,
                                         std::span<const Gain> gains);

}  // namespace mbn
