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
//              clusters as soon as they are dense. Blind where clusters touch.
#include "choose/count.hpp"

#include <algorithm>
#include <numeric>

#include <mbn/evaluate.hpp>

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
constexpr std::size_t kMostCuts = 8;
constexpr double kTreeDecay = 0.7;

// Few, because there are many numbers to try.
constexpr std::uint32_t kRestarts = 4;
constexpr std::size_t kRows = 3000;
constexpr std::uint32_t kPilots = 4;
constexpr double kNoiseBySeed = 0.65;
constexpr double kNoiseBySample = 0.6;

// The first columns of an embedding.
Matrix first_components(const Matrix& embedding, std::uint32_t count) {
  Matrix first(embedding.rows(), count);
  for (std::size_t i = 0; i < embedding.rows(); ++i) {
    std::copy_n(embedding.row<float>(i), count, first.mutable_row<float>(i));
  }
  return first;
}

// The clearest cuts of the tree of a pilot's network.
std::vector<TreeCut> cuts_by(const Pilot& pilot, FitOptions options, Job& job) {
  options.decay = kTreeDecay;
  options.clusters = kFewestClusters;
  std::vector<TreeCut> cuts = cuts_of(agreement_tree(codes_of_layers(pilot, options, job), job));
  cuts.resize(std::min(cuts.size(), kMostCuts));
  return cuts;
}

std::vector<std::uint32_t> numbers_to_try(std::span<const TreeCut> cuts, std::uint32_t most) {
  std::vector<std::uint32_t> numbers(std::min(most, kAllUpTo) - 1);
  std::iota(numbers.begin(), numbers.end(), 2U);
  for (const TreeCut& cut : cuts) {
    if (cut.clusters > kAllUpTo && cut.clusters <= most) numbers.push_back(cut.clusters);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
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
  std::size_t layers = 0;
  Matrix embedding;
  // From many clusters to few, each stops at the same layer as the one before or higher up.
  for (std::size_t i = numbers.size(); i-- > 0;) {
    const std::uint32_t clusters = numbers[i];
    options.clusters = std::max(clusters, kFewestClusters);
    const std::size_t wanted = schedule(pilot.learned_rows(), options).size();
    if (wanted != layers) {
      layers = wanted;
      embedding = embed(pilot, top_codes(pilot, options, job), clusters, job);
    }
    labels[i] = label(pilot, first_components(embedding, clusters), clusters, kRestarts, run);
  }
  return labels;
}

Counting count_clusters(RowsView rows, const FitOptions& options, const RunOptions& run, Job& job) {
  const Sample sample(rows, options, kRows, job);
  const std::uint64_t half = (sample.rows().rows() + 1) / 2;
  const auto most =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(options.most_clusters, half / 4));
  // A network of unknown clusters needs at least kAssumedClusters rows, also one of half of the
  // rows.
  if (most < 2 || half < kAssumedClusters) return {};
  std::vector<Pilot> pilots = make_pilots(sample.rows(), sample.options(), kPilots, job);
  for (std::uint32_t i = 0; i < kPilots; ++i) {
    pilots.push_back(make_half_pilot(sample.rows(), sample.options(), i, job));
  }
  Counting counting;
  counting.cuts = cuts_by(pilots.front(), sample.options(), job);
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
  const bool clusters = std::ranges::any_of(counts, [](const ClusterCount& count) {
    return count.by_seed >= kNoiseBySeed || count.by_sample >= kNoiseBySample;
  });
  if (!clusters) return {};
  return {std::ranges::max_element(counts, {}, &ClusterCount::stability)->clusters, {}};
}

}  // namespace mbn
