// SPDX-License-Identifier: Apache-2.0
#include "kernels/agreement_walk.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

// A simple index: places in the order of the kept rows, every mask bit random.
template <class Code>
struct SmallWalk {
  SmallWalk(std::size_t features, std::size_t clusterings, std::size_t codes_below,
            std::size_t places, std::uint32_t seed)
      : random(7, Purpose::generate, seed), kept(places * features), rows(kRows * features) {
    index.features = features;
    index.drawn = features;
    index.clusterings = clusterings;
    index.codes_below = codes_below;
    index.places = places;
    index.feature_words = (features + 63) / 64;
    index.clustering_words = (clusterings + 63) / 64;
    index.drawn_by_stride = index.clustering_words;
    for (Code& code : kept) code = any_code();
    for (Code& code : rows) code = any_code();
    list();
    drawn_features = coins(clusterings, features, index.feature_words);
    drawn_by = coins(places, clusterings, index.clustering_words);
    for (std::size_t place = 0; place < places; ++place) {
      first_code.push_back(codes.size());
      for (std::size_t v = 0; v < clusterings; ++v) codes.push_back(random.below(50));
    }
    first_code.push_back(codes.size());
    index.starts = starts.data();
    for (const auto& list : lists) entries.push_back(list.data());
    index.entries = entries.data();
    index.drawn_features = drawn_features.data();
    index.drawn_by = drawn_by.data();
    index.first_code = first_code.data();
    index.codes = codes.data();
  }

  Code any_code() {
    // Uneven, so that agreements differ.
    const auto bound = static_cast<std::uint32_t>(index.codes_below);
    return static_cast<Code>(random.below(random.below(bound) + 1));
  }

  void list() {
    lists.resize(index.features);
    for (std::size_t f = 0; f < index.features; ++f) {
      std::uint32_t start = 0;
      for (std::size_t code = 0; code < index.codes_below; ++code) {
        starts.push_back(start);
        std::uint32_t bits = 0;
        for (std::uint32_t place = 0; place < index.places; ++place) {
          if (kept[place * index.features + f] == code) bits |= 1U << place % 16;
          if (place % 16 != 15 && place + 1 != index.places) continue;
          if (bits != 0) lists[f].push_back(place / 16 << 16 | bits);
          start += bits != 0 ? 1 : 0;
          bits = 0;
        }
      }
      starts.push_back(start);
    }
  }

  std::vector<std::uint64_t> coins(std::size_t masks, std::size_t bits, std::size_t words) {
    std::vector<std::uint64_t> all(masks * words);
    for (std::size_t m = 0; m < masks; ++m) {
      for (std::size_t b = 0; b < bits; ++b) {
        all[m * words + b / 64] |= std::uint64_t{random.below(2)} << b % 64;
      }
    }
    return all;
  }

  // The rows in an order, one of them twice.
  WalkRows<Code> walked(std::vector<std::uint32_t>& answers) const {
    static constexpr std::uint32_t kOrder[] = {2, 0, 1, 0};
    answers.assign(4 * index.clusterings, 999);
    return {rows.data(), kOrder, 4, answers.data()};
  }

  static constexpr std::size_t kRows = 3;
  Random random;
  WalkIndex index;
  std::vector<Code> kept, rows;
  std::vector<std::vector<std::uint32_t>> lists;
  std::vector<const std::uint32_t*> entries;
  std::vector<std::uint32_t> starts, codes;
  std::vector<std::uint64_t> drawn_features, drawn_by, first_code;
};

template <class Code>
void expect_walks(std::size_t codes_below) {
  std::uint32_t seed = 0;
  for (const std::size_t features : {1U, 5U, 33U, 64U, 131U, 300U}) {
    for (const std::size_t places : {1U, 40U, 300U}) {
      const SmallWalk<Code> small(features, 70, codes_below, places, ++seed);
      WalkSpace space(small.index);
      std::vector<std::uint32_t> expected, found;
      walk_reference(small.index, small.kept.data(), small.walked(expected));
      on_every_target([&] {
        // Twice: a walk must clear its work space.
        for (int time = 0; time < 2; ++time) {
          walk(small.index, small.kept.data(), small.walked(found), space);
          EXPECT_EQ(found, expected) << features << " features, " << places << " places";
        }
      });
    }
  }
}

TEST(AgreementWalk, CodesOf8Bits) {
  expect_walks<std::uint8_t>(2);
  expect_walks<std::uint8_t>(250);
}
TEST(AgreementWalk, CodesOf16Bits) {
  expect_walks<std::uint16_t>(400);
}
TEST(AgreementWalk, CodesOf32Bits) {
  expect_walks<std::uint32_t>(900);
}

}  // namespace
}  // namespace mbn
