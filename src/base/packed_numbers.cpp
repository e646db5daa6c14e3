// SPDX-License-Identifier: Apache-2.0
//
// Eight numbers of b bits are b bytes, so every group of eight begins at a byte. Within a group the
// place of each number is a constant for each b: unpacking it is a load of 64 bits, a shift and a
// mask. That holds up to 57 bits, and there are never more than 32. The code for each b is made by
// the compiler from one template; the last numbers of a row, less than eight, take a plain loop.
//
// Packing collects bits in a word and writes four bytes whenever they are full.
#include "base/packed_numbers.hpp"

#include <array>
#include <cassert>
#include <cstring>
#include <utility>

namespace mbn {

namespace {

static_assert(std::endian::native == std::endian::little,
              "words are loaded as they lie in memory, which must be little-endian");

constexpr std::size_t kGroup = 8;
constexpr unsigned kMostBits = 32;

std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

constexpr std::uint64_t mask_of(unsigned bits) {
  return (std::uint64_t{1} << bits) - 1;
}

template <class T, unsigned bits>
void unpack_groups(const std::uint8_t* from, std::size_t groups, T* to) {
  for (std::size_t group = 0; group < groups; ++group, from += bits, to += kGroup) {
    for (std::size_t i = 0; i < kGroup; ++i) {
      const std::size_t bit = i * bits;
      to[i] = static_cast<T>((word_at(from + bit / 8) >> (bit % 8)) & mask_of(bits));
    }
  }
}

template <class T>
using Unpack = void (*)(const std::uint8_t*, std::size_t, T*);

template <class T, unsigned... less_one>
constexpr std::array<Unpack<T>, kMostBits> table_of(
    std::integer_sequence<unsigned, less_one...> /*0 .. 31*/) {
  return {unpack_groups<T, less_one + 1>...};
}

}  // namespace

template <class T>
void pack(std::span<const T> numbers, unsigned bits, std::uint8_t* to) {
  assert(bits >= 1 && bits <= kMostBits);
  std::uint64_t word = 0;
  unsigned filled = 0;
  for (const T number : numbers) {
    word |= (number & mask_of(bits)) << filled;
    filled += bits;
    if (filled < 32) continue;
    const auto full = static_cast<std::uint32_t>(word);
    std::memcpy(to, &full, sizeof full);
    to += sizeof full;
    word >>= 32;
    filled -= 32;
  }
  std::memcpy(to, &word, (filled + 7) / 8);
}

template <class T>
void unpack(const std::uint8_t* from, unsigned bits, std::span<T> numbers) {
  assert(bits >= 1 && bits <= kMostBits);
  static constexpr auto kTable = table_of<T>(std::make_integer_sequence<unsigned, kMostBits>());
  const std::size_t groups = numbers.size() / kGroup;
  kTable[bits - 1](from, groups, numbers.data());
  from += groups * bits;
  for (std::size_t i = 0; i < numbers.size() % kGroup; ++i) {
    const std::size_t bit = i * bits;
    numbers[groups * kGroup + i] =
        static_cast<T>((word_at(from + bit / 8) >> (bit % 8)) & mask_of(bits));
  }
}

bool padding_is_zero(const std::uint8_t* row, std::uint64_t count, unsigned bits) {
  const std::uint64_t used = count * bits;
  return used % 8 == 0 || row[used / 8] >> (used % 8) == 0;
}

template void pack(std::span<const std::uint8_t>, unsigned, std::uint8_t*);
template void pack(std::span<const std::uint16_t>, unsigned, std::uint8_t*);
template void pack(std::span<const std::uint32_t>, unsigned, std::uint8_t*);
template void unpack(const std::uint8_t*, unsigned, std::span<std::uint8_t>);
template void unpack(const std::uint8_t*, unsigned, std::span<std::uint16_t>);
template void unpack(const std::uint8_t*, unsigned, std::span<std::uint32_t>);

}  // namespace mbn
