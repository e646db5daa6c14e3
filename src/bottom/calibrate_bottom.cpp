// SPDX-License-Identifier: Apache-2.0
//
// Chooses the engine of the bottom layer and its settings. The walk assumes that the distance on
// the drawn features follows the distance on all features, and only the data can tell how well that
// holds. So a sample is measured: 640 kept rows are the queries, 8 clusterings are searched
// exactly, and the walk is tried on the same pairs with settings from cheap to costly, until its
// excess,
//
//     excess = mean of (distance of the drawn row that was found) / (distance of the nearest) - 1,
//
// is small enough. A clustering that takes a row 1 % farther than the nearest is as good a random
// clustering as any: scores do not change. What harms is a search that looks in the wrong place,
// because a few columns carry all the distance; its excess is ten times larger. A pair counts at
// most 1, so that a distance of zero that is missed does not decide alone. When no settings are
// good enough, the engine is exact search.
//
// A pair counts only when the clustering did not draw the row itself: a row is its own nearest row,
// which is easy to find, and new rows are never drawn rows. The result depends on the arguments
// only (data, draws, metric, seed), not on threads, so `fit` stores it and `transform` uses it.
//
// The list length is counted in units of kept rows / centroids, which is the mean rank of the first
// drawn neighbour. A list of 16 such units has no drawn neighbour for a clustering with probability
// exp(-16), one in ten million; those few are searched exactly.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.hpp"
#include "bottom/calibrate_bottom.hpp"
#include "bottom/walk_bottom.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"
#include "rows/unit_norm.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kSampledRows = 640;
constexpr std::uint32_t kSampledClusterings = 8;
constexpr double kFewestPairs = 200;

struct Step {
  double ranks;  // list length in units of kept rows / centroids
  double tau;
  double margin;
};
// From cheap to costly. On images, vectors and cells the first has an excess of about 0.01 already.
// On tables of few columns the two rules of the walk stop too early, because the distance on half
// of the columns varies much: there it must look at the whole list (tau and margin 0).
constexpr std::array<Step, 4> kLadder{{{16, 0.4, 3.0}, {32, 0.3, 4.0}, {50, 0.2, 5.0}, {50, 0, 0}}};

// With so few drawn features, exact search by k-d trees is quicker than walking whole lists.
constexpr std::uint32_t kFewFeatures = 10;

BottomSettings settings_of(const Step& step, std::size_t kept_rows, std::uint32_t centroids) {
  const double rank = static_cast<double>(kept_rows) / static_cast<double>(centroids);
  const double length = std::min(std::ceil(step.ranks * rank), static_cast<double>(kept_rows));
  return {.kind = BottomKind::walk,
          .list_length = static_cast<std::uint32_t>(length),
          .tau = step.tau,
          .margin = step.margin,
          .recall = 0};
}

// Nanoseconds on one core of a Zen 3, from the measured speed of the kernels. Of one term of a
// distance, when many are computed together:
double term_nanoseconds(Metric metric) {
  if (has_dot_form(metric)) return 0.024;
  return metric == Metric::chi_squared ? 0.2 : 0.05;
}
// Of one row:
double exact_nanoseconds(const BottomSizes& n, Metric metric) {
  return static_cast<double>(n.clusterings * n.centroids) *
         (static_cast<double>(n.features) * term_nanoseconds(metric) + 0.9);
}
double walk_nanoseconds(const BottomSizes& n, Metric metric) {
  const auto columns = static_cast<double>(n.kept.columns);
  if (tree_pays(n.kept, metric)) {
    // Nearly all of this is the search in the k-d tree, which visits more leaves with every column.
    return 2000 * columns + static_cast<double>(n.clusterings) * (0.45 * columns + 130);
  }
  const bool projected = directions_pay(n.kept, n.rows, metric);
  const double cells = projected ? double{RankingDirections::kUsual} : columns;
  // When the kept rows themselves are encoded, each pair of rows is multiplied once, not twice.
  const double pairs = static_cast<double>(n.kept.rows) * (n.rows >= n.kept.rows ? 0.5 : 1.0);
  const double term = has_dot_form(metric) ? 0.02 : term_nanoseconds(metric);
  const double lists = pairs * (2.2 + term * cells);
  return lists + static_cast<double>(n.clusterings) * (0.45 * columns + 130);
}

BottomSizes sizes_of(MatrixView kept, const Draws& draws, std::uint64_t rows) {
  return {kept.shape(), rows, draws.clusterings, draws.centroids, draws.features};
}

// Below this, exact search is quick enough, and nothing is sampled.
constexpr double kSmallSeconds = 0.5;
// Above this, the user is told that exact search is slow.
constexpr double kLongSeconds = 60;

bool walk_pays(const BottomSizes& n, Metric metric) {
  return exact_nanoseconds(n, metric) * static_cast<double>(n.rows) > 1e9 * kSmallSeconds &&
         walk_nanoseconds(n, metric) < exact_nanoseconds(n, metric);
}

