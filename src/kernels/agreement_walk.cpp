// SPDX-License-Identifier: Apache-2.0
//
// Finds the code of one row in all clusterings of an upper layer, exactly, by an upper bound.
//
// Let s be the agreement of a kept row with the row on all features: the number of features in
// which their codes are equal. A clustering sees only the features that it drew, so
//
//     agreement on the drawn features  <=  s.
//
// Kept rows are visited by falling s. A clustering closes when its best agreement is above the next
// s: no later kept row can be better or tie. The walk ends when all clusterings are closed.
//
// s is counted from an inverted index: the kept rows that have a given code in a given feature.
// Similar kept rows stand side by side, and a list names blocks of 16 of them with a bit for each:
// one instruction counts a whole block, which at narrow layers is six to ten agreements. The
// features in which a kept row and the row have equal codes, one bit each, are found once for all
// clusterings that drew the kept row; the agreement in each is a popcount under its own mask.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/agreement_walk.cpp"
#include <hwy/foreach_target.h>

#include "kernels/agreement_walk-inl.h"
#include "kernels/targets.hpp"

#if HWY_ONCE
#include <algorithm>
#include <type_traits>

namespace mbn {

HWY_EXPORT(walk_u8);
HWY_EXPORT(walk_u16);
HWY_EXPORT(walk_u32);

namespace {

// Vectors may read past the last place or clustering, by up to the widest vector there is.
constexpr std::size_t kSlack = 256;

std::size_t mask_words(std::size_t bits) {
  return (bits + 63) / 64;
}

}  // namespace

WalkSpace::WalkSpace(const WalkIndex& index)
    : counts_(index.places + kSlack),
      touched_block_(index.places / WalkIndex::kBlockPlaces + kSlack),
      blocks_(index.places / WalkIndex::kBlockPlaces + 1),
      touched_(index.places + 1),
      sorted_(index.places + 1),
      level_(index.places + 1),
      buckets_(index.features + 2),
      lists_(2 * index.features),
      masks_(index.feature_words + index.clustering_words),
      best_(index.clusterings + kSlack) {}

std::uint64_t WalkSpace::bytes(std::uint64_t features, std::uint64_t clusterings,
                               std::uint64_t places) {
  return places * (sizeof(std::uint16_t) + 3 * sizeof(std::uint32_t) + 1) + features * 37 +
         clusterings * 3 + 4 * kSlack;
}

WalkSpace::View WalkSpace::view() {
  const std::size_t features = buckets_.size() - 2;
  return {.counts = counts_.data(),
          .touched_block = touched_block_.data(),
          .blocks = blocks_.data(),
          .touched = touched_.data(),
          .sorted = sorted_.data(),
          .level = level_.data(),
          .buckets = buckets_.data(),
          .lists = lists_.data(),
          .equal = masks_.data(),
          .open = masks_.data() + mask_words(features),
          .best = best_.data(),
          .reach = &reach_};
}

template <class Code>
void walk(const WalkIndex& index, const Code* kept, const WalkRows<Code>& rows, WalkSpace& space) {
  if constexpr (std::is_same_v<Code, std::uint8_t>) {
    MBN_DISPATCH(walk_u8)(index, kept, rows, space.view());
  } else if constexpr (std::is_same_v<Code, std::uint16_t>) {
    MBN_DISPATCH(walk_u16)(index, kept, rows, space.view());
  } else {
    MBN_DISPATCH(walk_u32)(index, kept, rows, space.view());
  }
}

template <class Code>
void walk_reference(const WalkIndex& index, const Code* kept, const WalkRows<Code>& rows) {
  const auto bit = [](const std::uint64_t* mask, std::size_t i) {
    return (mask[i / 64] >> (i % 64) & 1) != 0;
  };
  std::vector<std::size_t> best(index.clusterings);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Code* row = rows.codes + rows.order[i] * index.features;
    std::uint32_t* answer = rows.answers + i * index.clusterings;
    std::fill(best.begin(), best.end(), 0);
    std::fill_n(answer, index.clusterings, 0);
    for (std::size_t place = 0; place < index.places; ++place) {
      const Code* other = kept + place * index.features;
      const std::uint32_t* code = index.codes + index.first_code[place];
      for (std::size_t v = 0; v < index.clusterings; ++v) {
        if (!bit(index.drawn_by + place * index.drawn_by_stride, v)) continue;
        std::size_t agreement = 0;
        for (std::size_t f = 0; f < index.features; ++f) {
          if (row[f] == other[f] && bit(index.drawn_features + v * index.feature_words, f)) {
            ++agreement;
          }
        }
        if (agreement > best[v] || (agreement == best[v] && *code < answer[v])) {
          best[v] = agreement;
          answer[v] = *code;
        }
        ++code;
      }
    }
  }
}

template void walk(const WalkIndex&, const std::uint8_t*, const WalkRows<std::uint8_t>&,
                   WalkSpace&);
template void walk(const WalkIndex&, const std::uint16_t*, const WalkRows<std::uint16_t>&,
                   WalkSpace&);
template void walk(const WalkIndex&, const std::uint32_t*, const WalkRows<std::uint32_t>&,
                   WalkSpace&);
template void walk_reference(const WalkIndex&, const std::uint8_t*, const WalkRows<std::uint8_t>&);
template void walk_reference(const WalkIndex&, const std::uint16_t*,
                             const WalkRows<std::uint16_t>&);
template void walk_reference(const WalkIndex&, const std::uint32_t*,
                             const WalkRows<std::uint32_t>&);

}  // namespace mbn
#endif
