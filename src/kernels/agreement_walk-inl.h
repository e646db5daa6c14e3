// SPDX-License-Identifier: Apache-2.0
//
// The walk for one instruction set: included once for each target. It uses raw pointers only: a
// function of the standard library that is instantiated here could be compiled for AVX2 and then be
// called on a processor without it.

#if defined(MBN_KERNELS_AGREEMENT_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_AGREEMENT_WALK_INL_H_
#undef MBN_KERNELS_AGREEMENT_WALK_INL_H_
#else
#define MBN_KERNELS_AGREEMENT_WALK_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/agreement_walk.hpp"

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class M>
HWY_INLINE std::uint64_t mask_bits(D d, M mask) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits;
  hwy::CopyBytes<8>(bytes, &bits);
  return bits & (~std::uint64_t{0} >> (64 - hn::Lanes(d)));
}

// One bit for each feature: whether the two codes are equal. Vectors have at most 64 lanes, so the
// bits of one vector fall into at most two words.
template <class Code>
HWY_INLINE void equal_features(const Code* HWY_RESTRICT a, const Code* HWY_RESTRICT b,
                               std::size_t features, std::size_t words,
                               std::uint64_t* HWY_RESTRICT equal) {
  const hn::CappedTag<Code, 64> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t w = 0; w < words; ++w) equal[w] = 0;
  const auto bits_at = [&](std::size_t f) HWY_ATTR {
    return mask_bits(d, hn::Eq(hn::LoadU(d, a + f), hn::LoadU(d, b + f)));
  };
  std::size_t f = 0;
  for (; f + lanes <= features; f += lanes) equal[f / 64] |= bits_at(f) << (f % 64);
  if (f == features) return;
  if (features < lanes) {
    for (; f < features; ++f) equal[f / 64] |= std::uint64_t{a[f] == b[f]} << (f % 64);
    return;
  }
  // The last vector overlaps the one before: some bits are set twice, with the same result.
  f = features - lanes;
  const std::uint64_t bits = bits_at(f);
  equal[f / 64] |= bits << (f % 64);
  if (f % 64 + lanes > 64) equal[f / 64 + 1] |= bits >> (64 - f % 64);
}

// Adds one to the counts of those of 16 neighbouring places whose bit is set. Counts of one byte
// saturate at 255.
#if HWY_TARGET == HWY_SCALAR
template <class Count>
HWY_INLINE void count_block(std::uint32_t bits, Count* counts) {
  constexpr auto kMost = static_cast<Count>(~Count{0});
  for (std::size_t i = 0; i < WalkIndex::kBlockPlaces; ++i) {
    counts[i] = static_cast<Count>(counts[i] + ((bits >> i & 1) & (counts[i] != kMost)));
  }
}
#else
HWY_INLINE void count_block(std::uint32_t bits, std::uint8_t* counts) {
  const hn::Full128<std::uint8_t> d;
  const hn::Full128<std::uint16_t> d16;
  alignas(16) static constexpr std::uint8_t kByte[16] = {0, 0, 0, 0, 0, 0, 0, 0,
                                                         1, 1, 1, 1, 1, 1, 1, 1};
  alignas(16) static constexpr std::uint8_t kBit[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                                        1, 2, 4, 8, 16, 32, 64, 128};
  const auto both = hn::BitCast(d, hn::Set(d16, static_cast<std::uint16_t>(bits)));
  const auto own = hn::And(hn::TableLookupBytes(both, hn::Load(d, kByte)), hn::Load(d, kBit));
  const auto one = hn::Min(own, hn::Set(d, std::uint8_t{1}));
  hn::Store(hn::SaturatedAdd(hn::Load(d, counts), one), d, counts);
}
HWY_INLINE void count_block(std::uint32_t bits, std::uint16_t* counts) {
  const hn::Full128<std::uint16_t> d;
  alignas(16) static constexpr std::uint16_t kBit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  const auto one = hn::Set(d, std::uint16_t{1});
  const auto add = [&](std::uint32_t byte, std::uint16_t* eight) HWY_ATTR {
    const auto own = hn::And(hn::Set(d, static_cast<std::uint16_t>(byte)), hn::Load(d, kBit));
    hn::Store(hn::Add(hn::Load(d, eight), hn::Min(own, one)), d, eight);
  };
  add(bits & 255, counts);
  add(bits >> 8 & 255, counts + 8);
}
#endif

template <class Code, class Count>
class Walk {
 public:
  HWY_INLINE Walk(const WalkIndex& index, const Code* kept, const WalkRows<Code>& rows,
                  const WalkSpace::View& space)
      : index_(index),
        kept_(kept),
        rows_(rows),
        space_(space),
        counts_(static_cast<Count*>(space.counts)) {}

  // What a row reads is scattered in memory, and one address is read at another. So the rows are in
  // a pipeline: while one is walked, the lists of the next and the list starts of the one after it
  // are prefetched.
  void run() {
    if (rows_.count == 0) return;
    find_lists(0);
    if (rows_.count > 1) prefetch_starts(1);
    for (std::size_t i = 0; i < rows_.count; ++i) {
      if (i + 1 < rows_.count) find_lists(i + 1);
      if (i + 2 < rows_.count) prefetch_starts(i + 2);
      row_ = row_at(i);
      answer_ = rows_.answers + i * index_.clusterings;
      walk_row(lists_of(i));
    }
  }

 private:
  const Code* row_at(std::size_t i) const { return rows_.codes + rows_.order[i] * index_.features; }

  // Visits the places in bands of agreement, from the highest down: places that the row does not
  // need are never sorted. The lower end of the first band is estimated from the rows before; it
  // changes the time only.
  HWY_INLINE void walk_row(const WalkList* lists) {
    open_all();
    count(lists);
    const std::uint32_t highest = highest_count();
    std::uint32_t high = highest;
    std::uint32_t low = static_cast<std::uint32_t>(*space_.reach * highest);
    low = HWY_MAX(low, 1);
    const std::uint32_t step = 1 + highest / 8;
    while (high != 0) {
      const std::size_t number = collect(low, high);
      sort_touched(number, low, high);
      if (walk_sorted(number) || low == 1 || close(low - 1)) break;
      high = low - 1;
      low = high > step ? high - step : 1;
    }
    if (highest != 0) {
      const double reached = static_cast<double>(last_) / highest;
      *space_.reach = 0.9 * *space_.reach + 0.1 * 0.97 * reached;
    }
    clear_counts();
  }

  void open_all() {
    for (std::size_t v = 0; v < index_.clusterings; ++v) {
      space_.best[v] = 0;
      answer_[v] = 0;
    }
    for (std::size_t w = 0; w < index_.clustering_words; ++w) space_.open[w] = ~std::uint64_t{0};
    if (index_.clusterings % 64 != 0) {
      space_.open[index_.clustering_words - 1] >>= 64 - index_.clusterings % 64;
    }
  }

  // The lists of two rows are kept at a time.
  WalkList* lists_of(std::size_t i) const { return space_.lists + i % 2 * index_.features; }

  // The lists of the places that have the same code as row i, one for each feature.
  void find_lists(std::size_t i) {
    const std::size_t stride = index_.codes_below + 1;
    const Code* HWY_RESTRICT row = row_at(i);
    const std::uint32_t* starts = index_.starts;
    WalkList* HWY_RESTRICT lists = lists_of(i);
    for (std::size_t f = 0; f < index_.features; ++f, starts += stride) {
      const std::uint32_t* start = starts + row[f];
      lists[f] = {index_.entries[f] + start[0], index_.entries[f] + start[1]};
      hwy::Prefetch(lists[f].begin);
      hwy::Prefetch(lists[f].end - (start[1] != start[0]));  // its last entry
    }
  }

  HWY_INLINE void prefetch_starts(std::size_t i) const {
    const Code* HWY_RESTRICT row = row_at(i);
    const std::uint32_t* starts = index_.starts;
    for (std::size_t f = 0; f < index_.features; ++f, starts += index_.codes_below + 1) {
      hwy::Prefetch(starts + row[f]);
    }
  }

  void count(const WalkList* lists) {
    Count* HWY_RESTRICT counts = counts_;
    for (std::size_t f = 0; f < index_.features; ++f) {
      const std::uint32_t* end = lists[f].end;
      for (const std::uint32_t* entry = lists[f].begin; entry != end; ++entry) {
        const std::size_t block = WalkIndex::block(*entry);
        space_.touched_block[block] = 1;
        count_block(*entry, counts + block * WalkIndex::kBlockPlaces);
      }
    }
    list_blocks();
  }

  // Collects the numbers of the blocks that are named by any list, and clears their marks.
  void list_blocks() {
    constexpr std::size_t kAtOnce = 8;
    blocks_ = 0;
    const std::size_t all = (index_.places + WalkIndex::kBlockPlaces - 1) / WalkIndex::kBlockPlaces;
    for (std::size_t first = 0; first < all; first += kAtOnce) {
      std::uint64_t marks;
      hwy::CopyBytes<kAtOnce>(space_.touched_block + first, &marks);
      if (marks == 0) continue;
      for (; marks != 0; marks &= marks - 1) {
        const std::size_t block = first + hwy::Num0BitsBelowLS1Bit_Nonzero64(marks) / 8;
        space_.blocks[blocks_++] = static_cast<std::uint32_t>(block);
      }
      __builtin_memset(space_.touched_block + first, 0, kAtOnce);
    }
  }

