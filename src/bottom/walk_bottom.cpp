// SPDX-License-Identifier: Apache-2.0
//
// The walk over neighbour lists, with rows in the outer loop. For one row, the list of its nearest
// kept rows on all features is walked once, nearest first, for all clusterings together. At
// neighbour j only the clusterings that drew j and are still open compute its distance; the terms
// of that distance are computed once for all of them (bottom/pair_sums.hpp).
//
// The distance on a random share a of the features is, on average, a times the distance on all
// features ("full distance"). Two rules use that:
//  - a clustering closes when tau * a * (full distance of the next neighbour) exceeds its smallest
//    distance so far;
//  - a clustering skips neighbour j when a * (full distance) - margin * (standard deviation of the
//    distance over random draws of features) exceeds its smallest distance so far. That deviation
//    is known for each pair from its squared differences: it is small where many features
//    contribute to the distance and large where few do. At equal recall this rule saves more than
//    half of the distances.
//
// That holds for all metrics that are sums over features. For cosine the angle on the drawn
// features follows the angle on all features, and so do the fractions of Jaccard: only the first
// rule is used. Where a few features dominate the distances, neither rule is good enough;
// calibrate_bottom.cpp finds that out.
//
// A clustering that drew no row of the list is searched exactly, and so is a row without a list.
// Among the rows whose distance is computed, the decision is that of exact search: the smallest
// distance in double, ties to the lower code.
#include "bottom/walk_bottom.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "bottom/drawn_index.hpp"
#include "bottom/pair_sums.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kNone = ~0U;
constexpr std::size_t kTaskRows = 32;
// Rows whose lists are in memory at a time, unless the rows are the kept rows themselves.
constexpr std::size_t kBatchRows = 8192;

struct Unfound {
  std::uint32_t clustering;
  std::uint32_t row;
  auto operator<=>(const Unfound&) const = default;
};

struct Walker {
  Walker(Metric metric, const Draws& draws, const DrawnIndex& index, std::size_t features)
      : sums(metric, features, draws.features, draws.clusterings, index.feature_masks()),
        open(index.words()),
        looking(index.words()),
        closing(64 * index.words()),
        best(draws.clusterings),
        limits(draws.clusterings),
        winner(draws.clusterings),
        x(draws.features),
        w(draws.features) {
    chosen.reserve(draws.clusterings);
  }

  PairSums sums;
  std::vector<std::uint64_t> open;  // bit mask over clusterings
  std::vector<std::uint64_t> looking;
  std::vector<float> closing;         // PairSums::closing_value of each clustering's best
  std::vector<DistanceRange> best;    // interval of the smallest distance
  std::vector<double> limits;         // upper ends of those intervals
  std::vector<std::uint32_t> winner;  // kept row
  std::vector<std::uint32_t> chosen;
  std::vector<float> x;
  std::vector<float> w;
  std::vector<Unfound> unfound;
};

class Walk {
 public:
  Walk(MatrixView kept, const Draws& draws, Metric metric)
      : kept_(kept), draws_(draws), metric_(metric), index_(draws, kept.rows(), kept.columns()) {}

  // Codes of `rows`, which are rows first, first + 1, ... of `codes`.
  void encode(MatrixView rows, const NeighbourLists& lists, const BottomSettings& settings,
              std::size_t first, CodeMatrix& codes, Job& job) const {
    std::vector<std::unique_ptr<Walker>> walkers(job.threads());
    job.parallel(blocks(rows.rows(), kTaskRows), [&](std::size_t task, unsigned number) {
      auto& walker = walkers[number];
      if (!walker) walker = std::make_unique<Walker>(metric_, draws_, index_, kept_.columns());
      const std::size_t last = std::min(rows.rows(), (task + 1) * kTaskRows);
      for (std::size_t row = task * kTaskRows; row < last; ++row) {
        walk(rows, row, lists, settings, *walker);
        write(row, first, *walker, codes);
      }
    });
    std::vector<Unfound> unfound;
    for (const auto& walker : walkers) {
      if (walker) unfound.insert(unfound.end(), walker->unfound.begin(), walker->unfound.end());
    }
    search_exactly(rows, unfound, first, codes, job);
  }

