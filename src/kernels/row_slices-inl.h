// SPDX-License-Identifier: Apache-2.0
//
// The search of a block of rows for one instruction set: included once for each target. It uses raw
// pointers only: a function of the standard library that is instantiated here could be compiled for
// AVX2 and then be called on a processor without it.

#if defined(MBN_KERNELS_ROW_SLICES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_ROW_SLICES_INL_H_
#undef MBN_KERNELS_ROW_SLICES_INL_H_
#else
#define MBN_KERNELS_ROW_SLICES_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/row_slices.hpp"

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<std::uint64_t, RowSlice::kWords>;
using Bits = hn::Vec<Lanes>;

HWY_INLINE std::size_t bit_width(std::size_t value) {
  std::size_t width = 0;
  for (; value != 0; value >>= 1) ++width;
  return width;
}

// A full adder in every bit: sum + a + b. The sum stays in `sum`, the carry is returned.
HWY_INLINE Bits carry_save_add(Bits& sum, Bits a, Bits b) {
  const Bits half = hn::Xor(a, b);
  const Bits carry = hn::Or(hn::And(a, b), hn::And(half, sum));
  sum = hn::Xor(half, sum);
  return carry;
}

template <class Code>
class BlockWalk {
 public:
  HWY_INLINE BlockWalk(const WalkIndex& index, const RowBlock& block, const Code* kept,
                       std::size_t centroids, const BlockSpace& space)
      : index_(index),
        block_(block),
        kept_(kept),
        space_(space),
        count_planes_(bit_width(index.drawn)),
        code_planes_(bit_width(centroids - 1)) {}

  void run() {
    for (std::size_t v = 0; v < index_.clusterings; ++v) {
      for (std::size_t p = 0; p < count_planes_; ++p) {
        space_.best[v * count_planes_ + p] = block_.unused;
      }
      for (std::size_t p = 0; p < code_planes_; ++p) {
        space_.answer[v * code_planes_ + p] = RowSlice{};
      }
      space_.least[v] = 0;
    }
    constexpr std::size_t kAhead = 6;
    constexpr std::size_t kChecks = 64;
    std::size_t lowest = 0;
    for (std::size_t i = 0; i < block_.order_size; ++i) {
      if (i + kAhead < block_.order_size) prefetch(block_.order[i + kAhead]);
      const std::uint32_t place = block_.order[i];
      if (i % kChecks == 0) lowest = lowest_least();
      if (block_.shared_count[place] >= lowest) visit(place);
    }
  }

 private:
  HWY_INLINE void prefetch(std::uint32_t place) const {
    hwy::Prefetch(block_.shared + place * index_.feature_words);
    hwy::Prefetch(index_.drawn_by + place * index_.drawn_by_stride);
    hwy::Prefetch(index_.first_code + place);
    const Code* codes = kept_ + place * index_.features;
    for (std::size_t f = 0; f < index_.features; f += 64 / sizeof(Code)) hwy::Prefetch(codes + f);
  }

  HWY_INLINE std::size_t lowest_least() const {
    std::size_t lowest = space_.least[0];
    for (std::size_t v = 1; v < index_.clusterings; ++v) {
      lowest = HWY_MIN(lowest, std::size_t{space_.least[v]});
    }
    return lowest;
  }

