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

// With a stability below this, small networks find rather different clusters.
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
      " among {} settings tried on {} rows; its stability is {:.0f} % (how well small networks "
      "that differ only by chance find the same clusters)",
      selection.candidates.size(), selection.rows, 100 * std::max(0.0, candidate->by_seed));
  if (candidate->by_seed < kUnsure) {
    text += ", which is low: do not rely on these clusters";
  }
  return text;
}

// "; also 2 and 9 are well supported"
std::string describe_runners_up(const Selection& selection) {
  const std::vector<RunnerUp>& others = selection.runners_up;
  if (others.empty()) return {};
  std::string numbers;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (i > 0) numbers += i + 1 == others.size() ? " and " : ", ";
    numbers += std::to_string(others[i].clusters);
  }
  return fmt::format("; also {} {} well supported", numbers, others.size() == 1 ? "is" : "are");
}

Message describe_counts(const Selection& selection) {
  if (selection.counts.empty()) {
    return {"there are too few rows to tell clusters from chance; all rows are one cluster, and ",
            option("clusters", "N"), " forces another number"};
  }
  if (selection.clusters == 1) {
    return {
        fmt::format("the data show no clusters: for every number from 2 to {}, the stability is "
                    "as low as on noise; all rows are one cluster, and ",
                    selection.counts.back().clusters),
        option("clusters", "N"), " forces another number"};
  }
  const auto best =
      std::ranges::find(selection.counts, selection.clusters, &ClusterCount::clusters);
  return fmt::format(
      "{} clusters were found, of 2 to {} that were tried, with a stability of {:.0f} %{}",
      selection.clusters, selection.counts.back().clusters, 100 * std::max(0.0, best->stability()),
      describe_runners_up(selection));
}

}  // namespace

Message describe(const Selection& selection) {
  const std::string candidates = describe_candidates(selection);
  if (selection.counts.empty() && selection.clusters != 1) return candidates;
  Message message = describe_counts(selection);
  if (!candidates.empty()) message += "; " + candidates;
  return message;
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
