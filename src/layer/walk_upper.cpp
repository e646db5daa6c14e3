// SPDX-License-Identifier: Apache-2.0
//
// The row-outer walk above the bottom: all clusterings draw from the same pool rows, so a row's
// agreement with the pool is counted once, and all clusterings share it. The search of one row, and
// the bound that makes it exact, are in kernels/agreement_walk.cpp; here its index is built.
//
// The index has, once for all clusterings: for each feature and code the pool rows that have it;
// for each pool row the clusterings that drew it, one bit each, and its codes there, packed by
// ascending clustering (clusterings x centroids numbers in total instead of pool rows x
// clusterings); for each clustering its drawn features, one bit each. Pool rows stand in an order
// that keeps similar ones together, because a row touches mostly rows similar to itself.
//
// Cost of the index: pool rows x features; of a row: its agreements with the whole pool, plus a few
// comparisons per clustering. Both fall as the layer below gets wider: narrow layers are better
// served by bit-sliced counting.
#include <algorithm>
#include <bit>
#include <mutex>
#include <vector>

#include "base/large_array.hpp"
#include "kernels/agreement_walk.hpp"
#include "layer/search.hpp"
#include "layer/similar_order.hpp"
#include "layer/upper_engines.hpp"

namespace mbn {

namespace {

constexpr std::size_t kFeaturesPerTask = 16;
constexpr std::size_t kRowsPerTask = 128;

std::size_t mask_words(std::size_t bits) {
  return (bits + 63) / 64;
}

// Masks that fit into a cache line must not lie across two.
std::size_t mask_stride(std::size_t words) {
  constexpr std::size_t kLineWords = 8;
  return words < kLineWords ? std::bit_ceil(words) : blocks(words, kLineWords) * kLineWords;
}

class WalkUpperSearch final : public UpperSearch {
 public:
  WalkUpperSearch(const CodeMatrix& pool, const Draws& draws) : pool_(pool), draws_(draws) {}

  void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const override {
    std::call_once(built_, [&] { build(job); });
    const std::vector<std::uint32_t> order = similar_order(rows);
    std::vector<WalkSpace> spaces(std::min<std::size_t>(job.threads(), order.size()),
                                  WalkSpace(index_));
    job.parallel(blocks(order.size(), kRowsPerTask), [&](std::size_t task, unsigned worker) {
      const std::size_t first = task * kRowsPerTask;
      const std::size_t last = std::min(first + kRowsPerTask, order.size());
      for (std::size_t i = first; i < last; ++i) encode_row(rows, order[i], codes, spaces[worker]);
    });
  }

 private:
  void encode_row(const CodeMatrix& rows, std::size_t row, CodeMatrix& codes,
                  WalkSpace& space) const {
    rows.visit([&]<class Code>(const Code* input) {
      pool_.visit([&]<class Other>(const Other* pool) {
        // Both are codes of the same layer, so the types are equal.
        if constexpr (std::is_same_v<Code, Other>) {
          walk(index_, pool, input + row * index_.features, space);
        }
      });
    });
    codes.visit([&]<class Code>(Code* output) {
      std::transform(space.answer(), space.answer() + index_.clusterings,
                     output + row * index_.clusterings,
                     [](std::uint32_t code) { return static_cast<Code>(code); });
    });
  }

  void build(Job& job) const {
    const std::size_t places = pool_.rows();
    index_.features = pool_.clusterings();
    index_.clusterings = draws_.clusterings;
    index_.codes_below = pool_.centroids();
    index_.places = places;
    index_.feature_words = mask_words(index_.features);
    index_.clustering_words = mask_words(index_.clusterings);
    index_.drawn_by_stride = mask_stride(index_.clustering_words);
    pool_row_ = similar_order(pool_);
    // Not resize: an earlier call may have been cancelled half-way.
    starts_.assign(index_.features * (index_.codes_below + 1), 0);
    members_.resize(index_.features * places);
    const std::size_t feature_tasks = blocks(index_.features, kFeaturesPerTask);
    job.parallel(feature_tasks + 1, [&](std::size_t task, unsigned) {
      if (task == 0) {
        note_draws();
      } else {
        pool_.visit([&](const auto* cells) { list_members(task - 1, cells); });
      }
    });
    index_.pool_row = pool_row_.data();
    index_.starts = starts_.data();
    index_.members = members_.data();
    index_.drawn_features = drawn_features_.data();
    index_.drawn_by = drawn_by_.data();
    index_.first_code = first_code_.data();
    index_.codes = codes_.data();
  }

