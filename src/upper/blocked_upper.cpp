// SPDX-License-Identifier: Apache-2.0
//
// Searches blocks of 512 similar rows together (kernels/row_slices.cpp says how, and why that is
// fast). This file prepares each block:
//  - the slices: for each feature and code, a bit for each row of the block that has the code;
//  - for each kept row a bit for each feature in which some row of the block has its code. The
//    inverted index of the kept rows, read for the codes that occur in the block, gives these bits
//    feature by feature, for all kept rows; that bit matrix is then transposed.
//
// Rows are blocked in an order of their own (block_order.cpp): the more similar the rows of a
// block, the fewer codes occur in it.
//
// Most kept rows have few codes in common with a block, and nothing more is done for them.
//
// The narrower the layer, the more similar are 512 rows in sequence, and the faster this is. At
// wide layers each row has neighbours of its own, and the walk of single rows (walk_upper.cpp) is
// faster.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "base/large_array.hpp"
#include "kernels/row_slices.hpp"
#include "upper/block_order.hpp"
#include "upper/upper_engine.hpp"
#include "upper/upper_engines.hpp"
#include "upper/upper_index.hpp"

namespace mbn {

namespace {

constexpr std::size_t kFeaturesAtOnce = 64;
// A list names blocks of 16 places: a quarter of a word.
constexpr std::size_t kPartsPerWord = 64 / WalkIndex::kBlockPlaces;

std::size_t words_for(std::size_t bits) {
  return blocks(bits, 64);
}

// The work space of one thread. Reused from block to block.
struct Space {
  Space(const WalkIndex& index, std::size_t centroids)
      : first_slice(index.features),
        local(index.features * index.codes_below),
        seen(index.codes_below),
        bitmaps(kFeaturesAtOnce * words_for(index.places) * kPartsPerWord),
        shared(index.places * index.feature_words),
        shared_count(index.places),
        order(index.places),
        selected(index.features + BlockSpace::kSlicesAtOnce),
        counts(BlockSpace::count_planes(index.drawn) + 3),
        best(index.clusterings * BlockSpace::count_planes(index.drawn)),
        answer(index.clusterings * BlockSpace::code_planes(centroids)),
        least(index.clusterings),
        answers(RowSlice::kRows) {}

  BlockSpace view() {
    return {.selected = selected.data(),
            .counts = counts.data(),
            .best = best.data(),
            .answer = answer.data(),
            .least = least.data()};
  }

  std::vector<RowSlice> slices;
  std::vector<std::uint32_t> first_slice;
  LargeArray<std::uint16_t> local;
  std::vector<std::uint16_t> seen;       // [code] number of its slice, from 1; 0: none yet
  std::vector<std::uint32_t> occurring;  // codes of the current feature that occur in the block
  LargeArray<std::uint16_t> bitmaps;     // [64 features][block of 16 places] a bit for each place
  LargeArray<std::uint64_t> shared;
  std::vector<std::uint16_t> shared_count;
  std::vector<std::uint32_t> order;
  std::size_t order_size = 0;
  std::vector<std::uint32_t> selected;
  std::vector<RowSlice> counts, best, answer;
  std::vector<std::uint16_t> least;
  std::vector<std::uint32_t> answers;
};

class BlockedUpper final : public UpperEngine {
 public:
  explicit BlockedUpper(std::shared_ptr<const UpperIndex> index) : index_(std::move(index)) {}

