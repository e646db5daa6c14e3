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

// Where the list of a code grows: its end so far, and the block that its last entry names. Side by
// side, because codes come in no order and each is a read from anywhere.
struct ListEnd {
  std::uint32_t end = 0;
  std::uint32_t block = ~0U;
};

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
  std::vector<ListEnd> ends(index_.codes_below);
  std::vector<std::size_t> begins(count + 1);
  for (std::size_t f = 0; f < count; ++f) {
    begins[f + 1] = begins[f] + count_entries(columns.data() + f * places, first + f, ends.data());
  }
  entries_[task].resize(begins[count]);
  for (std::size_t f = 0; f < count; ++f) {
    std::uint32_t* entries = entries_[task].data() + begins[f];
    entries_of_[first + f] = entries;
    write_entries(columns.data() + f * places, first + f, ends.data(), entries);
  }
}

// Fills `starts_` of a feature and returns its number of entries.
template <class Code>
std::size_t UpperIndex::count_entries(const Code* column, std::size_t feature, ListEnd* ends) {
  std::fill_n(ends, index_.codes_below, ListEnd{});
  for (std::uint32_t place = 0; place < index_.places; ++place) {
    ListEnd& list = ends[column[place]];
    list.end += list.block != place / kBlock ? 1 : 0;
    list.block = place / kBlock;
  }
  std::uint32_t* starts = starts_.data() + feature * (index_.codes_below + 1);
  for (std::size_t c = 0; c < index_.codes_below; ++c) starts[c + 1] = starts[c] + ends[c].end;
  return starts[index_.codes_below];
}

// `entries` are zeros before. Whether a place opens an entry is unpredictable, so there is no
// branch: the number of the block is written again with every place.
template <class Code>
void UpperIndex::write_entries(const Code* column, std::size_t feature, ListEnd* ends,
                               std::uint32_t* entries) const {
  const std::uint32_t* starts = starts_.data() + feature * (index_.codes_below + 1);
  for (std::size_t c = 0; c < index_.codes_below; ++c) ends[c] = {starts[c], ~0U};
  for (std::uint32_t place = 0; place < index_.places; ++place) {
    ListEnd& list = ends[column[place]];
    list.end += list.block != place / kBlock ? 1 : 0;
    list.block = place / kBlock;
    entries[list.end - 1] |= list.block << WalkIndex::kBlockPlaces | 1U << place % kBlock;
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
         sizes.centroids_below * sizeof(ListEnd);
}

}  // namespace mbn