  // Compares this place with the best of every row, in every clustering that drew it.
  HWY_INLINE void visit(std::uint32_t place) {
    const std::uint64_t* HWY_RESTRICT shared = block_.shared + place * index_.feature_words;
    const std::uint64_t* HWY_RESTRICT drawn_by = index_.drawn_by + place * index_.drawn_by_stride;
    const std::uint32_t* code = index_.codes + index_.first_code[place];
    for (std::size_t w = 0; w < index_.clustering_words; ++w) {
      for (std::uint64_t bits = drawn_by[w]; bits != 0; bits &= bits - 1, ++code) {
        const std::size_t v = w * 64 + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits);
        const std::uint64_t* drawn = index_.drawn_features + v * index_.feature_words;
        std::size_t number = 0;
        for (std::size_t f = 0; f < index_.feature_words; ++f) {
          number += hwy::PopCount(shared[f] & drawn[f]);
        }
        // Fewer features than the lowest best of the block cannot win; as many can, by a lower
        // code.
        if (number == 0 || number < space_.least[v]) continue;
        select(place, shared, drawn, number);
        const std::size_t planes = bit_width(number);
        add_selected(number, planes);
        if (keep_better(v, planes, *code)) space_.least[v] = least_best(v);
      }
    }
  }

  // Selects the slices of the codes of a place, in the features that are both in `shared` and in
  // `drawn`.
  HWY_INLINE void select(std::uint32_t place, const std::uint64_t* HWY_RESTRICT shared,
                         const std::uint64_t* HWY_RESTRICT drawn, std::size_t number) {
    // Eight features at a time, whether set or not: the number of set bits in a word is
    // unpredictable, and a mispredicted branch costs more than a few extra features, which the next
    // word overwrites.
    std::uint32_t* HWY_RESTRICT selected = space_.selected;
    std::uint32_t* HWY_RESTRICT out = selected;
    for (std::size_t w = 0; w < index_.feature_words; ++w) {
      std::uint64_t bits = shared[w] & drawn[w];
      std::uint32_t* next = out + hwy::PopCount(bits);
      do {
        for (std::size_t i = 0; i < 8; ++i) {
          out[i] = static_cast<std::uint32_t>(64 * w + lowest_bit(bits));
          bits &= bits - 1;
        }
        out += 8;
      } while (out < next);
      out = next;
    }
    const Code* HWY_RESTRICT codes = kept_ + place * index_.features;
    for (std::size_t i = 0; i < number; ++i) {
      const std::size_t f = selected[i];
      selected[i] = block_.first_slice[f] + block_.local[f * index_.codes_below + codes[f]];
    }
    for (std::size_t i = 0; i < BlockSpace::kSlicesAtOnce; ++i) selected[number + i] = 0;
  }

  static HWY_INLINE std::size_t lowest_bit(std::uint64_t bits) {
    return hwy::Num0BitsBelowLS1Bit_Nonzero64(bits | std::uint64_t{1} << 63);
  }

  // Counts in bit planes (Harley and Seal): a tree of full adders adds eight slices at a time to
  // the planes of weight 1, 2 and 4, with one carry of weight 8.
  HWY_INLINE void add_selected(std::size_t number, std::size_t planes) {
    const Lanes d;
    const std::uint32_t* HWY_RESTRICT selected = space_.selected;
    RowSlice* HWY_RESTRICT counts = space_.counts;
    for (std::size_t word = 0; word < RowSlice::kWords; word += hn::Lanes(d)) {
      Bits ones = hn::Zero(d), twos = ones, fours = ones;
      const auto slice = [&](std::size_t i) HWY_ATTR {
        return hn::Load(d, block_.slices[selected[i]].words + word);
      };
      for (std::size_t p = 3; p < planes; ++p) hn::Store(hn::Zero(d), d, counts[p].words + word);
      for (std::size_t i = 0; i < number; i += BlockSpace::kSlicesAtOnce) {
        const Bits two0 = carry_save_add(ones, slice(i), slice(i + 1));
        const Bits two1 = carry_save_add(ones, slice(i + 2), slice(i + 3));
        const Bits four0 = carry_save_add(twos, two0, two1);
        const Bits two2 = carry_save_add(ones, slice(i + 4), slice(i + 5));
        const Bits two3 = carry_save_add(ones, slice(i + 6), slice(i + 7));
        const Bits four1 = carry_save_add(twos, two2, two3);
        Bits carry = carry_save_add(fours, four0, four1);
        for (std::size_t p = 3; p < planes; ++p) {
          const Bits old = hn::Load(d, counts[p].words + word);
          hn::Store(hn::Xor(old, carry), d, counts[p].words + word);
          carry = hn::And(old, carry);
        }
      }
      hn::Store(ones, d, counts[0].words + word);
      hn::Store(twos, d, counts[1].words + word);
      hn::Store(fours, d, counts[2].words + word);
    }
  }

  // Gives this code to the rows whose agreement with it is higher than their best, or ties with a
  // higher code. True when any row changed.
  HWY_INLINE bool keep_better(std::size_t v, std::size_t planes, std::uint32_t code) {
    const Lanes d;
    RowSlice* HWY_RESTRICT best = space_.best + v * count_planes_;
    RowSlice* HWY_RESTRICT answer = space_.answer + v * code_planes_;
    const auto none = [&](Bits bits) HWY_ATTR { return hn::AllTrue(d, hn::Eq(bits, hn::Zero(d))); };
    bool any = false;
    for (std::size_t word = 0; word < RowSlice::kWords; word += hn::Lanes(d)) {
      const auto at = [&](RowSlice& plane) HWY_ATTR { return plane.words + word; };
      // From the highest plane down: a row is better where the count has the bit, the best has not,
      // and all higher bits are equal.
      Bits better = hn::Zero(d);
      Bits equal = hn::Not(hn::Zero(d));
      for (std::size_t p = count_planes_; p-- > planes;) {
        equal = hn::AndNot(hn::Load(d, at(best[p])), equal);
      }
      for (std::size_t p = planes; p-- > 0;) {
        const Bits count = hn::Load(d, at(space_.counts[p]));
        const Bits other = hn::Xor(count, hn::Load(d, at(best[p])));
        better = hn::Or(better, hn::And(equal, hn::And(other, count)));
        equal = hn::AndNot(other, equal);
      }
      for (std::size_t p = code_planes_; p-- > 0 && !none(equal);) {
        const Bits bits = hn::Load(d, at(answer[p]));
        if ((code >> p & 1) != 0) {
          equal = hn::And(equal, bits);
        } else {
          better = hn::Or(better, hn::And(equal, bits));
          equal = hn::AndNot(bits, equal);
        }
      }
      if (none(better)) continue;
      any = true;
      for (std::size_t p = 0; p < count_planes_; ++p) {
        const Bits kept = hn::AndNot(better, hn::Load(d, at(best[p])));
        const Bits taken =
            p < planes ? hn::And(better, hn::Load(d, at(space_.counts[p]))) : hn::Zero(d);
        hn::Store(hn::Or(kept, taken), d, at(best[p]));
      }
      for (std::size_t p = 0; p < code_planes_; ++p) {
        const Bits old = hn::Load(d, at(answer[p]));
        hn::Store((code >> p & 1) != 0 ? hn::Or(old, better) : hn::AndNot(better, old), d,
                  at(answer[p]));
      }
    }
    return any;
  }

  // The lowest best agreement of the rows of the block.
  HWY_INLINE std::uint16_t least_best(std::size_t v) const {
    const RowSlice* HWY_RESTRICT best = space_.best + v * count_planes_;
    std::uint64_t lowest[RowSlice::kWords];
    for (std::uint64_t& word : lowest) word = ~std::uint64_t{0};
    std::uint32_t least = 0;
    for (std::size_t p = count_planes_; p-- > 0;) {
      std::uint64_t without[RowSlice::kWords];
      std::uint64_t any = 0;
      for (std::size_t w = 0; w < RowSlice::kWords; ++w) {
        without[w] = lowest[w] & ~best[p].words[w];
        any |= without[w];
      }
      if (any == 0) {
        least += 1U << p;
      } else {
        for (std::size_t w = 0; w < RowSlice::kWords; ++w) lowest[w] = without[w];
      }
    }
    return static_cast<std::uint16_t>(least);
  }

  const WalkIndex index_;
  const RowBlock block_;
  const Code* kept_;
  const BlockSpace space_;
  std::size_t count_planes_;
  std::size_t code_planes_;
};

