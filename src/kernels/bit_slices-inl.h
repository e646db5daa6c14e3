// SPDX-License-Identifier: Apache-2.0
//
// Bit-sliced counting for one instruction set: included once per target. Raw pointers only, as in
// agreement_walk-inl.h.

#if defined(MBN_KERNELS_BIT_SLICES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_BIT_SLICES_INL_H_
#undef MBN_KERNELS_BIT_SLICES_INL_H_
#else
#define MBN_KERNELS_BIT_SLICES_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/bit_slices.hpp"

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A full adder in every bit: sum stays in `sum`, the carry is returned.
template <class V>
HWY_INLINE V carry_save_add(V& sum, V a, V b) {
  const V half = hn::Xor(a, b);
  const V carry = hn::Or(hn::And(a, b), hn::And(half, sum));
  sum = hn::Xor(half, sum);
  return carry;
}

// Adds 16 slices at a time through a tree of adders, for one vector's part of all slices. Only one
// carry in 16 reaches the planes above the fourth.
template <class D>
HWY_INLINE void add_part(D d, const Slice* HWY_RESTRICT slices,
                         const std::uint32_t* HWY_RESTRICT selected, std::size_t count,
                         std::size_t planes, std::size_t word, CountPlanes& counts) {
  using V = hn::Vec<D>;
  const auto slice = [&](std::size_t i)
                         HWY_ATTR { return hn::Load(d, slices[selected[i]].words + word); };
  const auto plane = [&](std::size_t p) HWY_ATTR { return counts.planes[p].words + word; };
  V ones = hn::Load(d, plane(0));
  V twos = hn::Load(d, plane(1));
  V fours = hn::Load(d, plane(2));
  V eights = hn::Load(d, plane(3));
  const auto four_slices = [&](std::size_t i) HWY_ATTR {
    const V two = carry_save_add(ones, slice(i), slice(i + 1));
    return carry_save_add(twos, two, carry_save_add(ones, slice(i + 2), slice(i + 3)));
  };
  const auto eight_slices = [&](std::size_t i) HWY_ATTR {
    const V four = four_slices(i);
    return carry_save_add(fours, four, four_slices(i + 4));
  };
  for (std::size_t i = 0; i < count; i += kSlicesAtOnce) {
    const V eight = eight_slices(i);
    V carry = carry_save_add(eights, eight, eight_slices(i + 8));
    for (std::size_t p = 4; p < planes; ++p) {
      const V old = hn::Load(d, plane(p));
      hn::Store(hn::Xor(old, carry), d, plane(p));
      carry = hn::And(old, carry);
    }
  }
  hn::Store(ones, d, plane(0));
  hn::Store(twos, d, plane(1));
  hn::Store(fours, d, plane(2));
  hn::Store(eights, d, plane(3));
}

template <class Code>
void add_slices_typed(const SliceTable& table, const Code* HWY_RESTRICT row, CountPlanes& counts) {
  std::uint32_t* HWY_RESTRICT selected = table.selected;
  const auto codes_below = static_cast<std::uint32_t>(table.codes_below);
  const auto features = static_cast<std::uint32_t>(table.feature_count);
  for (std::uint32_t f = 0; f < features; ++f) {
    selected[f] = f * codes_below + row[table.features[f]];
  }
  std::size_t count = features;
  for (; count % kSlicesAtOnce != 0; ++count) selected[count] = features * codes_below;
  const hn::CappedTag<std::uint64_t, Slice::kWords> d;
  for (std::size_t word = 0; word < Slice::kWords; word += hn::Lanes(d)) {
    add_part(d, table.slices, selected, count, table.planes, word, counts);
  }
}

void add_slices_u8(const SliceTable& table, const std::uint8_t* row, CountPlanes& counts) {
  add_slices_typed(table, row, counts);
}
void add_slices_u16(const SliceTable& table, const std::uint16_t* row, CountPlanes& counts) {
  add_slices_typed(table, row, counts);
}
void add_slices_u32(const SliceTable& table, const std::uint32_t* row, CountPlanes& counts) {
  add_slices_typed(table, row, counts);
}

// 64 bits of a plane that start at any byte.
HWY_INLINE std::uint64_t bits_from_byte(const CountPlanes& counts, std::size_t plane,
                                        std::size_t byte) {
  std::uint64_t bits;
  hwy::CopyBytes<sizeof(bits)>(
      reinterpret_cast<const std::uint8_t*>(&counts) + plane * sizeof(Slice) + byte, &bits);
  return bits;
}

// A clustering within one (unaligned) word. From the highest bit down, keep those of the candidates
// that have the bit, if any has it.
HWY_INLINE Winner read_narrow(const CountPlanes& counts, std::size_t planes, std::size_t first,
                              std::uint64_t everyone) {
  std::uint64_t candidates = everyone;
  std::uint32_t count = 0;
  for (std::size_t p = planes; p-- > 0;) {
    const std::uint64_t with = candidates & (bits_from_byte(counts, p, first / 8) >> first % 8);
    // Without a branch, which would be a guess: `with` is a part of `candidates`.
    candidates = with | (candidates & (std::uint64_t{0} - (with == 0)));
    count = 2 * count + (with != 0);
  }
  return {static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(candidates)), count};
}

// The same over several words, from a byte boundary.
HWY_INLINE Winner read_wide(const CountPlanes& counts, std::size_t planes, std::size_t byte,
                            std::size_t centroids) {
  std::uint64_t candidates[Slice::kWords];
  std::uint64_t with[Slice::kWords];
  const std::size_t words = (centroids + 63) / 64;
  for (std::size_t w = 0; w < words; ++w) candidates[w] = ~std::uint64_t{0};
  if (centroids % 64 != 0) candidates[words - 1] >>= 64 - centroids % 64;
  std::uint32_t count = 0;
  for (std::size_t p = planes; p-- > 0;) {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < words; ++w) {
      with[w] = candidates[w] & bits_from_byte(counts, p, byte + 8 * w);
      any |= with[w];
    }
    count = 2 * count + (any != 0);
    const std::uint64_t keep = std::uint64_t{0} - (any == 0);
    for (std::size_t w = 0; w < words; ++w) candidates[w] = with[w] | (candidates[w] & keep);
  }
  std::size_t w = 0;
  while (candidates[w] == 0) ++w;
  return {static_cast<std::uint32_t>(64 * w + hwy::Num0BitsBelowLS1Bit_Nonzero64(candidates[w])),
          count};
}

void read_winners_target(const SliceShares& shares, const CountPlanes& counts, std::size_t planes,
                         Winner* HWY_RESTRICT winners) {
  if (shares.stride <= SliceShares::kFreeStride) {
    const std::uint64_t everyone = ~std::uint64_t{0} >> (64 - shares.centroids);
    for (std::size_t i = 0; i < shares.clusterings; ++i) {
      winners[i] = read_narrow(counts, planes, i * shares.stride, everyone);
    }
    return;
  }
  for (std::size_t i = 0; i < shares.clusterings; ++i) {
    winners[i] = read_wide(counts, planes, i * shares.stride / 8, shares.centroids);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif
