// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mbn {

/// Counts, for each of `count` rows that lie one after the other, the features in which it has the
/// code of `row`. Code is uint8_t, uint16_t or uint32_t; there are at most 65,535 features.
template <class Code>
void count_equal(const Code* row, const Code* rows, std::size_t count, std::size_t features,
                 std::uint16_t* equal);

/// The same in plain loops: the reference that tests compare every target with.
namespace reference {
template <class Code>
void count_equal(const Code* row, const Code* rows, std::size_t count, std::size_t features,
                 std::uint16_t* equal);
}  // namespace reference

}  // namespace mbn
