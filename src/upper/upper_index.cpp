// SPDX-License-Identifier: Apache-2.0
//
// A "place" is the position of a kept row in the index. Places are in similar order
// (upper/similar_order.hpp): then the list of the places that have a given code names few blocks of
// 16 places, and the counters that a row increases lie side by side. The codes of a kept row in the
// clusterings that drew it are packed by ascending clustering, so that they take clusterings x
// centroids numbers in total instead of kept rows x clusterings.
//
// The list of one (feature, code) pair is made by a counting sort of the places by code. Several
// features are listed in one task, because their codes lie in the same cache lines.
#include "upper/upper_index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "upper/similar_order.hpp"

namespace mbn {

namespace {

// Features that are listed in one task.
constexpr std::size_t kFeaturesPerTask = 16;
constexpr std::uint32_t kBlock = WalkIndex::kBlockPlaces;

// The stride is such that a mask that fits into a cache line never lies across two.
std::size_t mask_stride(std::size_t words) {
  constexpr std::size_t kLineWords = 8;
  return words < kLineWords ? std::bit_ceil(words) : blocks(words, kLineWords) * kLineWords;
}

}  // namespace

UpperIndex::UpperIndex(const CodeMatrix& kept, const Draws& draws, Job& job)
    : kept_(kept), draws_(draws) {
  index_.features = kept_.clusterings();
  index_.drawn = draws_.features;
  index_.clusterings = draws_.clusterings;
  index_.codes_below = kept_.centroids();
  index_.places = kept_.rows();
  index_.feature_words = blocks(index_.features, 64);
  index_.clustering_words = blocks(index_.clusterings, 64);
  index_.drawn_by_stride = mask_stride(index_.clustering_words);
  kept_row_ = similar_order(kept_);
  const std::size_t tasks = blocks(index_.features, kFeaturesPerTask);
  starts_.assign(index_.features * (index_.codes_below + 1), 0);
  entries_.assign(tasks, {});
  entries_of_.assign(index_.features, nullptr);
  place_codes(job);
  job.parallel(tasks + 1, [&](std::size_t task, unsigned) {
    if (task == 0) {
      note_draws();
    } else {
      visit([&](const auto* codes) { list_places(task - 1, codes); });
    }
  });
  index_.starts = starts_.data();
  index_.entries = entries_of_.data();
  index_.drawn_features = drawn_features_.data();
  index_.drawn_by = drawn_by_.data();
  index_.first_code = first_code_.data();
  index_.codes = codes_.data();
}

void UpperIndex::place_codes(Job& job) {
  constexpr std::size_t kRowsPerTask = 4096;
  const std::size_t bytes = index_.features * CodeMatrix::element_bytes(index_.codes_below);
  placed_codes_.resize(index_.places * bytes);
  job.parallel(blocks(index_.places, kRowsPerTask), [&](std::size_t task, unsigned) {
    const std::size_t last = std::min(index_.places, (task + 1) * kRowsPerTask);
    kept_.visit([&](const auto* cells) {
      for (std::size_t place = task * kRowsPerTask; place < last; ++place) {
        std::memcpy(placed_codes_.data() + place * bytes,
                    cells + kept_row_[place] * index_.features, bytes);
      }
    });
  });
}

// Lists, for each code of a few features, the places that have it.
template <class Code>
void UpperIndex::list_places(std::size_t task, const Code* codes) {
  const std::size_t places = index_.places;
  const std::size_t first = task * kFeaturesPerTask;
  const std::size_t count = std::min(kFeaturesPerTask, index_.features - first);
  std::vector<Code> columns(count * places);
  for (std::size_t place = 0; place < places; ++place) {
    const Code* row = codes + place * index_.features + first;
    for (std::size_t f = 0; f < count; ++f) columns[f * places + place] = row[f];
  }
  std::vector<std::uint32_t> scratch(index_.codes_below);
  std::vector<std::size_t> begins(count + 1);
  for (std::size_t f = 0; f < count; ++f) {
    begins[f + 1] = begins[f] + count_entries(columns.data() + f * places, first + f, scratch);
  }
  entries_[task].resize(begins[count]);
  for (std::size_t f = 0; f < count; ++f) {
    std::uint32_t* entries = entries_[task].data() + begins[f];
    entries_of_[first + f] = entries;
    write_entries(columns.data() + f * places, first + f, scratch, entries);
  }
}

// Fills `starts_` of a feature and returns its number of entries.
template <class Code>
std::size_t UpperIndex::count_entries(const Code* column, std::size_t feature,
                                      std::vector<std::uint32_t>& last) {
  std::uint32_t* starts = starts_.data() + feature * (index_.codes_below + 1);
  std::fill(last.begin(), last.end(), ~0U);
  for (std::uint32_t place = 0; place < index_.places; ++place) {
    const std::size_t code = column[place];
    starts[code + 1] += last[code] != place / kBlock ? 1 : 0;
    last[code] = place / kBlock;
  }
  for (std::size_t c = 1; c <= index_.codes_below; ++c) starts[c] += starts[c - 1];
  return starts[index_.codes_below];
}

template <class Code>
void UpperIndex::write_entries(const Code* column, std::size_t feature,
                               std::vector<std::uint32_t>& next, std::uint32_t* entries) const {
  const std::uint32_t* starts = starts_.data() + feature * (index_.codes_below + 1);
  std::copy_n(starts, next.size(), next.begin());
  for (std::uint32_t place = 0; place < index_.places; ++place) {
    const std::size_t code = column[place];
    const std::uint32_t bit = 1U << place % kBlock;
    if (next[code] != starts[code] && WalkIndex::block(entries[next[code] - 1]) == place / kBlock) {
      entries[next[code] - 1] |= bit;
    } else {
      entries[next[code]++] = place / kBlock << WalkIndex::kBlockPlaces | bit;
    }
  }
}

void UpperIndex::note_draws() {
  drawn_features_.assign(index_.clusterings * index_.feature_words, 0);
  drawn_by_.assign(index_.places * index_.drawn_by_stride, 0);
  first_code_.assign(index_.places + 1, 0);
  codes_.resize(draws_.rows.size());
  std::vector<std::uint32_t> place_of(index_.places);
  for (std::uint32_t place = 0; place < index_.places; ++place) place_of[kept_row_[place]] = place;
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

bool UpperIndex::serves(const UpperSizes& sizes) {
  return sizes.kept_rows <= WalkIndex::kMostPlaces && sizes.inputs <= WalkIndex::kMostFeatures;
}

std::uint64_t UpperIndex::bytes(const UpperSizes& sizes) {
  const std::uint64_t masks = sizes.kept_rows * mask_stride(blocks(sizes.clusterings, 64)) +
                              sizes.clusterings * blocks(sizes.inputs, 64);
  const std::uint64_t lists = sizes.inputs * (sizes.centroids_below + 1 + sizes.kept_rows) +
                              sizes.clusterings * sizes.centroids;
  return (masks + sizes.kept_rows) * sizeof(std::uint64_t) +
         (lists + sizes.kept_rows) * sizeof(std::uint32_t) +
         sizes.kept_rows * sizes.inputs * CodeMatrix::element_bytes(sizes.centroids_below);
}

std::uint64_t UpperIndex::thread_bytes(const UpperSizes& sizes) {
  return kFeaturesPerTask * sizes.kept_rows * CodeMatrix::element_bytes(sizes.centroids_below) +
         sizes.centroids_below * sizeof(std::uint32_t);
}

}  // namespace mbn
