// SPDX-License-Identifier: Apache-2.0
#include "base/packed_numbers.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/random.hpp"

namespace mbn {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <class T>
Bytes packed(const std::vector<T>& numbers, unsigned bits) {
  Bytes bytes(packed_bytes(numbers.size(), bits));
  pack(std::span(numbers), bits, bytes.data());
  return bytes;
}

template <class T>
std::vector<T> unpacked(const Bytes& bytes, std::size_t count, unsigned bits) {
  // Exactly as long as it must be, so that the address sanitizer sees every step beyond.
  const auto room = std::make_unique<std::uint8_t[]>(bytes.size() + kPackedSlack);
  std::copy(bytes.begin(), bytes.end(), room.get());
  std::fill_n(room.get() + bytes.size(), kPackedSlack, std::uint8_t{0xff});
  std::vector<T> numbers(count);
  unpack(room.get(), bits, std::span(numbers));
  return numbers;
}

// Bit by bit.
template <class T>
std::vector<T> slowly_unpacked(const Bytes& bytes, std::size_t count, unsigned bits) {
  std::vector<T> numbers(count);
  for (std::size_t bit = 0; bit < count * bits; ++bit) {
    const std::uint64_t value = (bytes[bit / 8] >> (bit % 8)) & 1U;
    numbers[bit / bits] = static_cast<T>(numbers[bit / bits] | (value << (bit % bits)));
  }
  return numbers;
}

template <class T>
void expect_round_trips() {
  for (unsigned bits = 1; bits <= 8 * sizeof(T); ++bits) {
    for (const std::size_t count : {1U, 2U, 7U, 8U, 9U, 200U, 203U}) {
      Random random(3, Purpose::sample, bits, static_cast<std::uint32_t>(count));
      std::vector<T> numbers(count);
      const auto highest = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
      for (T& number : numbers) number = static_cast<T>(random.below(highest));
      numbers.front() = static_cast<T>(highest);
      const Bytes bytes = packed(numbers, bits);
      EXPECT_EQ(unpacked<T>(bytes, count, bits), numbers) << bits << " bits, " << count;
      EXPECT_EQ(slowly_unpacked<T>(bytes, count, bits), numbers) << bits << " bits, " << count;
      EXPECT_TRUE(padding_is_zero(bytes.data(), count, bits));
    }
  }
}

TEST(PackedNumbers, ComeBackFromAnyNumberOfBits) {
  expect_round_trips<std::uint8_t>();
  expect_round_trips<std::uint16_t>();
  expect_round_trips<std::uint32_t>();
}

TEST(PackedNumbers, LowestBitsComeFirst) {
  EXPECT_EQ(packed<std::uint8_t>({1, 2, 3}, 3), (Bytes{0b11'010'001, 0b0}));
  EXPECT_EQ(packed<std::uint16_t>({0x321, 0x654}, 12), (Bytes{0x21, 0x43, 0x65}));
  EXPECT_EQ(packed<std::uint32_t>({0x04030201}, 32), (Bytes{1, 2, 3, 4}));
}

TEST(PackedNumbers, NumbersThatAreTooHighDoNotReachTheirNeighbours) {
  EXPECT_EQ(packed<std::uint32_t>({0xfffffffe, 0, 1}, 2), (Bytes{0b010010}));
}

TEST(PackedNumbers, HaveAsManyBitsAsTheHighestNeeds) {
  EXPECT_EQ(packed_bits(1), 1U);
  EXPECT_EQ(packed_bits(2), 1U);
  EXPECT_EQ(packed_bits(3), 2U);
  EXPECT_EQ(packed_bits(256), 8U);
  EXPECT_EQ(packed_bits(257), 9U);
  EXPECT_EQ(packed_bits(std::uint64_t{1} << 32), 32U);
  EXPECT_EQ(packed_bytes(3, 3), 2U);
  EXPECT_EQ(packed_bytes(0xffffffff, 32), 4 * std::uint64_t{0xffffffff});
}

TEST(PackedNumbers, SetsAreMasksUnlessNumbersAreSmaller) {
  EXPECT_TRUE(packed_as_mask(392, 784));
  EXPECT_EQ(packed_set_bytes(392, 784), 98U);
  EXPECT_FALSE(packed_as_mask(70, 784));
  EXPECT_EQ(packed_set_bytes(70, 784), 88U);
  EXPECT_TRUE(packed_as_mask(1, 1));
  // Equal sizes: a mask.
  EXPECT_TRUE(packed_as_mask(2, 5));
}

TEST(PackedNumbers, PaddingIsSeen) {
  const Bytes row = {0xff, 0b0000'0100};
  EXPECT_TRUE(padding_is_zero(row.data(), 11, 1));
  EXPECT_FALSE(padding_is_zero(row.data(), 5, 2));
  EXPECT_TRUE(padding_is_zero(row.data(), 2, 4));
}

}  // namespace
}  // namespace mbn
