// SPDX-License-Identifier: Apache-2.0
//
// The number of clusters is the one with the best stability, by seed and by sample (choose.cpp
// tells why both). The measure is the adjusted Rand index: on noise, mutual information keeps
// rising with the number of clusters, because two networks cut a plane into similar small pieces.
// The adjusted Rand index rises less: on noise it never was above 0.61 by seed and 0.53 by sample.
// When no number is above the limits below, the data show no clusters.
#include "choose/count.hpp"

#include <algorithm>

#include <mbn/evaluate.hpp>

#include "choose/sample.hpp"
#include "network/schedule.hpp"

namespace mbn {

namespace {

// Fewer clusters than this are cut from the layer where a network for this many stops: a narrower
// one is too coarse, even for two clusters.
constexpr std::uint32_t kFewestClusters = 5;

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

}  // namespace

std::vector<Labelling> cut_into(const Pilot& pilot, const FitOptions& given, std::uint32_t most,
                                const RunOptions& run) {
  Job job(run);
  std::vector<Labelling> labels(most - 1);
  FitOptions options = given;
  std::size_t layers = 0;
  Matrix embedding;
  // From many clusters to few, each stops at the same layer as the one before or higher up.
  for (std::uint32_t clusters = most; clusters >= 2; --clusters) {
    options.clusters = std::max(clusters, kFewestClusters);
    const std::size_t wanted = schedule(pilot.learned_rows(), options).size();
    if (wanted != layers) {
      layers = wanted;
      embedding = embed(pilot, top_codes(pilot, options, job), clusters, job);
    }
    labels[clusters - 2] =
        label(pilot, first_components(embedding, clusters), clusters, kRestarts, run);
  }
  return labels;
}

std::vector<ClusterCount> try_counts(RowsView rows, const FitOptions& options,
                                     const RunOptions& run, Job& job) {
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
  const RunOptions quiet = for_one_pilot(run);
  std::vector<std::vector<Labelling>> labels(pilots.size());
  job.parallel(pilots.size(), [&](std::size_t pilot, unsigned) {
    labels[pilot] = cut_into(pilots[pilot], sample.options(), most, quiet);
  });
  std::vector<ClusterCount> counts;
  for (std::uint32_t clusters = 2; clusters <= most; ++clusters) {
    std::vector<Labelling> cut;
    for (const std::vector<Labelling>& of_pilot : labels) cut.push_back(of_pilot[clusters - 2]);
    const std::span all(cut);
    counts.push_back({clusters, mean_over_pairs(all.first(kPilots), adjusted_rand_index),
                      mean_over_pairs(all.last(kPilots), adjusted_rand_index)});
  }
  return counts;
}

std::uint32_t best_count(std::span<const ClusterCount> counts) {
  const bool clusters = std::ranges::any_of(counts, [](const ClusterCount& count) {
    return count.by_seed >= kNoiseBySeed || count.by_sample >= kNoiseBySample;
  });
  if (!clusters) return 1;
  return std::ranges::max_element(counts, {}, &ClusterCount::stability)->clusters;
}

}  // namespace mbn
