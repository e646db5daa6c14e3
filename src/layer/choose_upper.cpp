// SPDX-License-Identifier: Apache-2.0
//
// Which engine encodes an upper layer. All give the same codes, so this decides time only, and a
// wrong guess is never a wrong answer.
//
//   exact   an index for every clustering, then per row and clustering a visit of every drawn
//           feature: wins only for very few features.
//   walk    an index of pool rows x features, then per row one increment for each agreement with
//           the pool, and about ten visits of a pool row per pool rows / centroids.
//   sliced  tables per group of clusterings, then per row and group one slice for each feature.
//           Slices of a large table come from a slower cache.
//
// The number of agreements is not known from the sizes: codes are used very unevenly. It is the
// chance that two pool rows have the same code in a feature, times pool rows x features, and that
// chance is measured on a sample. The constants are nanoseconds, measured on one core of a Zen 3
// on codes of MNIST (5,000 and 70,000 rows, 400 clusterings, 17 to 17,500 centroids).
#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "layer/upper_engines.hpp"

namespace mbn {

namespace {

constexpr double kExactEntry = 2;        // one cell of a clustering's index
constexpr double kExactFeature = 5;      // one drawn feature of a row
constexpr double kExactAgreement = 1;    // one increment
constexpr double kExactCentroid = 0.2;   // one counter cleared and compared
constexpr double kWalkEntry = 4;         // one cell of the pool
constexpr double kWalkDraw = 5;          // one drawn row of a clustering
constexpr double kWalkClustering = 70;   // comparisons of one clustering, one list looked up
constexpr double kWalkAgreement = 2.5;   // one increment
constexpr double kWalkPlace = 0.2;       // one pool row cleared and swept
constexpr double kWalkVisit = 25;        // one pool row visited
constexpr double kWalkVisits = 10;       // visits per pool rows / centroids
constexpr double kSlicedByte = 0.05;     // one byte of a table cleared
constexpr double kSlicedEntry = 3;       // one bit set
constexpr double kSliceAdded = 3.5;      // one slice from a near cache
constexpr double kSliceFar = 3;          // more for one from a far cache
constexpr double kFarBytes = 4'000'000;  // a table of which all slices are far
constexpr double kSlicedWinner = 15;     // one winner read and written
constexpr double kSlicedPart = 32768;    // rows for which a table is built anew
constexpr double kSliceBytes = 64;

struct Amounts {
  double rows, pool_rows, inputs, below, clusterings, centroids, features;
};

double exact_nanoseconds(const Amounts& n, double agreements) {
  const double build = n.clusterings * n.features * (n.below + n.centroids) * kExactEntry;
  const double drawn_share = n.features / n.inputs * n.centroids / n.pool_rows;
  const double row = n.features * kExactFeature + agreements * drawn_share * kExactAgreement +
                     n.centroids * kExactCentroid;
  return build + n.rows * n.clusterings * row;
}

double walk_nanoseconds(const Amounts& n, double agreements) {
  const double build =
      n.inputs * (n.pool_rows + n.below) * kWalkEntry + n.clusterings * n.centroids * kWalkDraw;
  const double visits = std::min(n.pool_rows, kWalkVisits * n.pool_rows / n.centroids);
  const double row = n.clusterings * kWalkClustering + agreements * kWalkAgreement +
                     n.pool_rows * kWalkPlace + visits * kWalkVisit;
  return build + n.rows * row;
}

double sliced_nanoseconds(const Amounts& n, const SlicedShape& shape) {
  const auto groups = static_cast<double>(shape.groups * shape.chunks);
  const auto features = static_cast<double>(shape.features);
  const double table_bytes = features * n.below * kSliceBytes;
  const double build =
      groups * table_bytes * kSlicedByte + n.clusterings * n.centroids * n.features * kSlicedEntry;
  const double slice = kSliceAdded + kSliceFar * std::min(1.0, table_bytes / kFarBytes);
  const double row =
      groups * features * slice + n.clusterings * static_cast<double>(shape.chunks) * kSlicedWinner;
  return build * std::max(1.0, n.rows / kSlicedPart) + n.rows * row;
}

}  // namespace

double upper_seconds(UpperEngine engine, const UpperSizes& sizes, double agreements) {
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  const Amounts amounts{.rows = number(sizes.rows),
                        .pool_rows = number(sizes.pool_rows),
                        .inputs = number(sizes.inputs),
                        .below = number(sizes.centroids_below),
                        .clusterings = number(sizes.clusterings),
                        .centroids = number(sizes.centroids),
                        .features = number(sizes.features)};
  switch (engine) {
    case UpperEngine::walk:
      return 1e-9 * walk_nanoseconds(amounts, agreements);
    case UpperEngine::sliced:
      return 1e-9 * sliced_nanoseconds(amounts, sliced_shape(sizes));
    default:
      return 1e-9 * exact_nanoseconds(amounts, agreements);
  }
}

UpperEngine choose_upper_engine(const UpperSizes& sizes, double agreements) {
  constexpr std::array kEngines = {UpperEngine::walk, UpperEngine::sliced, UpperEngine::exact};
  return *std::min_element(kEngines.begin(), kEngines.end(), [&](UpperEngine a, UpperEngine b) {
    return upper_seconds(a, sizes, agreements) < upper_seconds(b, sizes, agreements);
  });
}

double estimate_agreements(const CodeMatrix& pool) {
  constexpr std::size_t kRows = 4096;
  constexpr std::size_t kFeatures = 16;
  const std::size_t rows = std::min(kRows, pool.rows());
  const std::size_t features = std::min(kFeatures, pool.clusterings());
  double pairs = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> seen;
  pool.visit([&](const auto* cells) {
    for (std::size_t f = 0; f < features; ++f) {
      const std::size_t feature = f * pool.clusterings() / features;
      seen.clear();
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t row = i * pool.rows() / rows;
        pairs += seen[cells[row * pool.clusterings() + feature]]++;
      }
    }
  });
  const auto count = static_cast<double>(rows);
  const double possible = std::max(1.0, count * (count - 1) / 2) * static_cast<double>(features);
  return pairs / possible * static_cast<double>(pool.rows() * pool.clusterings());
}

