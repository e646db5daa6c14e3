// SPDX-License-Identifier: Apache-2.0
//
// Chooses the engine of an upper layer by estimated time. All engines give the same codes, so a
// wrong estimate costs time and changes no code.
//
//     exact    builds an inverted index for every clustering; then visits every drawn feature of
//              every row in every clustering. Faster only for very few features.
//     walk     builds one inverted index of kept rows x features; then for each row counts its
//              agreement with 16 kept rows at a time, and visits about 10 x kept rows / centroids
//              of them.
//     blocked  uses the same index; then for each block of 512 rows counts its agreement with a
//              kept row, once for each clustering that drew the kept row.
//
// The number of agreements (pairs of equal codes) does not follow from the sizes, because some
// codes are much more frequent than others. It is measured on a few features of a few blocks. The
// constants are nanoseconds, measured on one core of a Zen 4 on codes of MNIST (70,000 rows, 200
// clusterings, 17 to 17,500 centroids). Machines differ in caches and instructions: where the walk
// and the blocks are estimated to take about as long, both encode a few rows, and the quicker one
// does the rest.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "base/stopwatch.hpp"
#include "kernels/row_slices.hpp"
#include "upper/block_order.hpp"
#include "upper/similar_order.hpp"
#include "upper/upper_engines.hpp"
#include "upper/upper_index.hpp"

namespace mbn {

namespace {

constexpr double kExactEntry = 2;        // one entry of a clustering's index
constexpr double kExactFeature = 5;      // one drawn feature of a row
constexpr double kExactAgreement = 1;    // one increment
constexpr double kExactCentroid = 0.2;   // one counter cleared and compared
constexpr double kIndexEntry = 6;        // one code of a kept row
constexpr double kIndexDraw = 5;         // one drawn row of a clustering
constexpr double kWalkClustering = 50;   // comparisons of one clustering, one list read
constexpr double kWalkAgreement = 0.8;   // one agreement counted
constexpr double kWalkPlace = 0.2;       // one counter of a kept row cleared and compared
constexpr double kWalkVisit = 25;        // one kept row visited
constexpr double kWalkVisits = 10;       // visits per kept rows / centroids
constexpr double kBlockCode = 5;         // one code of a row put into a slice
constexpr double kBlockKeptCode = 0.1;   // one code of a kept row marked and transposed
constexpr double kBlockAgreement = 9.5;  // one slice selected, added and compared
constexpr double kBlockDraw = 0.5;       // one drawn row of a clustering looked at

constexpr double kBlockRows = RowSlice::kRows;
// With so few rows the walk is taken without an estimate.
constexpr std::size_t kFewRows = 32;
// Estimates that differ by this factor are right about which engine is quicker.
constexpr double kSure = 2.5;
// A trial encodes 1,024 rows in blocks and 256 by the walk: fewer rows are not worth it.
constexpr std::size_t kTrialRows = 64 * RowSlice::kRows;
constexpr std::size_t kTrialWalks = 128;

struct Amounts {
  double rows, kept_rows, inputs, below, clusterings, centroids, features;
};

double exact_nanoseconds(const Amounts& n, const Likeness& likeness) {
  const double build = n.clusterings * n.features * (n.below + n.centroids) * kExactEntry;
  const double drawn_share = n.features / n.inputs * n.centroids / n.kept_rows;
  const double row = n.features * kExactFeature + likeness.row * drawn_share * kExactAgreement +
                     n.centroids * kExactCentroid;
  return build + n.rows * n.clusterings * row;
}

double index_nanoseconds(const Amounts& n) {
  return n.inputs * (n.kept_rows + n.below) * kIndexEntry +
         n.clusterings * n.centroids * kIndexDraw;
}

double walk_nanoseconds(const Amounts& n, const Likeness& likeness) {
  const double visits = std::min(n.kept_rows, kWalkVisits * n.kept_rows / n.centroids);
  const double row = n.clusterings * kWalkClustering + likeness.row * kWalkAgreement +
                     n.kept_rows * kWalkPlace + visits * kWalkVisit;
  return index_nanoseconds(n) + n.rows * row;
}

double blocked_nanoseconds(const Amounts& n, const Likeness& likeness) {
  const double blocks = std::max(1.0, n.rows / kBlockRows);
  const double draws = n.clusterings * n.centroids;
  const double agreements = likeness.block * draws / n.kept_rows * n.features / n.inputs;
  const double block = kBlockRows * n.inputs * kBlockCode +
                       n.kept_rows * n.inputs * kBlockKeptCode + agreements * kBlockAgreement +
                       draws * kBlockDraw;
  return index_nanoseconds(n) + blocks * block;
}

UpperSizes sizes_of(const CodeMatrix& kept, const Draws& draws, std::size_t rows) {
  return {.rows = rows,
          .kept_rows = kept.rows(),
          .inputs = kept.clusterings(),
          .centroids_below = kept.centroids(),
          .clusterings = draws.clusterings,
          .centroids = draws.centroids,
          .features = draws.features};
}

// Holds the two engines that share an index. Either works for any number of rows. The cheaper one
// is chosen for each call.
class IndexedUpper final : public UpperEngine {
 public:
  IndexedUpper(const CodeMatrix& kept, const Draws& draws, std::size_t expected_rows,
               const Likeness& expected, Job& job)
      : kept_(kept),
        draws_(draws),
        expected_rows_(expected_rows),
        expected_(expected),
        index_(std::make_shared<UpperIndex>(kept, draws, job)),
        walk_(make_walk_upper(index_)),
        blocked_(make_blocked_upper(index_)) {}