struct Sample {
  std::vector<std::uint32_t> numbers;  // kept rows
  Matrix rows;
  Draws draws;  // of the sampled clusterings
  CodeMatrix exact;
  std::vector<std::uint8_t> own;  // 1 for each (row, clustering) pair that is left out, else 0
};

// 1 for each sampled (row, clustering) pair in which the clustering drew the row, else 0.
std::vector<std::uint8_t> own_draws(const Sample& sample, std::size_t kept_rows) {
  std::vector<std::uint32_t> place(kept_rows, ~0U);
  for (std::uint32_t i = 0; i < sample.numbers.size(); ++i) place[sample.numbers[i]] = i;
  std::vector<std::uint8_t> own(sample.numbers.size() * sample.draws.clusterings);
  for (std::size_t v = 0; v < sample.draws.clusterings; ++v) {
    for (const std::uint32_t row : sample.draws.rows_of(v)) {
      if (place[row] != ~0U) own[place[row] * sample.draws.clusterings + v] = 1;
    }
  }
  return own;
}

Sample take_sample(MatrixView kept, const Draws& draws, Metric metric, std::uint64_t seed,
                   Job& job) {
  Random random(seed, Purpose::sample, 1);
  Sample sample;
  const auto kept_rows = static_cast<std::uint32_t>(kept.rows());
  sample.numbers = draw_without_replacement(random, kept_rows, std::min(kSampledRows, kept_rows));
  sample.rows = gather_rows(kept, sample.numbers);
  const auto clusterings = draw_without_replacement(
      random, draws.clusterings, std::min(kSampledClusterings, draws.clusterings));
  sample.draws = {
      static_cast<std::uint32_t>(clusterings.size()), draws.centroids, draws.features, {}, {}};
  for (const std::uint32_t v : clusterings) {
    const auto rows = draws.rows_of(v);
    const auto columns = draws.columns_of(v);
    sample.draws.rows.insert(sample.draws.rows.end(), rows.begin(), rows.end());
    sample.draws.columns.insert(sample.draws.columns.end(), columns.begin(), columns.end());
  }
  sample.exact = CodeMatrix(sample.numbers.size(), clusterings.size(), draws.centroids);
  make_exact_bottom(kept, sample.draws, metric)->encode(sample.rows, sample.exact, job);
  sample.own = own_draws(sample, kept.rows());
  return sample;
}

// The distance between a sampled row and the row of a code, on the features of one clustering:
// Euclidean, the chord between the two directions for cosine, or that of rows/metric.hpp.
class PairDistance {
 public:
  PairDistance(MatrixView kept, Metric metric, const Sample& sample)
      : kept_(kept),
        metric_(metric),
        sample_(sample),
        x_(sample.draws.features),
        w_(sample.draws.features) {}

  double operator()(std::size_t row, std::size_t clustering, std::uint32_t code) {
    const auto columns = sample_.draws.columns_of(clustering);
    gather_features(sample_.rows, row, columns, x_.data());
    gather_features(kept_, sample_.draws.rows_of(clustering)[code], columns, w_.data());
    const double deciding = distance(metric_, x_.data(), w_.data(), x_.size());
    if (metric_ == Metric::euclidean) return std::sqrt(deciding);
    if (metric_ != Metric::cosine) return deciding;
    const double length = norm(x_.data(), x_.size());
    return length > 0 ? std::sqrt(std::max(0.0, 2 + 2 * deciding / length)) : 0;
  }

 private:
  MatrixView kept_;
  Metric metric_;
  const Sample& sample_;
  std::vector<float> x_;
  std::vector<float> w_;
};

double excess_of(double found, double nearest) {
  if (found <= nearest) return 0;
  return nearest > 0 ? std::min(found / nearest - 1, 1.0) : 1.0;
}

// The quality of the walk on the sampled pairs; nothing when there are too few pairs to measure it.
std::optional<WalkQuality> quality_of(MatrixView kept, Metric metric,
                                      const BottomSettings& settings, const Sample& sample,
                                      const NeighbourLists& lists, Job& job) {
  CodeMatrix codes(sample.exact.rows(), sample.exact.clusterings(), sample.exact.centroids());
  walk_lists(kept, sample.draws, metric, settings, sample.rows, lists, codes, job);
  PairDistance distance(kept, metric, sample);
  double pairs = 0;
  double equal = 0;
  double excess = 0;
  for (std::size_t i = 0; i < codes.rows(); ++i) {
    for (std::size_t v = 0; v < codes.clusterings(); ++v) {
      if (sample.own[i * codes.clusterings() + v] != 0) continue;
      pairs += 1;
      if (codes.at(i, v) == sample.exact.at(i, v)) {
        equal += 1;
      } else {
        excess += excess_of(distance(i, v, codes.at(i, v)), distance(i, v, sample.exact.at(i, v)));
      }
    }
  }
  if (pairs < kFewestPairs) return std::nullopt;
  return WalkQuality{equal / pairs, excess / pairs};
}

