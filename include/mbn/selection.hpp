// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// A setting that was tried by small networks, and how well they agreed on the clusters: the
/// mutual information of their labels beyond chance, as a share of the most there could be.
struct Candidate {
  double decay = 0;
  Scale scale = Scale::none;
  double by_seed = 0;  ///< agreement of networks that differ in their draws only
  /// Of networks that learn from different halves of the rows; not asked of deep networks.
  std::optional<double> by_sample;

  bool operator==(const Candidate&) const = default;
};

/// How well small networks agree when they are cut into so many clusters: the adjusted Rand index.
struct ClusterCount {
  std::uint32_t clusters = 0;
  double by_seed = 0;
  double by_sample = 0;

  double stability() const { return (by_seed + by_sample) / 2; }
  bool operator==(const ClusterCount&) const = default;
};

/// Options that were left open and chosen by `choose`, with the figures behind the choice.
struct Selection {
  std::vector<Candidate> candidates;  ///< empty when decay and scale were given
  std::vector<ClusterCount> counts;   ///< empty when the number of clusters was given
  std::uint64_t rows = 0;             ///< that the small networks saw
  double decay = 0;
  Scale scale = Scale::none;
  std::uint32_t clusters = 0;  ///< 1: the data show no clusters; 0: nobody asked

  bool empty() const { return candidates.empty() && counts.empty(); }
  bool operator==(const Selection&) const = default;
};

/// Whether `options` leave something to `choose`: no decay, scale auto, or clusters to find.
bool is_open(const FitOptions& options);

/// The options with what was chosen.
FitOptions apply(const Selection& selection, FitOptions options);

/// A sentence or two for a person: what was chosen, among what, how clear it was.
std::string describe(const Selection& selection);

}  // namespace mbn