std::unique_ptr<UpperSearch> make_upper_search(const CodeMatrix& pool, const Draws& draws,
                                               std::size_t query_rows) {
  const UpperSizes sizes{.rows = query_rows,
                         .pool_rows = pool.rows(),
                         .inputs = pool.clusterings(),
                         .centroids_below = pool.centroids(),
                         .clusterings = draws.clusterings,
                         .centroids = draws.centroids,
                         .features = draws.features};
  switch (choose_upper_engine(sizes, estimate_agreements(pool))) {
    case UpperEngine::walk:
      return make_walk_upper_search(pool, draws);
    case UpperEngine::sliced:
      return make_sliced_upper_search(pool, draws);
    default:
      return make_exact_upper_search(pool, draws);
  }
}

std::uint64_t upper_search_bytes(const UpperSizes& sizes, std::uint64_t threads) {
  const std::uint64_t exact =
      exact_upper_bytes(sizes.centroids, sizes.features, sizes.centroids_below);
  const std::uint64_t walk = walk_upper_shared_bytes(sizes) + threads * walk_upper_bytes(sizes);
  // Even the fewest agreements possible leave some layers to the slices, and some layers are never
  // theirs: there are no more agreements than cells in the pool.
  const bool always_sliced = choose_upper_engine(sizes, 0) == UpperEngine::sliced;
  const auto all = static_cast<double>(sizes.pool_rows * sizes.inputs);
  const bool never_sliced = choose_upper_engine(sizes, all) != UpperEngine::sliced;
  const std::uint64_t sliced =
      never_sliced ? 0 : threads * sliced_upper_bytes(sizes) + sizes.rows * sizeof(std::uint32_t);
  if (always_sliced) return sliced;
  const bool exact_possible = choose_upper_engine(sizes, 0) == UpperEngine::exact ||
                              choose_upper_engine(sizes, all) == UpperEngine::exact;
  return std::max({walk, sliced, exact_possible ? threads * exact : 0});
}

}  // namespace mbn
