// SPDX-License-Identifier: Apache-2.0
//
// Bit-sliced search for narrow layers. A slice has one bit for each of 512 drawn rows, those of
// several clusterings side by side. For every feature and code below there is a slice that tells
// which of these drawn rows have that code in that feature; bits of a clustering that did not draw
// the feature are zero. Adding the slices that a row's codes select counts its agreement with all
// 512 drawn rows at once, and each clustering's winner is read from the counts
// (kernels/bit_slices.cpp).
//
// The cost per row is features x clusterings x centroids / 512 slices whatever the codes are, so
// this wins where lists of equal codes are long: few centroids, here and below. Work goes group by
// group of clusterings, each over many rows in an order in which similar rows, which select the
// same slices, follow each other: most slices are then found in the first cache.
//
// A clustering with more than 512 drawn rows takes them in chunks. A table over kTableBytes is
// built for some features at a time, and the counts of a block of rows wait in between.
#include <algorithm>
#include <bit>
#include <vector>

#include "kernels/bit_slices.hpp"
#include "layer/search.hpp"
#include "layer/similar_order.hpp"
#include "layer/upper_engines.hpp"

namespace mbn {

namespace {

constexpr std::size_t kRowsPerTask = 32768;
constexpr std::uint64_t kTableBytes = 64'000'000;
// Rows whose counts are alive at a time, when the whole table is there and when it is not.
constexpr std::size_t kRowsAtOnce = 8;
constexpr std::size_t kRowsWaiting = 8192;

struct Layout {
  std::size_t stride = 0;  // bits of a clustering
  std::size_t clusterings_per_group = 1;
  std::size_t groups = 0;
  std::size_t chunks = 1;
};

Layout make_layout(std::size_t clusterings, std::size_t centroids) {
  Layout layout;
  if (centroids > Slice::kBits) {
    layout.stride = Slice::kBits;
    layout.chunks = blocks(centroids, Slice::kBits);
  } else {
    layout.stride = centroids <= SliceShares::kFreeStride ? centroids : (centroids + 7) / 8 * 8;
    layout.clusterings_per_group = Slice::kBits / layout.stride;
  }
  layout.groups = blocks(clusterings, layout.clusterings_per_group);
  return layout;
}

std::size_t features_per_table(std::uint64_t codes_below) {
  return static_cast<std::size_t>(
      std::max<std::uint64_t>(kTableBytes / sizeof(Slice) / codes_below, 1));
}

template <class Code>
void prefetch(const Code* codes, std::size_t count) {
  for (std::size_t f = 0; f < count; f += sizeof(Slice) / sizeof(Code)) {
    __builtin_prefetch(codes + f);
  }
}

// What one thread needs for one group.
struct Space {
  std::vector<Slice> slices;
  std::vector<std::uint32_t> features;  // that some clustering of the group drew, ascending
  std::vector<std::uint32_t> position;  // of a feature among them
  std::vector<std::uint32_t> selected;
  std::vector<CountPlanes> counts;
  std::vector<Winner> winners;
  std::vector<std::uint32_t> best;  // counts of earlier chunks, per row of the task
};

struct Group {
  std::size_t first = 0;  // clustering
  std::size_t clusterings = 0;
};

class SlicedUpperSearch final : public UpperSearch {
 public:
  SlicedUpperSearch(const CodeMatrix& pool, const Draws& draws)
      : pool_(pool),
        draws_(draws),
        layout_(make_layout(draws.clusterings, draws.centroids)),
        planes_(std::max<std::size_t>(std::bit_width(draws.features), 4)) {}

  void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const override {
    const std::vector<std::uint32_t> order = similar_order(rows);
    const std::size_t parts = blocks(order.size(), kRowsPerTask);
    std::vector<Space> spaces(job.threads());
    job.parallel(layout_.groups * parts, [&](std::size_t task, unsigned worker) {
      const std::size_t first = task % parts * kRowsPerTask;
      const std::size_t count = std::min(kRowsPerTask, order.size() - first);
      const std::span part = std::span(order).subspan(first, count);
      Group group;
      group.first = task / parts * layout_.clusterings_per_group;
      group.clusterings =
          std::min<std::size_t>(layout_.clusterings_per_group, draws_.clusterings - group.first);
      Space& space = spaces[worker];
      find_features(group, space);
      rows.visit([&](const auto* input) {
        codes.visit([&](auto* output) {
          for (std::size_t chunk = 0; chunk < layout_.chunks; ++chunk) {
            encode_chunk(group, chunk, part, input, output, space, job);
          }
        });
      });
    });
  }

 private:
  void find_features(const Group& group, Space& space) const {
    constexpr std::uint32_t kNobody = ~std::uint32_t{0};
    space.position.assign(pool_.clusterings(), kNobody);
    for (std::size_t i = 0; i < group.clusterings; ++i) {
      for (const std::uint32_t f : draws_.columns_of(group.first + i)) space.position[f] = 0;
    }
    space.features.clear();
    for (std::uint32_t f = 0; f < space.position.size(); ++f) {
      if (space.position[f] == kNobody) continue;
      space.position[f] = static_cast<std::uint32_t>(space.features.size());
      space.features.push_back(f);
    }
    space.selected.resize(space.features.size() + kSlicesAtOnce);
    space.winners.resize(group.clusterings);
  }