bool meets(const WalkQuality& quality, const WalkDemand& demand) {
  return quality.excess <= demand.excess && quality.recall >= demand.recall.value_or(0);
}

// Tries the settings of kLadder in order and returns the first that meets the demand.
// `lists_of(length)` are the neighbour lists of the sampled rows. Returns exact search when none is
// good enough; its fields `recall` and `excess` are then those of the walk with the least excess.
template <class ListsOf>
BottomSettings climb(MatrixView kept, const Draws& draws, Metric metric, const WalkDemand& demand,
                     const Sample& sample, Job& job, const ListsOf& lists_of) {
  BottomSettings best{.recall = 0, .excess = 1};
  const bool few_features = metric == Metric::euclidean && draws.features <= kFewFeatures;
  for (const Step& step : kLadder) {
    if (few_features && step.tau == 0) break;
    BottomSettings settings = settings_of(step, kept.rows(), draws.centroids);
    const auto quality =
        quality_of(kept, metric, settings, sample, lists_of(settings.list_length), job);
    if (!quality) break;
    settings.recall = quality->recall;
    settings.excess = quality->excess;
    if (meets(*quality, demand)) return settings;
    if (quality->excess < best.excess) {
      best.recall = quality->recall;
      best.excess = quality->excess;
    }
  }
  return best;
}

void warn_of_exact_search(const BottomSettings& best, double seconds, const WalkDemand& demand,
                          Notes& notes) {
  const bool by_excess = best.excess > demand.excess;
  notes.add(
      {NoteCode::slow_bottom,
       {fmt::format(
            "distances on the drawn columns do not follow those on all: the walk finds rows "
            "{:.0f} % farther than the nearest and {:.0f} % of the nearest ones, so the "
            "bottom layer is searched exactly, which may take {:.0f} minutes on one core; ",
            100 * best.excess, 100 * best.recall, std::ceil(seconds / 60)),
        by_excess ? option("excess", fmt::format("{:.2f}", std::ceil(100 * best.excess) / 100))
                  : option("recall", fmt::format("{:.2f}", std::floor(100 * best.recall) / 100)),
        " would allow the walk"}});
}

}  // namespace

std::optional<WalkQuality> measure_walk(MatrixView kept, const Draws& draws, Metric metric,
                                        const BottomSettings& settings, std::uint64_t seed,
                                        Job& job) {
  const Sample sample = take_sample(kept, draws, metric, seed, job);
  const NeighbourLists lists = make_neighbour_finder(kept, metric, settings.directions, job)
                                   ->find(sample.rows, settings.list_length, job);
  return quality_of(kept, metric, settings, sample, lists, job);
}

BottomSettings calibrate_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                const WalkDemand& demand, std::uint64_t seed, std::uint64_t rows,
                                Job& job, Notes* notes) {
  if (demand.recall >= 1.0 || !walk_pays(sizes_of(kept, draws, rows), metric)) return {};
  const Sample sample = take_sample(kept, draws, metric, seed, job);
  if (directions_pay(kept.shape(), rows, metric)) {
    RankingDirections directions =
        find_ranking_directions(kept, Quantiser(kept, metric), RankingDirections::kUsual, job);
    const auto finder = make_neighbour_finder(kept, metric, directions, job);
    BottomSettings settings =
        climb(kept, draws, metric, demand, sample, job,
              [&](std::uint32_t length) { return finder->find(sample.rows, length, job); });
    if (settings.kind == BottomKind::walk) {
      settings.directions = std::move(directions);
      return settings;
    }
  }
  // Without directions, a short list is the beginning of a longer one, so the longest serves all
  // steps.
  const std::uint32_t longest =
      settings_of(kLadder.back(), kept.rows(), draws.centroids).list_length;
  const NeighbourLists lists =
      make_neighbour_finder(kept, metric, {}, job)->find(sample.rows, longest, job);
  const BottomSettings settings =
      climb(kept, draws, metric, demand, sample, job,
            [&](std::uint32_t) -> const NeighbourLists& { return lists; });
  if (settings.kind == BottomKind::walk) return settings;
  const double seconds = bottom_seconds(sizes_of(kept, draws, rows), metric, false);
  if (notes != nullptr && seconds > kLongSeconds && settings.recall > 0) {
    warn_of_exact_search(settings, seconds, demand, *notes);
  }
  return {};
}

double bottom_seconds(const BottomSizes& sizes, Metric metric, bool may_walk) {
  const auto rows = static_cast<double>(sizes.rows);
  if (!may_walk || !walk_pays(sizes, metric)) return 1e-9 * rows * exact_nanoseconds(sizes, metric);
  BottomSizes sample = sizes;
  sample.clusterings = kSampledClusterings;
  return 1e-9 * (rows * walk_nanoseconds(sizes, metric) +
                 kSampledRows * exact_nanoseconds(sample, metric));
}

}  // namespace mbn
