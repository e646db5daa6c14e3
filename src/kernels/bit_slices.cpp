// SPDX-License-Identifier: Apache-2.0
//
// Counting with 512 counters at once, one bit of each per plane (Harley and Seal's way of counting
// bits). A carry-save adder takes three bits of the same weight and gives a sum and a carry, in
// five logical operations for as many counters as a vector has bits. A tree of 15 of them takes 16
// slices into the planes of weight 1, 2, 4 and 8 and one carry of weight 16.
//
// The highest count is found from the highest plane down: if any candidate has the bit, those that
// lack it are out. What is left at the end are all maxima; the lowest bit is the lowest code.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bit_slices.cpp"
#include <hwy/foreach_target.h>

#include "kernels/bit_slices-inl.h"

#if HWY_ONCE
#include <bit>
#include <type_traits>

namespace mbn {

// Bits are read across words at byte steps.
static_assert(std::endian::native == std::endian::little);

HWY_EXPORT(add_slices_u8);
HWY_EXPORT(add_slices_u16);
HWY_EXPORT(add_slices_u32);
HWY_EXPORT(read_winners_target);

template <class Code>
void add_slices(const SliceTable& table, const Code* row, CountPlanes& counts) {
  if constexpr (std::is_same_v<Code, std::uint8_t>) {
    HWY_DYNAMIC_DISPATCH(add_slices_u8)(table, row, counts);
  } else if constexpr (std::is_same_v<Code, std::uint16_t>) {
    HWY_DYNAMIC_DISPATCH(add_slices_u16)(table, row, counts);
  } else {
    HWY_DYNAMIC_DISPATCH(add_slices_u32)(table, row, counts);
  }
}

void read_winners(const SliceShares& shares, const CountPlanes& counts, std::size_t planes,
                  Winner* winners) {
  HWY_DYNAMIC_DISPATCH(read_winners_target)(shares, counts, planes, winners);
}

namespace {

std::uint32_t count_of(const CountPlanes& counts, std::size_t planes, std::size_t bit) {
  std::uint32_t count = 0;
  for (std::size_t p = 0; p < planes; ++p) {
    count |= static_cast<std::uint32_t>(counts.planes[p].words[bit / 64] >> bit % 64 & 1) << p;
  }
  return count;
}

void set_count(CountPlanes& counts, std::size_t planes, std::size_t bit, std::uint32_t count) {
  for (std::size_t p = 0; p < planes; ++p) {
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    std::uint64_t& word = counts.planes[p].words[bit / 64];
    word = (count >> p & 1) != 0 ? word | mask : word & ~mask;
  }
}

}  // namespace

template <class Code>
void add_slices_reference(const SliceTable& table, const Code* row, CountPlanes& counts) {
  for (std::size_t bit = 0; bit < Slice::kBits; ++bit) {
    std::uint32_t count = count_of(counts, table.planes, bit);
    for (std::size_t f = 0; f < table.feature_count; ++f) {
      const Slice& slice = table.slices[f * table.codes_below + row[table.features[f]]];
      count += static_cast<std::uint32_t>(slice.words[bit / 64] >> bit % 64 & 1);
    }
    set_count(counts, table.planes, bit, count);
  }
}

void read_winners_reference(const SliceShares& shares, const CountPlanes& counts,
                            std::size_t planes, Winner* winners) {
  for (std::size_t i = 0; i < shares.clusterings; ++i) {
    winners[i] = {.code = 0, .count = count_of(counts, planes, i * shares.stride)};
    for (std::uint32_t c = 1; c < shares.centroids; ++c) {
      const std::uint32_t count = count_of(counts, planes, i * shares.stride + c);
      if (count > winners[i].count) winners[i] = {.code = c, .count = count};
    }
  }
}

template void add_slices(const SliceTable&, const std::uint8_t*, CountPlanes&);
template void add_slices(const SliceTable&, const std::uint16_t*, CountPlanes&);
template void add_slices(const SliceTable&, const std::uint32_t*, CountPlanes&);
template void add_slices_reference(const SliceTable&, const std::uint8_t*, CountPlanes&);
template void add_slices_reference(const SliceTable&, const std::uint16_t*, CountPlanes&);
template void add_slices_reference(const SliceTable&, const std::uint32_t*, CountPlanes&);

}  // namespace mbn
#endif
