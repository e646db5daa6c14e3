// SPDX-License-Identifier: Apache-2.0
//
// Two witnesses speak about the number of clusters:
//
//   stability  small networks that were trained apart are cut into every number of clusters, and
//              find the same ones or not, by seed and by sample (choose.cpp tells why both). The
//              measure is the adjusted Rand index: on noise, mutual information keeps rising with
//              the number, because two networks cut a plane into similar small pieces. Good for a
//              few clear clusters; many small ones are cut otherwise by every network.
//   the tree   of rows with equal codes (cluster/agreement_tree.hpp), whose leaves are many small
//              clusters as soon as they are dense. Blind where clusters touch. What it says of a
//              number is the persistence of its cut: 0.1 to 0.24 on noise of any size and shape
//              that was tried, 0.55 to 0.8 on data with clusters.
//
// The number with the highest stability wins, where a cut that is clear (persistence above a half)
// adds to it. The constants were fixed on the development sets: docs/choosing.md. When no number
// is stable and no cut is clear, the data show no clusters.
#include "choose/count.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <mbn/evaluate.hpp>

#include "base/random.hpp"
#include "choose/sample.hpp"
#include "cluster/agreement_tree.hpp"
#include "network/schedule.hpp"

namespace mbn {

namespace {

// Fewer clusters than this are cut from the layer where a network for this many stops: a narrower
// one is too coarse, even for two clusters.
constexpr std::uint32_t kFewestClusters = 5;

// Up to this number, all are tried; above, what the tree proposes.
constexpr std::uint32_t kAllUpTo = 30;
constexpr std::size_t kMostProposed = 5;

// Few, because there are many numbers to try.
constexpr std::uint32_t kRestarts = 4;
constexpr double kNoiseBySeed = 0.65;
constexpr double kNoiseBySample = 0.6;
constexpr double kNoiseOfAllColumns = 0.05;

// Cuts of less persistence say nothing; above, so much counts beside stability. Any weight from 1
// to 2 decides nearly the same.
constexpr double kClear = 0.5;
constexpr double kTreeWeight = 1.5;
// With more features, the clusterings of a network are so alike that its tree looks clear on noise
// too: persistence 0.35 to 0.6 with all of them. Then stability speaks alone.
constexpr double kLargestFraction = 0.5;

// Runners-up: how many at most, and how stable, unless their cut is clear.
constexpr std::size_t kMostRunnersUp = 3;
constexpr double kSupported = 0.6;

// The first columns of an embedding.
Matrix first_components(const Matrix& embedding, std::uint32_t count) {
  Matrix first(embedding.rows(), count);
  for (std::size_t i = 0; i < embedding.rows(); ++i) {
    std::copy_n(embedding.row<float>(i), count, first.mutable_row<float>(i));
  }
  return first;
}

// The cuts of the tree of a pilot's network. Always of the usual decay: on noise, deep networks
// make trees of more persistence (0.43 at 0.7).
std::vector<TreeCut> cuts_by(const Pilot& pilot, FitOptions options, Job& job) {
  options.decay = kUsualDecay;
  options.clusters = kFewestClusters;
  Random random(options.seed, Purpose::sample, 4);
  const std::vector<std::uint32_t> rows =
      draw_or_all(random, static_cast<std::uint32_t>(pilot.bottom.rows()), kCountedTreeRows);
  std::vector<CodeMatrix> layers = codes_of_layers(pilot, options, job);
  for (CodeMatrix& codes : layers) codes = codes.gather(rows);
  return cuts_of(agreement_tree(layers, job));
}

std::vector<std::uint32_t> numbers_to_try(std::span<const TreeCut> cuts, std::uint32_t most) {
  std::vector<std::uint32_t> numbers(std::min(most, kAllUpTo) - 1);
  std::iota(numbers.begin(), numbers.end(), 2U);
  const std::size_t all = numbers.size();
  for (const TreeCut& cut : cuts) {
    if (numbers.size() == all + kMostProposed || cut.persistence < kClear) break;
    if (cut.clusters > kAllUpTo && cut.clusters <= most) numbers.push_back(cut.clusters);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Of the cuts into about so many clusters, the clearest one's: k-means and a tree rarely have the
// same number to the last one.
double persistence_near(std::span<const TreeCut> cuts, std::uint32_t clusters) {
  const std::uint32_t reach = (clusters + 4) / 10;
  double most = 0;
  for (const TreeCut& cut : cuts) {
    const bool is_near =
        cut.clusters + reach >= clusters && cut.clusters <= std::uint64_t{clusters} + reach;
    if (is_near) most = std::max(most, cut.persistence);
  }
  return most;
}

// Numbers that are more stable than both neighbours, the most stable first.
std::vector<std::uint32_t> stable_peaks(std::span<const ClusterCount> counts) {
  std::vector<ClusterCount> peaks;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double own = counts[i].stability();
    if (i > 0 && counts[i - 1].stability() > own) continue;
    if (i + 1 < counts.size() && counts[i + 1].stability() > own) continue;
    peaks.push_back(counts[i]);
  }
  std::ranges::stable_sort(peaks, std::greater<>(), &ClusterCount::stability);
  std::vector<std::uint32_t> numbers;
  for (const ClusterCount& peak : peaks) numbers.push_back(peak.clusters);
  return numbers;
}

// Two peaks of stability, the two clearest cuts, and then what is left of the peaks.
std::vector<std::uint32_t> worth_telling(const Counting& counting) {
  constexpr std::size_t kOfEach = 2;
  const std::vector<std::uint32_t> peaks = stable_peaks(counting.counts);
  const std::size_t first = std::min(peaks.size(), kOfEach);
  std::vector<std::uint32_t> numbers(peaks.begin(),
                                     peaks.begin() + static_cast<std::ptrdiff_t>(first));
  const std::uint32_t last = counting.counts.back().clusters;
  for (const TreeCut& cut : counting.cuts) {
    if (numbers.size() == first + kOfEach) break;
    if (cut.clusters <= last) numbers.push_back(cut.clusters);
  }
  numbers.insert(numbers.end(), peaks.begin() + static_cast<std::ptrdiff_t>(first), peaks.end());
  return numbers;
}

// Whether two numbers are different answers: by more than one, and by more than 15 %.
bool are_apart(std::uint32_t a, std::uint32_t b) {
  const auto [less, more] = std::minmax(a, b);
  return more - less > 1 && 100 * std::uint64_t{more - less} > 15 * std::uint64_t{more};
}

std::vector<RunnerUp> runners_up(const Counting& counting, std::uint32_t chosen) {
  std::vector<RunnerUp> others;
  for (const std::uint32_t number : worth_telling(counting)) {
    if (others.size() == kMostRunnersUp) break;
    const auto found = std::ranges::find(counting.counts, number, &ClusterCount::clusters);
    const auto cut = std::ranges::find(counting.cuts, number, &TreeCut::clusters);
    const bool clear = cut != counting.cuts.end() && cut->persistence >= kClear;
    if (found == counting.counts.end() || (found->stability() < kSupported && !clear)) continue;
    const bool known = std::ranges::any_of(
        others, [&](const RunnerUp& other) { return !are_apart(other.clusters, number); });
    if (known || !are_apart(chosen, number)) continue;
    const auto place = static_cast<std::size_t>(found - counting.counts.begin());
    others.push_back({number, found->stability(), counting.sizes[place]});
  }
  return others;
}

std::vector<std::uint64_t> sizes_of(const Labelling& labels, std::uint32_t clusters) {
  std::vector<std::uint64_t> sizes(clusters);
  for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

}  // namespace

std::vector<Labelling> cut_into(const Pilot& pilot, const FitOptions& given,
                                std::span<const std::uint32_t> numbers, const RunOptions& run) {
  Job job(run);
  std::vector<Labelling> labels(numbers.size());
  FitOptions options = given;
  options.clusters = std::max(numbers.front(), kFewestClusters);
  // A network for more clusters is the lower part of one for few.
  const std::vector<CodeMatrix> codes = codes_of_layers(pilot, options, job);
  std::size_t layers = 0;
  Matrix embedding;
  // From many clusters to few, each stops at the same layer as the one before or higher up.
  for (std::size_t i = numbers.size(); i-- > 0;) {
    const std::uint32_t clusters = numbers[i];
    options.clusters = std::max(clusters, kFewestClusters);
    const std::size_t wanted = schedule(pilot.learned_rows(), options).size();
    if (wanted != layers) {
      layers = wanted;
      embedding = embed(pilot, codes[layers - 1], clusters, job);
    }
    labels[i] = label(pilot, first_components(embedding, clusters), clusters, kRestarts, run);
  }
  return labels;
}

Counting count_clusters(RowsView rows, const FitOptions& options, const RunOptions& run, Job& job) {
  const Sample sample(rows, options, kPilotRows, job);
  const std::uint64_t half = (sample.rows().rows() + 1) / 2;
  const auto most =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(options.most_clusters, half / 4));
  // A network of unknown clusters needs at least kAssumedClusters rows, also one of half of the
  // rows.
  if (most < 2 || half < kAssumedClusters) return {};
  std::vector<Pilot> pilots = make_pilots(sample.rows(), sample.options(), 0, kPilots, job);
  for (std::uint32_t i = 0; i < kPilots; ++i) {
    pilots.push_back(make_half_pilot(sample.rows(), sample.options(), i, job));
  }
  Counting counting;
  if (*options.feature_fraction <= kLargestFraction) {
    counting.cuts = cuts_by(pilots.front(), sample.options(), job);
  }
  const std::vector<std::uint32_t> numbers = numbers_to_try(counting.cuts, most);
  const RunOptions quiet = for_one_pilot(run);
  std::vector<std::vector<Labelling>> labels(pilots.size());
  job.parallel(pilots.size(), [&](std::size_t pilot, unsigned) {
    labels[pilot] = cut_into(pilots[pilot], sample.options(), numbers, quiet);
  });
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::vector<Labelling> cut;
    for (const std::vector<Labelling>& of_pilot : labels) cut.push_back(of_pilot[i]);
    const std::span all(cut);
    counting.counts.push_back({numbers[i], mean_over_pairs(all.first(kPilots), adjusted_rand_index),
                               mean_over_pairs(all.last(kPilots), adjusted_rand_index)});
    counting.sizes.push_back(sizes_of(cut.front(), numbers[i]));
  }
  return counting;
}

CountDecision decide_count(const Counting& counting) {
  const std::vector<ClusterCount>& counts = counting.counts;
  // Clusterings that see all columns cut noise into similar pieces.
  const double more = counting.cuts.empty() ? kNoiseOfAllColumns : 0;
  const bool stable = std::ranges::any_of(counts, [&](const ClusterCount& count) {
    return count.by_seed >= kNoiseBySeed + more || count.by_sample >= kNoiseBySample + more;
  });
  const bool clear = !counting.cuts.empty() && counting.cuts.front().persistence >= kClear;
  if (counts.empty() || (!stable && !clear)) return {};
  const auto score = [&](const ClusterCount& count) {
    const double persistence = persistence_near(counting.cuts, count.clusters);
    return count.stability() + kTreeWeight * std::max(0.0, persistence - kClear);
  };
  CountDecision decision;
  decision.clusters = std::ranges::max_element(counts, {}, score)->clusters;
  decision.runners_up = runners_up(counting, decision.clusters);
  return decision;
}

}  // namespace mbn