  void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const override {
    const WalkIndex& index = index_->get();
    const std::vector<std::uint32_t> order = block_order(rows, job);
    std::vector<std::unique_ptr<Space>> spaces(job.threads());
    job.parallel(blocks(order.size(), RowSlice::kRows), [&](std::size_t task, unsigned worker) {
      auto& space = spaces[worker];
      if (!space) space = std::make_unique<Space>(index, index_->draws().centroids);
      const std::size_t first = task * RowSlice::kRows;
      const std::span block =
          std::span(order).subspan(first, std::min(RowSlice::kRows, order.size() - first));
      rows.visit([&]<class Code>(const Code* input) {
        index_->visit([&]<class Other>(const Other* kept) {
          // Both are codes of the same layer, so the types are equal.
          if constexpr (std::is_same_v<Code, Other>) {
            prepare(index, block, input, *space);
            search_block(index, row_block(block.size(), *space), kept, index_->draws().centroids,
                         space->view());
          }
        });
      });
      codes.visit([&](auto* output) { write(index, block, output, *space); });
    });
  }

 private:
  static RowBlock row_block(std::size_t rows, const Space& space) {
    RowBlock block{.slices = space.slices.data(),
                   .first_slice = space.first_slice.data(),
                   .local = space.local.data(),
                   .shared = space.shared.data(),
                   .shared_count = space.shared_count.data(),
                   .order = space.order.data(),
                   .order_size = space.order_size};
    for (std::size_t r = rows; r < RowSlice::kRows; ++r) {
      block.unused.words[r / 64] |= std::uint64_t{1} << r % 64;
    }
    return block;
  }

  template <class Output>
  void write(const WalkIndex& index, std::span<const std::uint32_t> rows, Output* output,
             Space& space) const {
    const std::size_t planes = BlockSpace::code_planes(index_->draws().centroids);
    for (std::size_t v = 0; v < index.clusterings; ++v) {
      read_answers(space.answer.data() + v * planes, planes, space.answers.data());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        output[rows[r] * index.clusterings + v] = static_cast<Output>(space.answers[r]);
      }
    }
  }

  template <class Input>
  void prepare(const WalkIndex& index, std::span<const std::uint32_t> rows, const Input* input,
               Space& space) const {
    const std::size_t parts = words_for(index.places) * kPartsPerWord;
    space.slices.assign(1, RowSlice{});
    std::fill(space.shared_count.begin(), space.shared_count.end(), std::uint16_t{0});
    for (std::size_t first = 0; first < index.features; first += kFeaturesAtOnce) {
      std::fill(space.bitmaps.begin(), space.bitmaps.end(), 0);
      for (std::size_t f = first; f < std::min(index.features, first + kFeaturesAtOnce); ++f) {
        slice_feature(index, rows, input, f, space);
        mark_places(index, f, space.bitmaps.data() + (f - first) * parts, space);
      }
      turn(index, first / kFeaturesAtOnce, space);
    }
    sort_places(space);
  }

  // Slices of the codes that rows have in a feature.
  template <class Input>
  static void slice_feature(const WalkIndex& index, std::span<const std::uint32_t> rows,
                            const Input* input, std::size_t feature, Space& space) {
    const std::size_t first = space.slices.size();
    space.first_slice[feature] = static_cast<std::uint32_t>(first);
    space.occurring.clear();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::uint32_t code = input[rows[r] * index.features + feature];
      std::uint16_t& number = space.seen[code];
      if (number == 0) {
        space.occurring.push_back(code);
        number = static_cast<std::uint16_t>(space.occurring.size());
        space.slices.push_back({});
      }
      space.slices[first + number - 1].words[r / 64] |= std::uint64_t{1} << r % 64;
    }
    for (std::size_t i = 0; i < space.occurring.size(); ++i) {
      const std::uint32_t code = space.occurring[i];
      space.local[feature * index.codes_below + code] = static_cast<std::uint16_t>(i);
      space.seen[code] = 0;
    }
  }