 private:
  void walk(MatrixView rows, std::size_t row, const NeighbourLists& lists,
            const BottomSettings& settings, Walker& walker) const {
    std::fill(walker.winner.begin(), walker.winner.end(), kNone);
    if (!lists.found(row)) return;
    std::fill(walker.closing.begin(), walker.closing.end(), std::numeric_limits<float>::infinity());
    std::fill(walker.limits.begin(), walker.limits.end(), std::numeric_limits<double>::infinity());
    walker.sums.set_row(rows, row);
    for (std::size_t v = 0; v < draws_.clusterings; ++v) {
      const std::uint64_t bit = std::uint64_t{1} << (v % 64);
      walker.open[v / 64] |= bit;
      if (!walker.sums.zero_row(v)) continue;
      // A row that is zero on the drawn features is equally far from all drawn rows, and the lowest
      // code wins.
      walker.open[v / 64] &= ~bit;
      walker.winner[v] = draws_.rows_of(v)[0];
    }
    const auto numbers = lists.numbers(row);
    const auto distances = lists.distances(row);
    const std::size_t length = std::min<std::size_t>(settings.list_length, numbers.size());
    for (std::size_t t = 0; t < length; ++t) {
      if (t + 2 < length) prefetch_row(numbers[t + 2]);
      const float limit = closing_limit(settings.tau, distances[t], walker.sums.row_norm());
      if (!close_below(walker.closing.data(), limit, walker.open.data(), index_.words())) break;
      visit(rows, row, numbers[t], distances[t], settings.margin, walker);
    }
  }

  // The order of the neighbours in memory is random, so the processor cannot prefetch them by
  // itself.
  void prefetch_row(std::size_t j) const {
    constexpr std::size_t kLine = 64;
    kept_.visit([&](const auto* first) {
      const char* begin = reinterpret_cast<const char*>(first + j * kept_.row_stride());
      const char* end =
          reinterpret_cast<const char*>(first + j * kept_.row_stride() + kept_.columns());
      for (const char* line = begin; line < end; line += kLine) __builtin_prefetch(line);
    });
    __builtin_prefetch(index_.drawn_by(j));
  }

  double share() const {
    return static_cast<double>(draws_.features) / static_cast<double>(kept_.columns());
  }

  float closing_limit(double tau, float full_distance, double row_norm) const {
    const auto full = static_cast<double>(full_distance);
    if (is_sum(metric_)) return static_cast<float>(tau * share() * full);
    if (metric_ == Metric::jaccard) return static_cast<float>(tau * full);
    return row_norm > 0 ? static_cast<float>(tau * (1 + full / row_norm)) : 0;
  }

  // Computes the distance to kept row j in the open clusterings that drew it, unless the margin
  // rule excludes it.
  void visit(MatrixView rows, std::size_t row, std::uint32_t j, float full_distance, double margin,
             Walker& walker) const {
    const std::uint64_t* drawn_by = index_.drawn_by(j);
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < index_.words(); ++word) {
      walker.looking[word] = drawn_by[word] & walker.open[word];
      any |= walker.looking[word];
    }
    if (any == 0) return;
    walker.sums.set_kept_row(kept_, j);
    if (margin > 0 && is_sum(metric_)) {
      const auto full = static_cast<double>(full_distance);
      const auto limit = static_cast<float>(share() * full - margin * walker.sums.scatter(full));
      if (!close_below(walker.closing.data(), limit, walker.looking.data(), index_.words())) return;
    }
    walker.chosen.clear();
    for (std::size_t word = 0; word < index_.words(); ++word) {
      for (std::uint64_t bits = walker.looking[word]; bits != 0; bits &= bits - 1) {
        walker.chosen.push_back(static_cast<std::uint32_t>(64 * word) +
                                static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
    const auto ranges = walker.sums.distances(walker.chosen, walker.limits);
    for (std::size_t n = 0; n < walker.chosen.size(); ++n) {
      const std::uint32_t v = walker.chosen[n];
      if (ranges[n].low > walker.limits[v]) continue;
      consider(rows, row, v, j, ranges[n], walker);
    }
  }

  void consider(MatrixView rows, std::size_t row, std::uint32_t v, std::uint32_t j,
                DistanceRange range, Walker& walker) const {
    DistanceRange& best = walker.best[v];
    bool wins = walker.winner[v] == kNone || range.high < best.low;
    if (!wins) {
      // The intervals overlap: distances that are not known exactly are computed in double.
      if (best.low != best.high) best = decide(rows, row, v, walker.winner[v], walker);
      if (range.low != range.high) range = decide(rows, row, v, j, walker);
      wins = range.low < best.low ||
             (range.low == best.low && index_.code(j, v) < index_.code(walker.winner[v], v));
    }
    if (wins) {
      best = range;
      walker.winner[v] = j;
    }
    walker.limits[v] = best.high;
    walker.closing[v] = walker.sums.closing_value(v, best);
  }

  DistanceRange decide(MatrixView rows, std::size_t row, std::uint32_t v, std::uint32_t j,
                       Walker& walker) const {
    gather_features(rows, row, draws_.columns_of(v), walker.x.data());
    gather_features(kept_, j, draws_.columns_of(v), walker.w.data());
    const double d = distance(metric_, walker.x.data(), walker.w.data(), walker.x.size());
    return {d, d};
  }

  void write(std::size_t row, std::size_t first, Walker& walker, CodeMatrix& codes) const {
    codes.visit([&](auto* cells) {
      using Code = std::remove_pointer_t<decltype(cells)>;
      auto* out = cells + (first + row) * draws_.clusterings;
      for (std::uint32_t v = 0; v < draws_.clusterings; ++v) {
        if (walker.winner[v] == kNone) {
          walker.unfound.push_back({v, static_cast<std::uint32_t>(row)});
        } else {
          out[v] = static_cast<Code>(index_.code(walker.winner[v], v));
        }
      }
    });
  }

  void search_exactly(MatrixView rows, std::vector<Unfound>& unfound, std::size_t first,
                      CodeMatrix& codes, Job& job) const {
    std::sort(unfound.begin(), unfound.end());
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < unfound.size(); ++i) {
      if (i == 0 || unfound[i].clustering != unfound[i - 1].clustering) starts.push_back(i);
    }
    starts.push_back(unfound.size());
    job.parallel(starts.size() - 1, [&](std::size_t task, unsigned) {
      const std::span part(unfound.data() + starts[task], starts[task + 1] - starts[task]);
      const std::uint32_t v = part[0].clustering;
      const Draws only = draws_.only(v);
      std::vector<std::uint32_t> numbers(part.size());
      for (std::size_t i = 0; i < part.size(); ++i) numbers[i] = part[i].row;
      CodeMatrix found(part.size(), 1, draws_.centroids);
      make_exact_bottom(kept_, only, metric_)->encode(gather_rows(rows, numbers), found, job);
      codes.visit([&](auto* cells) {
        using Code = std::remove_pointer_t<decltype(cells)>;
        for (std::size_t i = 0; i < part.size(); ++i) {
          cells[(first + numbers[i]) * draws_.clusterings + v] = static_cast<Code>(found.at(i, 0));
        }
      });
    });
  }

  MatrixView kept_;
  const Draws& draws_;
  Metric metric_;
  DrawnIndex index_;
};

class WalkBottom final : public BottomEngine {
 public:
  WalkBottom(MatrixView kept, const Draws& draws, Metric metric, const BottomSettings& settings,
             std::size_t batch_rows, Job& job)
      : kept_(kept),
        settings_(settings),
        batch_rows_(batch_rows),
        finder_(make_neighbour_finder(kept, metric, settings_.directions, job)),
        walk_(kept, draws, metric) {}

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const MatrixView rows = given.dense();
    // The kept rows themselves are encoded in one batch: then each pair of rows is multiplied once,
    // not twice.
    const std::size_t batch = batch_rows_ != 0         ? batch_rows_
                              : same_rows(rows, kept_) ? rows.rows()
                                                       : kBatchRows;
    for (std::size_t first = 0; first < rows.rows(); first += batch) {
      const MatrixView part = rows.slice(first, std::min(batch, rows.rows() - first));
      const NeighbourLists lists = finder_->find(part, settings_.list_length, job);
      walk_.encode(part, lists, settings_, first, codes, job);
    }
  }

 private:
  MatrixView kept_;
  BottomSettings settings_;
  std::size_t batch_rows_;
  std::unique_ptr<NeighbourFinder> finder_;
  Walk walk_;
};

}  // namespace

std::unique_ptr<BottomEngine> make_walk_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                               const BottomSettings& settings,
                                               std::size_t batch_rows, Job& job) {
  return std::make_unique<WalkBottom>(kept, draws, metric, settings, batch_rows, job);
}

void walk_lists(MatrixView kept, const Draws& draws, Metric metric, const BottomSettings& settings,
                MatrixView rows, const NeighbourLists& lists, CodeMatrix& codes, Job& job) {
  Walk(kept, draws, metric).encode(rows, lists, settings, 0, codes, job);
}

std::uint64_t walk_bottom_kept_bytes(Shape kept, const Draws& draws,
                                     const BottomSettings& settings) {
  return draws.clusterings * (kept.rows / 8 + draws.centroids * sizeof(std::uint32_t) +
                              std::uint64_t{kept.columns}) +
         kept.rows * sizeof(std::int16_t) * settings.directions.count;
}

std::uint64_t walk_bottom_bytes(Shape kept, std::uint64_t rows, std::uint64_t clusterings,
                                std::uint64_t centroids, Metric metric, unsigned threads) {
  // In units of kept rows / centroids, as in calibrate_bottom.cpp.
  constexpr std::uint64_t kUsualRanks = 24;
  const std::uint64_t list =
      std::min<std::uint64_t>(kept.rows, kUsualRanks * (kept.rows / centroids + 1));
  const std::uint64_t batch =
      rows == kept.rows ? rows : std::min<std::uint64_t>(rows, kBatchRows);  // as in WalkBottom
  return neighbour_finder_bytes(kept, batch, list, metric, threads) +
         clusterings * (kept.rows / 8 + centroids * sizeof(std::uint32_t));
}

}  // namespace mbn