  void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const override {
    (walk_is_quicker(rows, job) ? walk_ : blocked_)->encode(rows, codes, job);
  }

 private:
  bool walk_is_quicker(const CodeMatrix& rows, Job& job) const {
    if (rows.rows() <= kFewRows) return true;
    const UpperSizes sizes = sizes_of(kept_, draws_, rows.rows());
    const Likeness likeness =
        rows.rows() == expected_rows_ ? expected_ : estimate_likeness(kept_, rows.rows());
    const double walk = upper_seconds(UpperKind::walk, sizes, likeness);
    const double blocked = upper_seconds(UpperKind::blocked, sizes, likeness);
    const bool sure = walk * kSure < blocked || blocked * kSure < walk;
    if (sure || rows.rows() < kTrialRows) return walk <= blocked;
    job.check();
    return seconds_of(*walk_, rows, similar_order(rows), kTrialWalks) <=
           seconds_of(*blocked_, rows, block_order(rows, job), RowSlice::kRows);
  }

  // Seconds for a row: encodes `count` rows that follow each other in the order, at two places of
  // it. On one thread, the calling one.
  double seconds_of(const UpperEngine& engine, const CodeMatrix& rows,
                    std::span<const std::uint32_t> order, std::size_t count) const {
    Job alone({.threads = 1});
    double seconds = 0;
    for (const std::size_t third : {1U, 2U}) {
      const CodeMatrix few = rows.gather(order.subspan((order.size() - count) * third / 3, count));
      CodeMatrix codes(count, draws_.clusterings, draws_.centroids);
      const ThreadStopwatch watch;
      engine.encode(few, codes, alone);
      seconds += watch.seconds();
    }
    return seconds / static_cast<double>(count);
  }