  // Sets a bit for each place whose code in a feature occurs in the block.
  static void mark_places(const WalkIndex& index, std::size_t feature, std::uint16_t* bitmap,
                          const Space& space) {
    constexpr std::size_t kAhead = 4;
    const std::uint32_t* starts = index.starts + feature * (index.codes_below + 1);
    const std::uint32_t* entries = index.entries[feature];
    const std::vector<std::uint32_t>& codes = space.occurring;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (i + kAhead < codes.size()) __builtin_prefetch(entries + starts[codes[i + kAhead]]);
      const std::uint32_t* end = entries + starts[codes[i] + 1];
      for (const std::uint32_t* entry = entries + starts[codes[i]]; entry != end; ++entry) {
        std::uint16_t& part = bitmap[WalkIndex::block(*entry)];
        part = static_cast<std::uint16_t>(part | WalkIndex::bits(*entry));
      }
    }
  }

  // Transposes: from a word of places for each of 64 features to a word of features for each place.
  static void turn(const WalkIndex& index, std::size_t feature_word, Space& space) {
    std::uint64_t matrix[64];
    const std::size_t words = words_for(index.places);
    for (std::size_t word = 0; word < words; ++word) {
      std::uint64_t any = 0;
      for (std::size_t f = 0; f < kFeaturesAtOnce; ++f) {
        const std::uint16_t* parts = space.bitmaps.data() + (f * words + word) * kPartsPerWord;
        matrix[f] = std::uint64_t{parts[0]} | std::uint64_t{parts[1]} << 16 |
                    std::uint64_t{parts[2]} << 32 | std::uint64_t{parts[3]} << 48;
        any |= matrix[f];
      }
      std::uint16_t counts[64] = {};
      if (any != 0) transpose_bits(matrix, counts);
      const std::size_t last = std::min<std::size_t>(64, index.places - 64 * word);
      for (std::size_t i = 0; i < last; ++i) {
        const std::size_t place = 64 * word + i;
        space.shared[place * index.feature_words + feature_word] = matrix[i];
        space.shared_count[place] =
            static_cast<std::uint16_t>(space.shared_count[place] + counts[i]);
      }
    }
  }

  // Orders the places by the number of features that they share with the block, most first, in
  // bands whose limits are powers of two. Within a band they keep their order, so memory is read in
  // order.
  static void sort_places(Space& space) {
    constexpr std::size_t kBands = 17;
    std::array<std::uint32_t, kBands + 1> next{};
    const auto band = [](std::uint16_t count) {
      return kBands - 1 - static_cast<std::size_t>(std::bit_width(count));
    };
    for (const std::uint16_t count : space.shared_count) ++next[band(count) + 1];
    for (std::size_t b = 1; b < next.size(); ++b) next[b] += next[b - 1];
    space.order_size = next[band(0)];
    for (std::uint32_t place = 0; place < space.shared_count.size(); ++place) {
      space.order[next[band(space.shared_count[place])]++] = place;
    }
  }

  std::shared_ptr<const UpperIndex> index_;
};

}  // namespace

std::unique_ptr<UpperEngine> make_blocked_upper(std::shared_ptr<const UpperIndex> index) {
  return std::make_unique<BlockedUpper>(std::move(index));
}

std::uint64_t blocked_upper_bytes(const UpperSizes& sizes) {
  const std::uint64_t words = words_for(sizes.inputs);
  // Similar rows have few different codes in a feature: about 0.7 c^0.6 of c (usual_likeness).
  // Three times as many are counted on.
  const auto codes = static_cast<std::uint64_t>(
      2.1 * std::pow(static_cast<double>(sizes.centroids_below), 0.6) + 1);
  const std::uint64_t slices =
      sizes.inputs *
      std::min<std::uint64_t>({std::uint64_t{RowSlice::kRows}, sizes.centroids_below, codes});
  const std::uint64_t planes =
      sizes.clusterings * (BlockSpace::count_planes(sizes.features) +
                           BlockSpace::code_planes(std::max<std::uint64_t>(sizes.centroids, 1)));
  return (slices + planes) * sizeof(RowSlice) + sizes.inputs * (2 * sizes.centroids_below + 8) +
         sizes.centroids_below * 2 + kFeaturesAtOnce * sizes.kept_rows / 8 +
         sizes.kept_rows * (words * sizeof(std::uint64_t) + 6);
}

}  // namespace mbn