  // Slices of the group's features first .. first + count - 1, for one chunk of the drawn rows.
  void build(const Group& group, std::size_t chunk, std::size_t first, std::size_t count,
             Space& space) const {
    const std::size_t codes_below = pool_.centroids();
    space.slices.assign(count * codes_below + 1, Slice{});
    pool_.visit([&](const auto* cells) {
      for (std::size_t i = 0; i < group.clusterings; ++i) {
        const auto drawn = chunk_rows(group.first + i, chunk);
        for (std::size_t c = 0; c < drawn.size(); ++c) {
          const auto* row = cells + drawn[c] * pool_.clusterings();
          const std::size_t bit = i * layout_.stride + c;
          for (const std::uint32_t f : draws_.columns_of(group.first + i)) {
            const std::size_t position = std::size_t{space.position[f]} - first;
            if (position >= count) continue;  // also when it is before `first`
            space.slices[position * codes_below + row[f]].words[bit / 64] |= std::uint64_t{1}
                                                                             << bit % 64;
          }
        }
      }
    });
  }

  std::span<const std::uint32_t> chunk_rows(std::size_t clustering, std::size_t chunk) const {
    const auto drawn = draws_.rows_of(clustering);
    const std::size_t first = chunk * Slice::kBits;
    return drawn.subspan(first, std::min(Slice::kBits, drawn.size() - first));
  }

  template <class Input, class Output>
  void encode_chunk(const Group& group, std::size_t chunk, std::span<const std::uint32_t> part,
                    const Input* input, Output* output, Space& space, Job& job) const {
    const std::size_t features = space.features.size();
    const std::size_t at_once = std::min(features_per_table(pool_.centroids()), features);
    const bool whole = at_once == features;
    const std::size_t block_rows = whole ? kRowsAtOnce : kRowsWaiting;
    if (whole) build(group, chunk, 0, features, space);
    space.counts.resize(std::min(block_rows, part.size()));
    if (chunk == 0) space.best.assign(part.size(), 0);
    for (std::size_t start = 0; start < part.size(); start += block_rows) {
      const std::span block = part.subspan(start, std::min(block_rows, part.size() - start));
      for (std::size_t r = 0; r < block.size(); ++r) {
        std::fill_n(space.counts[r].planes, planes_, Slice{});
      }
      for (std::size_t first = 0; first < features; first += at_once) {
        const std::size_t count = std::min(at_once, features - first);
        if (!whole) {
          job.check();
          build(group, chunk, first, count, space);
        }
        const SliceTable table{.slices = space.slices.data(),
                               .codes_below = pool_.centroids(),
                               .features = space.features.data() + first,
                               .feature_count = count,
                               .planes = planes_,
                               .selected = space.selected.data()};
        for (std::size_t r = 0; r < block.size(); ++r) {
          // The next row is anywhere in memory: fetch it while this one is counted.
          const std::size_t next = part[std::min(start + r + 1, part.size() - 1)];
          prefetch(input + next * pool_.clusterings(), pool_.clusterings());
          add_slices(table, input + block[r] * pool_.clusterings(), space.counts[r]);
        }
      }
      keep_winners(group, chunk, start, block, output, space);
    }
  }

  // A later chunk has higher codes, so it must have a higher count to win.
  template <class Output>
  void keep_winners(const Group& group, std::size_t chunk, std::size_t start,
                    std::span<const std::uint32_t> block, Output* output, Space& space) const {
    const SliceShares shares{.clusterings = group.clusterings,
                             .centroids = chunk_rows(group.first, chunk).size(),
                             .stride = layout_.stride};
    for (std::size_t r = 0; r < block.size(); ++r) {
      read_winners(shares, space.counts[r], planes_, space.winners.data());
      Output* row = output + block[r] * draws_.clusterings + group.first;
      if (layout_.chunks == 1) {
        for (std::size_t i = 0; i < group.clusterings; ++i) {
          row[i] = static_cast<Output>(space.winners[i].code);
        }
      } else if (chunk == 0 || space.winners[0].count > space.best[start + r]) {
        row[0] = static_cast<Output>(chunk * Slice::kBits + space.winners[0].code);
        space.best[start + r] = space.winners[0].count;
      }
    }
  }

  const CodeMatrix& pool_;
  const Draws& draws_;
  const Layout layout_;
  const std::size_t planes_;
};

}  // namespace

std::unique_ptr<UpperSearch> make_sliced_upper_search(const CodeMatrix& pool, const Draws& draws) {
  return std::make_unique<SlicedUpperSearch>(pool, draws);
}

SlicedShape sliced_shape(const UpperSizes& sizes) {
  const Layout layout = make_layout(sizes.clusterings, sizes.centroids);
  return {.groups = layout.groups,
          .chunks = layout.chunks,
          .features =
              std::min<std::uint64_t>(sizes.inputs, sizes.features * layout.clusterings_per_group)};
}

std::uint64_t sliced_upper_bytes(const UpperSizes& sizes) {
  const std::uint64_t features = sliced_shape(sizes).features;
  const std::uint64_t at_once =
      std::min<std::uint64_t>(features, features_per_table(sizes.centroids_below));
  const std::uint64_t waiting =
      at_once == features ? kRowsAtOnce : std::min<std::uint64_t>(kRowsWaiting, sizes.rows);
  return (at_once * sizes.centroids_below + 1) * sizeof(Slice) + waiting * sizeof(CountPlanes) +
         std::min<std::uint64_t>(kRowsPerTask, sizes.rows) * sizeof(std::uint32_t) +
         3 * sizes.inputs * sizeof(std::uint32_t);
}

}  // namespace mbn