  const CodeMatrix& kept_;
  const Draws& draws_;
  std::size_t expected_rows_;
  Likeness expected_;
  std::shared_ptr<const UpperIndex> index_;
  std::unique_ptr<UpperEngine> walk_;
  std::unique_ptr<UpperEngine> blocked_;
};

}  // namespace

double upper_seconds(UpperKind engine, const UpperSizes& sizes, const Likeness& likeness) {
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  const Amounts amounts{.rows = number(sizes.rows),
                        .kept_rows = number(sizes.kept_rows),
                        .inputs = number(sizes.inputs),
                        .below = number(sizes.centroids_below),
                        .clusterings = number(sizes.clusterings),
                        .centroids = number(sizes.centroids),
                        .features = number(sizes.features)};
  switch (engine) {
    case UpperKind::walk:
      return 1e-9 * walk_nanoseconds(amounts, likeness);
    case UpperKind::blocked:
      return 1e-9 * blocked_nanoseconds(amounts, likeness);
    default:
      return 1e-9 * exact_nanoseconds(amounts, likeness);
  }
}

UpperKind cheapest_upper(const UpperSizes& sizes, const Likeness& likeness) {
  if (!UpperIndex::serves(sizes)) return UpperKind::exact;
  constexpr std::array kEngines = {UpperKind::walk, UpperKind::blocked, UpperKind::exact};
  return *std::min_element(kEngines.begin(), kEngines.end(), [&](UpperKind a, UpperKind b) {
    return upper_seconds(a, sizes, likeness) < upper_seconds(b, sizes, likeness);
  });
}

Likeness estimate_likeness(const CodeMatrix& kept, std::size_t rows) {
  constexpr std::size_t kFeatures = 16;
  constexpr std::size_t kBlocks = 4;
  if (kept.rows() == 0 || rows == 0) return {};
  const std::vector<std::uint32_t> order = similar_order(kept);
  const std::size_t features = std::min(kFeatures, kept.clusterings());
  // A block is 512 of `rows` rows in similar order: the same share of the kept rows stands for it.
  const std::size_t block_rows = std::min({RowSlice::kRows, rows, kept.rows()});
  const std::size_t spread =
      std::clamp(RowSlice::kRows * kept.rows() / rows, block_rows, kept.rows());
  Likeness sum;
  std::vector<std::uint32_t> having(kept.centroids());
  std::vector<std::uint8_t> seen(kept.centroids());
  kept.visit([&](const auto* cells) {
    for (std::size_t i = 0; i < features; ++i) {
      const std::size_t f = i * kept.clusterings() / features;
      std::fill(having.begin(), having.end(), 0);
      for (std::size_t j = 0; j < kept.rows(); ++j) ++having[cells[j * kept.clusterings() + f]];
      for (std::size_t b = 0; b < kBlocks; ++b) {
        const std::size_t first = (kept.rows() - spread) * b / (kBlocks - 1);
        std::fill(seen.begin(), seen.end(), std::uint8_t{0});
        for (std::size_t r = 0; r < block_rows; ++r) {
          const std::size_t row = order[first + r * spread / block_rows];
          const std::size_t code = cells[row * kept.clusterings() + f];
          sum.row += having[code];
          if (seen[code] == 0) sum.block += having[code];
          seen[code] = 1;
        }
      }
    }
  });
  const double scale =
      static_cast<double>(kept.clusterings()) / static_cast<double>(features * kBlocks);
  return {sum.row * scale / static_cast<double>(block_rows), sum.block * scale};
}

Likeness usual_likeness(const UpperSizes& sizes) {
  const auto cells = static_cast<double>(sizes.kept_rows * sizes.inputs);
  const auto below = static_cast<double>(sizes.centroids_below);
  // Agreements are somewhat more frequent than with equally frequent codes. A block of 512 images
  // has about this many different codes in a feature.
  constexpr double kUneven = 1.15;
  const double codes = std::min(0.7 * std::pow(below, 0.6), below);
  return {kUneven * cells / below, std::min(cells, kUneven * cells * codes / below)};
}

std::unique_ptr<UpperEngine> make_upper_engine(const CodeMatrix& kept, const Draws& draws,
                                               std::size_t expected_rows, Job& job) {
  const UpperSizes sizes = sizes_of(kept, draws, expected_rows);
  if (!UpperIndex::serves(sizes)) return make_exact_upper(kept, draws);
  const Likeness likeness =
      expected_rows <= kFewRows ? Likeness{} : estimate_likeness(kept, expected_rows);
  if (expected_rows > kFewRows && cheapest_upper(sizes, likeness) == UpperKind::exact) {
    return make_exact_upper(kept, draws);
  }
  return std::make_unique<IndexedUpper>(kept, draws, expected_rows, likeness, job);
}

std::uint64_t upper_engine_bytes(const UpperSizes& sizes, std::uint64_t threads) {
  const std::uint64_t exact =
      threads * exact_upper_bytes(sizes.centroids, sizes.features, sizes.centroids_below);
  if (!UpperIndex::serves(sizes)) return exact;
  const std::uint64_t thread = std::max(
      {UpperIndex::thread_bytes(sizes), walk_upper_bytes(sizes), blocked_upper_bytes(sizes)});
  return UpperIndex::bytes(sizes) + threads * thread +
         block_order_bytes(sizes.rows, sizes.centroids_below);
}

}  // namespace mbn