  // Counting sorts of all places by their code in a feature, for a few features that share cache
  // lines.
  template <class Code>
  void list_members(std::size_t block, const Code* cells) const {
    const std::size_t places = index_.places;
    const std::size_t first = block * kFeaturesPerTask;
    const std::size_t count = std::min(kFeaturesPerTask, index_.features - first);
    std::vector<Code> columns(count * places);
    for (std::size_t place = 0; place < places; ++place) {
      const Code* row = cells + pool_row_[place] * index_.features + first;
      for (std::size_t f = 0; f < count; ++f) columns[f * places + place] = row[f];
    }
    std::vector<std::uint32_t> next(index_.codes_below + 1);
    for (std::size_t f = 0; f < count; ++f) {
      const Code* column = columns.data() + f * places;
      std::uint32_t* starts = starts_.data() + (first + f) * (index_.codes_below + 1);
      std::uint32_t* members = members_.data() + (first + f) * places;
      for (std::size_t place = 0; place < places; ++place) ++starts[std::size_t{column[place]} + 1];
      for (std::size_t c = 1; c <= index_.codes_below; ++c) starts[c] += starts[c - 1];
      std::copy_n(starts, next.size(), next.begin());
      for (std::uint32_t place = 0; place < places; ++place) members[next[column[place]]++] = place;
    }
  }

  void note_draws() const {
    drawn_features_.assign(index_.clusterings * index_.feature_words, 0);
    drawn_by_.assign(index_.places * index_.drawn_by_stride, 0);
    first_code_.assign(index_.places + 1, 0);
    codes_.resize(draws_.rows.size());
    std::vector<std::uint32_t> place_of(index_.places);
    for (std::uint32_t place = 0; place < index_.places; ++place) {
      place_of[pool_row_[place]] = place;
    }
    for (const std::uint32_t row : draws_.rows) ++first_code_[place_of[row] + 1];
    for (std::size_t place = 0; place < index_.places; ++place) {
      first_code_[place + 1] += first_code_[place];
    }
    LargeArray<std::uint64_t> next = first_code_;
    for (std::size_t v = 0; v < index_.clusterings; ++v) {
      for (const std::uint32_t f : draws_.columns_of(v)) {
        drawn_features_[v * index_.feature_words + f / 64] |= std::uint64_t{1} << (f % 64);
      }
      const auto drawn = draws_.rows_of(v);
      for (std::uint32_t code = 0; code < drawn.size(); ++code) {
        const std::uint32_t place = place_of[drawn[code]];
        drawn_by_[place * index_.drawn_by_stride + v / 64] |= std::uint64_t{1} << (v % 64);
        codes_[next[place]++] = code;
      }
    }
  }

  const CodeMatrix& pool_;
  const Draws& draws_;

  // Built by the first `encode`, which has threads to do it with; read-only afterwards.
  mutable std::once_flag built_;
  mutable WalkIndex index_;
  mutable std::vector<std::uint32_t> pool_row_;
  mutable LargeArray<std::uint32_t> starts_, members_, codes_;
  mutable LargeArray<std::uint64_t> drawn_features_, drawn_by_, first_code_;
};

}  // namespace

std::unique_ptr<UpperSearch> make_walk_upper_search(const CodeMatrix& pool, const Draws& draws) {
  return std::make_unique<WalkUpperSearch>(pool, draws);
}

std::uint64_t walk_upper_shared_bytes(const UpperSizes& sizes) {
  const std::uint64_t masks = sizes.pool_rows * mask_stride(mask_words(sizes.clusterings)) +
                              sizes.clusterings * mask_words(sizes.inputs);
  const std::uint64_t lists = sizes.inputs * (sizes.centroids_below + 1 + sizes.pool_rows) +
                              sizes.clusterings * sizes.centroids;
  return (masks + sizes.pool_rows) * sizeof(std::uint64_t) + lists * sizeof(std::uint32_t) +
         (sizes.pool_rows + sizes.rows) * sizeof(std::uint32_t);
}

std::uint64_t walk_upper_bytes(const UpperSizes& sizes) {
  // While the index is built, a thread holds a few columns of the pool instead.
  const std::uint64_t columns =
      kFeaturesPerTask * sizes.pool_rows * CodeMatrix::element_bytes(sizes.centroids_below);
  return std::max(columns, WalkSpace::bytes(sizes.inputs, sizes.clusterings, sizes.pool_rows));
}

}  // namespace mbn