  std::uint32_t highest_count() const {
    const BlockTag d;
    auto most = hn::Zero(d);
    for (std::size_t b = 0; b < blocks_; ++b) {
      const Count* counts = counts_ + space_.blocks[b] * WalkIndex::kBlockPlaces;
      for (std::size_t i = 0; i < WalkIndex::kBlockPlaces; i += hn::Lanes(d)) {
        most = hn::Max(most, hn::LoadU(d, counts + i));
      }
    }
    HWY_ALIGN Count lanes[HWY_MAX_BYTES / sizeof(Count)];
    hn::Store(most, d, lanes);
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) highest = HWY_MAX(highest, lanes[i]);
    return highest;
  }

  // Puts the places with low <= count <= high into `touched`; low is at least 1, so the zeros after
  // the last place stay out.
  std::size_t collect(std::uint32_t low, std::uint32_t high) {
    const BlockTag d;
    const auto least = hn::Set(d, static_cast<Count>(low));
    const auto most = hn::Set(d, static_cast<Count>(high));
    std::size_t number = 0;
    for (std::size_t b = 0; b < blocks_; ++b) {
      const std::size_t first = space_.blocks[b] * WalkIndex::kBlockPlaces;
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < WalkIndex::kBlockPlaces; i += hn::Lanes(d)) {
        const auto count = hn::LoadU(d, counts_ + first + i);
        // Clamping leaves a count between the limits unchanged.
        const auto inside = hn::Min(hn::Max(count, least), most);
        bits |= mask_bits(d, hn::Eq(count, inside)) << i;
      }
      for (; bits != 0; bits &= bits - 1) {
        space_.touched[number++] =
            static_cast<std::uint32_t>(first + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
      }
    }
    return number;
  }

  void clear_counts() {
    for (std::size_t b = 0; b < blocks_; ++b) {
      __builtin_memset(counts_ + space_.blocks[b] * WalkIndex::kBlockPlaces, 0,
                       WalkIndex::kBlockPlaces * sizeof(Count));
    }
  }

  // Counting sort by agreement, highest first.
  void sort_touched(std::size_t number, std::uint32_t low, std::uint32_t high) {
    std::uint32_t* HWY_RESTRICT next = space_.buckets;
    for (std::uint32_t s = 0; s <= high - low + 1; ++s) next[s] = 0;
    for (std::size_t i = 0; i < number; ++i) ++next[high - counts_[space_.touched[i]] + 1];
    for (std::uint32_t s = 1; s <= high - low; ++s) next[s] += next[s - 1];
    for (std::size_t i = 0; i < number; ++i) {
      const std::uint32_t place = space_.touched[i];
      space_.sorted[next[high - counts_[place]]++] = place;
    }
  }

  // Closes the clusterings whose best agreement is above `next`, the highest that any later place
  // can have. True when none is left open.
  bool close(std::uint32_t next) {
    const hn::CappedTag<std::int16_t, 64> d;
    const auto bound = hn::Set(d, static_cast<std::int16_t>(next));
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < index_.clustering_words; ++w) {
      if (space_.open[w] == 0) continue;
      std::uint64_t closed = 0;
      for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
        const auto best = hn::LoadU(d, space_.best + w * 64 + i);
        closed |= mask_bits(d, hn::Gt(best, bound)) << i;
      }
      space_.open[w] &= ~closed;
      any |= space_.open[w];
    }
    last_ = next;
    return any == 0;
  }

  // Visits the sorted places, all places of equal agreement (a level) at a time. True when every
  // clustering is closed.
  bool walk_sorted(std::size_t number) {
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i < HWY_MIN(number, kAhead); ++i) prefetch_draws(i);
    for (std::size_t i = 0; i < number;) {
      const std::uint32_t agreement = counts_[space_.sorted[i]];
      if (close(agreement)) return true;
      // Most places were drawn by no open clustering. Pick the others first, and prefetch their
      // codes while the rest of the level is checked.
      std::size_t picked = 0;
      for (; i < number && counts_[space_.sorted[i]] == agreement; ++i) {
        if (i + kAhead < number) prefetch_draws(i + kAhead);
        const std::uint32_t place = space_.sorted[i];
        if (!wanted(place)) continue;
        space_.level[picked++] = place;
        prefetch_codes(place);
      }
      for (std::size_t p = 0; p < picked; ++p) visit(space_.level[p]);
    }
    return false;
  }

  HWY_INLINE bool wanted(std::uint32_t place) const {
    const std::uint64_t* drawn_by = index_.drawn_by + place * index_.drawn_by_stride;
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < index_.clustering_words; ++w) any |= drawn_by[w] & space_.open[w];
    return any != 0;
  }

  HWY_INLINE void prefetch_draws(std::size_t i) const {
    const std::uint64_t* drawn_by = index_.drawn_by + space_.sorted[i] * index_.drawn_by_stride;
    for (std::size_t w = 0; w < index_.clustering_words; w += 8) hwy::Prefetch(drawn_by + w);
    hwy::Prefetch(index_.first_code + space_.sorted[i]);
  }

  HWY_INLINE void prefetch_codes(std::uint32_t place) const {
    const Code* codes = kept_ + place * index_.features;
    for (std::size_t f = 0; f < index_.features; f += 64 / sizeof(Code)) hwy::Prefetch(codes + f);
    const std::uint32_t* own = index_.codes + index_.first_code[place];
    const std::uint32_t* end = index_.codes + index_.first_code[place + 1];
    for (; own < end; own += 64 / sizeof(*own)) hwy::Prefetch(own);
  }

  // Compares this place with the best of every open clustering that drew it.
  HWY_INLINE void visit(std::uint32_t place) {
    const std::uint64_t* drawn_by = index_.drawn_by + place * index_.drawn_by_stride;
    bool compared = false;
    const std::uint32_t* codes = index_.codes + index_.first_code[place];
    for (std::size_t w = 0; w < index_.clustering_words; ++w) {
      std::uint64_t wanted = drawn_by[w] & space_.open[w];
      if (wanted != 0 && !compared) {
        compared = true;
        equal_features(row_, kept_ + place * index_.features, index_.features, index_.feature_words,
                       space_.equal);
      }
      for (; wanted != 0; wanted &= wanted - 1) {
        const std::size_t v = w * 64 + hwy::Num0BitsBelowLS1Bit_Nonzero64(wanted);
        const std::int16_t agreement = drawn_agreement(v);
        if (agreement < space_.best[v]) continue;
        const std::uint64_t lower_bits = (wanted & (0 - wanted)) - 1;
        const std::uint32_t code = codes[hwy::PopCount(drawn_by[w] & lower_bits)];
        if (agreement == space_.best[v] && code >= answer_[v]) continue;
        space_.best[v] = agreement;
        answer_[v] = code;
      }
      codes += hwy::PopCount(drawn_by[w]);
    }
  }

  HWY_INLINE std::int16_t drawn_agreement(std::size_t clustering) const {
    const std::uint64_t* drawn = index_.drawn_features + clustering * index_.feature_words;
    std::size_t agreement = 0;
    for (std::size_t w = 0; w < index_.feature_words; ++w) {
      agreement += hwy::PopCount(space_.equal[w] & drawn[w]);
    }
    return static_cast<std::int16_t>(agreement);
  }

  using BlockTag = hn::CappedTag<Count, WalkIndex::kBlockPlaces>;

  const WalkIndex index_;
  const Code* kept_;
  const WalkRows<Code> rows_;
  const WalkSpace::View space_;
  Count* counts_;
  const Code* row_ = nullptr;
  std::uint32_t* answer_ = nullptr;
  std::size_t blocks_ = 0;  // blocks with a count above zero
  std::uint32_t last_ = 0;
};

// When clusterings draw at most 255 features, no best exceeds 255, so agreements above need not be
// told apart.
template <class Code>
HWY_INLINE void walk_codes(const WalkIndex& index, const Code* kept, const WalkRows<Code>& rows,
                           const WalkSpace::View& space) {
  if (index.drawn <= 255) {
    Walk<Code, std::uint8_t>(index, kept, rows, space).run();
  } else {
    Walk<Code, std::uint16_t>(index, kept, rows, space).run();
  }
}

void walk_u8(const WalkIndex& index, const std::uint8_t* kept, const WalkRows<std::uint8_t>& rows,
             const WalkSpace::View& space) {
  walk_codes(index, kept, rows, space);
}
void walk_u16(const WalkIndex& index, const std::uint16_t* kept,
              const WalkRows<std::uint16_t>& rows, const WalkSpace::View& space) {
  walk_codes(index, kept, rows, space);
}
void walk_u32(const WalkIndex& index, const std::uint32_t* kept,
              const WalkRows<std::uint32_t>& rows, const WalkSpace::View& space) {
  walk_codes(index, kept, rows, space);
}

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif
