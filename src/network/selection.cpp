// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include <mbn/selection.hpp>

namespace mbn {

namespace {

const Candidate* chosen(const Selection& selection) {
  const auto found = std::ranges::find_if(selection.candidates, [&](const Candidate& candidate) {
    return candidate.decay == selection.decay && candidate.scale == selection.scale;
  });
  return found == selection.candidates.end() ? nullptr : &*found;
}

// Below, small networks that were trained apart find rather different clusters.
constexpr double kUnsure = 0.5;

std::string describe_candidates(const Selection& selection) {
  const Candidate* candidate = chosen(selection);
  if (candidate == nullptr) return {};
  const bool scaled = std::ranges::any_of(
      selection.candidates, [](const Candidate& other) { return other.scale == Scale::standard; });
  std::string text = fmt::format("decay {} was chosen", selection.decay);
  if (scaled) {
    text += fmt::format(", with scale {}", name_of(selection.scale));
  }
  text += fmt::format(
      ": of {} settings tried on {} rows, small networks that differ only by chance agree on "
      "{:.0f} "
      "% of the clusters there",
      selection.candidates.size(), selection.rows, 100 * std::max(0.0, candidate->by_seed));
  if (candidate->by_seed < kUnsure) {
    text += ", which is little: take these clusters with care";
  }
  return text;
}

std::string describe_counts(const Selection& selection) {
  if (selection.counts.empty()) return {};
  if (selection.clusters == 1) {
    return fmt::format(
        "the data show no clusters: for no number from 2 to {} do small networks agree on where to "
        "cut, so all rows are one cluster",
        selection.counts.back().clusters);
  }
  const auto best =
      std::ranges::find(selection.counts, selection.clusters, &ClusterCount::clusters);
  return fmt::format(
      "{} clusters were found: of 2 to {}, small networks agree best on this number ({:.0f} %)",
      selection.clusters, selection.counts.back().clusters, 100 * best->stability());
}

}  // namespace

std::string describe(const Selection& selection) {
  const std::string counts = describe_counts(selection);
  const std::string candidates = describe_candidates(selection);
  return counts + (counts.empty() || candidates.empty() ? "" : "; ") + candidates;
}

bool is_open(const FitOptions& options) {
  return !options.decay || options.scale == Scale::automatic || options.clusters == Clusters::find;
}

FitOptions apply(const Selection& selection, FitOptions options) {
  if (!options.decay && selection.decay != 0) options.decay = selection.decay;
  if (options.scale == Scale::automatic) options.scale = selection.scale;
  if (options.clusters == Clusters::find && selection.clusters != 0) {
    options.clusters = selection.clusters;
  }
  return options;
}

}  // namespace mbn
