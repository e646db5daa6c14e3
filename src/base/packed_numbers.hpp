// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mbn {

/// Whole numbers in as few bits as the largest of them needs, one after the other. Number i has the
/// bits [i * bits, (i + 1) * bits) of the row; bit b of a row is bit b % 8 of its byte b / 8, where
/// bit 0 is worth 1. The rest of the last byte is zero.

/// Bits of a number below `bound`, at least 1.
constexpr unsigned packed_bits(std::uint64_t bound) {
  return bound <= 2 ? 1 : static_cast<unsigned>(std::bit_width(bound - 1));
}

/// Bytes of a row; `count` is below 2^32.
constexpr std::uint64_t packed_bytes(std::uint64_t count, unsigned bits) {
  return (count * bits + 7) / 8;
}

/// Whether an ascending row of `count` different numbers below `bound` is a mask, one bit for each
/// number below `bound`: unless the numbers themselves are smaller.
constexpr bool packed_as_mask(std::uint64_t count, std::uint64_t bound) {
  return packed_bytes(bound, 1) <= packed_bytes(count, packed_bits(bound));
}
constexpr std::uint64_t packed_set_bytes(std::uint64_t count, std::uint64_t bound) {
  return packed_as_mask(count, bound) ? packed_bytes(bound, 1)
                                      : packed_bytes(count, packed_bits(bound));
}

/// Bytes that must be readable behind what is unpacked, because it is loaded in words.
inline constexpr std::size_t kPackedSlack = 8;

/// Writes packed_bytes(numbers.size(), bits) bytes. `T` is std::uint8_t, std::uint16_t or
/// std::uint32_t; of each number the lowest `bits` bits are taken, 1 to 32.
template <class T>
void pack(std::span<const T> numbers, unsigned bits, std::uint8_t* to);

/// The reverse; numbers of more than 8 * sizeof(T) bits lose their upper ones.
template <class T>
void unpack(const std::uint8_t* from, unsigned bits, std::span<T> numbers);

/// Whether the bits after the last number of a row are zero.
bool padding_is_zero(const std::uint8_t* row, std::uint64_t count, unsigned bits);

}  // namespace mbn