void search_block_u8(const WalkIndex& index, const RowBlock& block, const std::uint8_t* kept,
                     std::size_t centroids, const BlockSpace& space) {
  BlockWalk<std::uint8_t>(index, block, kept, centroids, space).run();
}
void search_block_u16(const WalkIndex& index, const RowBlock& block, const std::uint16_t* kept,
                      std::size_t centroids, const BlockSpace& space) {
  BlockWalk<std::uint16_t>(index, block, kept, centroids, space).run();
}
void search_block_u32(const WalkIndex& index, const RowBlock& block, const std::uint32_t* kept,
                      std::size_t centroids, const BlockSpace& space) {
  BlockWalk<std::uint32_t>(index, block, kept, centroids, space).run();
}

// Recursive: blocks of 32, 16, ... 1 bits are exchanged across the diagonal.
void transpose_bits_target(std::uint64_t* HWY_RESTRICT words, std::uint16_t* HWY_RESTRICT counts) {
  std::uint64_t mask = 0x00000000FFFFFFFFU;
  for (std::size_t size = 32; size != 0; size >>= 1, mask ^= mask << size) {
    for (std::size_t base = 0; base < 64; base += 2 * size) {
      for (std::size_t i = base; i < base + size; ++i) {
        const std::uint64_t moved = (words[i] >> size ^ words[i + size]) & mask;
        words[i] ^= moved << size;
        words[i + size] ^= moved;
      }
    }
  }
  for (std::size_t i = 0; i < 64; ++i) {
    counts[i] = static_cast<std::uint16_t>(hwy::PopCount(words[i]));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif
