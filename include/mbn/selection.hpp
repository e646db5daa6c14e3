// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <mbn/options.hpp>
#include <mbn/tree.hpp>

namespace mbn {

/// A setting that was tried, and its stability: how well small networks find the same clusters, as
/// mutual information beyond chance divided by its maximum.
struct Candidate {
  double decay = 0;
  Scale scale = Scale::none;
  double by_seed = 0;  ///< stability of networks that differ only in what they draw
  /// Stability of networks trained on different halves of the rows; empty for decays above 0.5.
  std::optional<double> by_sample;

  bool operator==(const Candidate&) const = default;
};

/// A number of clusters that was tried, and its stability: the mean adjusted Rand index between
/// small networks that were cut into this many clusters.
struct ClusterCount {
  std::uint32_t clusters = 0;
  double by_seed = 0;
  double by_sample = 0;

  double stability() const { return (by_seed + by_sample) / 2; }
  bool operator==(const ClusterCount&) const = default;
};

/// A number of clusters that is well supported, but was not chosen.
struct RunnerUp {
  std::uint32_t clusters = 0;
  double stability = 0;                ///< as ClusterCount::stability
  std::vector<std::uint64_t> sizes{};  ///< rows of its clusters in the sample, largest first

  bool operator==(const RunnerUp&) const = default;
};

/// Options that were left open and chosen by `choose`, with the stabilities behind the choice.
struct Selection {
  std::vector<Candidate> candidates;   ///< empty when decay and scale were given
  std::vector<ClusterCount> counts;    ///< empty when the number of clusters was given
  std::vector<RunnerUp> runners_up{};  ///< other numbers of clusters, best first
  std::vector<TreeCut> cuts{};         ///< the clearest of the sample's tree; as `counts`
  std::uint64_t rows = 0;              ///< in the sample that the small networks saw
  double decay = 0;
  Scale scale = Scale::none;
  std::uint32_t clusters = 0;  ///< 1: the data show no clusters; 0: not looked for

  bool empty() const { return candidates.empty() && counts.empty(); }
  bool operator==(const Selection&) const = default;
};

/// Whether `options` leave something to `choose`: no decay, scale auto, or clusters to find.
/// Without a number of clusters there is no decay to choose: a rule takes 0.5.
bool is_open(const FitOptions& options);

/// The options, with the open ones replaced by what was chosen.
FitOptions apply(const Selection& selection, FitOptions options);

/// A sentence or two for a person: what was chosen, among which candidates, and its stability.
Message describe(const Selection& selection);

/// What a person should know before relying on the clusters, and can do: they are not stable, or
/// their number is not. Nothing when there is no reason to doubt.
std::optional<Message> doubt(const Selection& selection);

}  // namespace mbn
