// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include <mbn/selection.hpp>

namespace mbn {

namespace {

const Candidate* chosen(const Selection& selection) {
  const auto found = std::ranges::find_if(selection.candidates, [&](const Candidate& candidate) {
    return candidate.decay == selection.decay && candidate.scale == selection.scale;
  });
  return found == selection.candidates.end() ? nullptr : &*found;
}

std::string describe_candidates(const Selection& selection) {
  const Candidate* candidate = chosen(selection);
  if (candidate == nullptr) return {};
  const auto others = [&](const auto& field) {
    return std::ranges::any_of(selection.candidates, [&](const Candidate& other) {
      return std::invoke(field, other) != std::invoke(field, *candidate);
    });
  };
  const bool decays = others(&Candidate::decay);
  const bool scales = others(&Candidate::scale);
  std::string text;
  if (decays) text = fmt::format("decay {}", selection.decay);
  if (scales) text += fmt::format("{}scale {}", decays ? " with " : "", name_of(selection.scale));
  text += " was chosen";
  text += fmt::format(
      " among {} settings tried on {} rows; its stability is {:.0f} % (how well small networks "
      "that differ only by chance find the same clusters)",
      selection.candidates.size(), selection.rows, 100 * std::max(0.0, candidate->by_seed));
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

// With a stability below this, small networks find rather different clusters.
constexpr double kUnsure = 0.5;

}  // namespace

std::optional<Message> doubt(const Selection& selection) {
  const auto count =
      std::ranges::find(selection.counts, selection.clusters, &ClusterCount::clusters);
  if (count != selection.counts.end() && count->stability() < kUnsure) {
    return Message{
        fmt::format("the number of clusters is unsure: small networks that are cut into {} agree "
                    "to {:.0f} % only; look at the tree and at other numbers before relying on it, "
                    "or give ",
                    selection.clusters, 100 * std::max(0.0, count->stability())),
        option("clusters", "N")};
  }
  const Candidate* candidate = chosen(selection);
  if (candidate != nullptr && candidate->by_seed < kUnsure) {
    return Message{
        fmt::format("do not rely on these clusters: small networks that differ only by chance "
                    "agree to {:.0f} % only; another number of clusters (",
                    100 * std::max(0.0, candidate->by_seed)),
        option("clusters", "find"),
        " looks for one), another ",
        option("metric"),
        " or ",
        option("weighting"),
        ", or other columns may show clearer ones"};
  }
  return std::nullopt;
}

Message describe(const Selection& selection) {
  const std::string candidates = describe_candidates(selection);
  if (selection.counts.empty() && selection.clusters != 1) return candidates;
  Message message = describe_counts(selection);
  if (!candidates.empty()) message += "; " + candidates;
  return message;
}

bool is_open(const FitOptions& options) {
  const bool decay = !options.decay && options.clusters != Clusters::unknown;
  return decay || options.scale == Scale::automatic || options.clusters == Clusters::find;
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
