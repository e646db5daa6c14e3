// SPDX-License-Identifier: Apache-2.0
//
// A few hundred rows are pivots. They are put into a chain in which each is followed by the one of
// the rest that agrees with it the most. Every other row stands with the pivot that it agrees with
// the most, counted in some of the clusterings through an inverted index of the pivots.
#include "upper/block_order.hpp"

#include <algorithm>
#include <numeric>

#include "upper/similar_order.hpp"

namespace mbn {

namespace {

constexpr std::size_t kPivots = 512;
// With fewer rows, or fewer codes, the first codes alone say as much.
constexpr std::size_t kFewestRows = 16 * kPivots;
constexpr std::size_t kFewestCodes = 100;
constexpr std::size_t kMostFeatures = 64;
constexpr std::size_t kFewestFeatures = 12;
// So many agreements with the pivots are wanted for a row.
constexpr std::size_t kAgreements = 64;
constexpr std::size_t kRowsPerTask = 2048;

// Narrow codes agree often: fewer of them tell as much.
std::size_t counted_features(std::size_t features, std::size_t centroids) {
  return std::min(features,
                  std::clamp(kAgreements * centroids / kPivots, kFewestFeatures, kMostFeatures));
}

template <class Code>
std::vector<const Code*> chain_of_pivots(const Code* cells, std::size_t rows,
                                         std::size_t features) {
  std::vector<const Code*> chain(kPivots);
  for (std::size_t p = 0; p < kPivots; ++p) chain[p] = cells + p * rows / kPivots * features;
  for (std::size_t p = 1; p + 1 < kPivots; ++p) {
    std::size_t best = p;
    std::size_t most = 0;
    for (std::size_t i = p; i < kPivots; ++i) {
      std::size_t equal = 0;
      for (std::size_t f = 0; f < features; ++f) equal += chain[p - 1][f] == chain[i][f] ? 1 : 0;
      if (equal <= most) continue;
      most = equal;
      best = i;
    }
    std::swap(chain[p], chain[best]);
  }
  return chain;
}

// For each of a few features and each code, the places in the chain of the pivots that have it.
struct PivotIndex {
  std::size_t features = 0;
  std::size_t stride = 0;
  std::vector<std::uint16_t> starts;   // [feature][code], one more for each feature
  std::vector<std::uint16_t> members;  // [feature][kPivots]
};

template <class Code>
PivotIndex index_pivots(const std::vector<const Code*>& chain, std::size_t features,
                        std::size_t centroids) {
  PivotIndex index{features, centroids + 1, {}, {}};
  index.starts.resize(features * index.stride);
  index.members.resize(features * kPivots);
  for (std::size_t f = 0; f < features; ++f) {
    std::uint16_t* starts = index.starts.data() + f * index.stride;
    std::uint16_t* members = index.members.data() + f * kPivots;
    for (const Code* pivot : chain) ++starts[pivot[f]];
    std::partial_sum(starts, starts + index.stride, starts);
    for (std::size_t p = kPivots; p-- > 0;) {
      std::uint16_t& start = starts[chain[p][f]];
      start -= 1;
      members[start] = static_cast<std::uint16_t>(p);
    }
  }
  return index;
}

// The place in the chain of the pivot that agrees with a row the most; kPivots when none agrees.
// `counts` are zeros before and after.
template <class Code>
std::uint16_t nearest_pivot(const PivotIndex& index, const Code* row,
                            std::vector<std::uint8_t>& counts) {
  std::uint16_t best = kPivots;
  std::uint8_t most = 0;
  const auto visit = [&](const auto& body) {
    for (std::size_t f = 0; f < index.features; ++f) {
      const std::uint16_t* start = index.starts.data() + f * index.stride + row[f];
      const std::uint16_t* members = index.members.data() + f * kPivots;
      for (std::size_t m = start[0]; m < start[1]; ++m) body(members[m]);
    }
  };
  visit([&](std::uint16_t pivot) {
    if (++counts[pivot] <= most) return;
    most = counts[pivot];
    best = pivot;
  });
  visit([&](std::uint16_t pivot) { counts[pivot] = 0; });
  return best;
}

}  // namespace

std::vector<std::uint32_t> block_order(const CodeMatrix& rows, Job& job) {
  if (rows.rows() < kFewestRows || rows.centroids() < kFewestCodes) return similar_order(rows);
  const std::size_t features = rows.clusterings();
  std::vector<std::uint16_t> pivot_of(rows.rows());
  rows.visit([&](const auto* cells) {
    const auto chain = chain_of_pivots(cells, rows.rows(), features);
    const PivotIndex index =
        index_pivots(chain, counted_features(features, rows.centroids()), rows.centroids());
    job.parallel(blocks(rows.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
      std::vector<std::uint8_t> counts(kPivots);
      const std::size_t last = std::min(rows.rows(), (task + 1) * kRowsPerTask);
      for (std::size_t i = task * kRowsPerTask; i < last; ++i) {
        pivot_of[i] = nearest_pivot(index, cells + i * features, counts);
      }
    });
  });
  std::vector<std::uint32_t> next(kPivots + 2);
  for (const std::uint16_t pivot : pivot_of) ++next[pivot + 1U];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> order(rows.rows());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[next[pivot_of[i]]++] = i;
  return order;
}

std::uint64_t block_order_bytes(std::uint64_t rows, std::uint64_t centroids) {
  return rows * (sizeof(std::uint32_t) + sizeof(std::uint16_t)) +
         kMostFeatures * (centroids + 1 + kPivots) * sizeof(std::uint16_t);
}

}  // namespace mbn
