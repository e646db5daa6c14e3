// SPDX-License-Identifier: Apache-2.0
//
// A setting is good when it is stable: networks that were trained apart find the same clusters.
// There are two ways to train apart, because each alone misleads:
//
//   by seed    the same rows, other random draws. All rows are used, but a coarse partition, or an
//              accidental one of these very rows, is stable too.
//   by sample  other halves of the rows. Accidental partitions are not stable, but thin curved
//              clusters fall apart with half of the rows, which is unfair to deep networks.
//
// So decays below 0.5 (shallow networks) are compared with 0.5 by the mean of both stabilities, and
// decays above it (deep networks) by seed alone. A candidate replaces 0.5 only when it is better by
// a margin: smaller differences are noise. The margins and the other constants were fixed on 28
// data sets and confirmed on others: docs/choosing.md.
#include <mbn/choose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <mbn/error.hpp>

#include "choose/count.hpp"
#include "choose/pilot.hpp"
#include "choose/sample.hpp"
#include "network/planning.hpp"
#include "network/schedule.hpp"
#include "network/settle_options.hpp"
#include "rows/missing_cells.hpp"
#include "rows/row_change.hpp"
#include "rows/scaler.hpp"

namespace mbn {

namespace {

constexpr std::array kDecays = {0.1, 0.2, 0.3, kUsualDecay, 0.7};
// kDeepestDecay is slowest by far: tried only if 0.7 is at most this much less stable than 0.5.
constexpr double kHopeless = 0.03;

constexpr double kMarginBelow = 0.03;
constexpr double kMarginAbove = 0.015;
constexpr double kMarginScale = 0.02;

// A stability below this tells nothing: on 20-Newsgroups decay 0.1 is the most stable (0.38), and
// its clusters are 30 points worse.
constexpr double kTelling = 0.5;

// More networks make the choice steadier, and few rows take no time.
constexpr std::uint32_t kPilots = 4;
constexpr std::uint32_t kPilotsForFewRows = 8;
constexpr std::size_t kFewRows = 1500;
// Of k-means. Few: when some networks end in a poor optimum, the setting is not stable.
constexpr std::uint32_t kRestarts = 10;
constexpr std::size_t kSeedRows = 3000;
constexpr std::size_t kSampleRows = 1200;

// All networks for one scale, on the rows that were sampled for it.
class Trials {
 public:
  Trials(RowsView rows, const FitOptions& options, const RunOptions& run, Job& job)
      : options_(options), job_(job), quiet_(for_one_pilot(run)) {
    const Sample seeds(rows, options, kSeedRows, job);
    options_ = seeds.options();
    pilots_ = rows.rows() <= kFewRows ? kPilotsForFewRows : kPilots;
    by_seed_ = make_pilots(seeds.rows(), options_, pilots_, job);
    const Sample halves(rows, options, kSampleRows, job);
    half_options_ = halves.options();
    for (std::uint32_t i = 0; i < pilots_; ++i) {
      by_sample_.push_back(make_half_pilot(halves.rows(), half_options_, i, job));
    }
  }

  // Deep networks (decay above 0.5) are compared by seed only.
  std::vector<Candidate> run(std::span<const double> decays) {
    struct Task {
      std::size_t candidate;
      bool half;
      std::uint32_t pilot;
    };
    std::vector<Task> tasks;
    for (std::size_t d = decays.size(); d-- > 0;) {
      for (const bool half : {false, true}) {
        if (half && decays[d] > kUsualDecay) continue;
        for (std::uint32_t p = 0; p < pilots_; ++p) tasks.push_back({d, half, p});
      }
    }
    std::vector<std::array<std::vector<Labelling>, 2>> labels(decays.size());
    for (auto& both : labels) both.fill(std::vector<Labelling>(pilots_));
    job_.parallel(tasks.size(), [&](std::size_t t, unsigned) {
      const Task& task = tasks[t];
      labels[task.candidate][task.half ? 1 : 0][task.pilot] =
          labels_of(task.half, task.pilot, decays[task.candidate]);
    });
    std::vector<Candidate> candidates;
    for (std::size_t d = 0; d < decays.size(); ++d) {
      Candidate candidate;
      candidate.decay = decays[d];
      candidate.scale = options_.scale;
      candidate.by_seed = mean_stability(labels[d][0]);
      if (decays[d] <= kUsualDecay) {
        candidate.by_sample = mean_stability(labels[d][1]);
      }
      candidates.push_back(candidate);
    }
    return candidates;
  }

 private:
  double mean_stability(std::span<const Labelling> labels) const {
    return mean_over_pairs(labels, [&](const Labelling& first, const Labelling& second) {
      return stability(first, second, options_.clusters.count());
    });
  }

  Labelling labels_of(bool half, std::uint32_t number, double decay) const {
    const Pilot& pilot = half ? by_sample_[number] : by_seed_[number];
    FitOptions options = half ? half_options_ : options_;
    options.decay = decay;
    Job job(quiet_);
    const CodeMatrix top = top_codes(pilot, options, job);
    return label(pilot, embed(pilot, top, embedding_components(options), job),
                 options.clusters.count(), kRestarts, quiet_);
  }

  std::uint32_t pilots_ = 0;
  FitOptions options_;
  FitOptions half_options_;
  Job& job_;
  RunOptions quiet_;
  std::vector<Pilot> by_seed_;
  std::vector<Pilot> by_sample_;
};

const Candidate* find(std::span<const Candidate> candidates, double decay) {
  const auto found = std::ranges::find(candidates, decay, &Candidate::decay);
  return found == candidates.end() ? nullptr : &*found;
}

// How much more stable than the usual decay, minus the margin.
double advantage(const Candidate& candidate, const Candidate& usual) {
  if (candidate.by_seed < kTelling) return -1;
  const double by_seed = candidate.by_seed - usual.by_seed;
  if (!candidate.by_sample) return by_seed - kMarginAbove;
  return (by_seed + *candidate.by_sample - *usual.by_sample) / 2 - kMarginBelow;
}

const Candidate& best_decay(std::span<const Candidate> candidates) {
  const Candidate* usual = find(candidates, kUsualDecay);
  if (usual == nullptr) return candidates.front();
  const Candidate* best = usual;
  double most = 0;
  for (const Candidate& candidate : candidates) {
    const double gain = &candidate == usual ? 0 : advantage(candidate, *usual);
    if (gain > most) {
      most = gain;
      best = &candidate;
    }
  }
  return *best;
}

std::vector<Candidate> try_decays(RowsView rows, const FitOptions& options, const RunOptions& run,
                                  Job& job) {
  Trials trials(rows, options, run, job);
  if (options.decay) return trials.run(std::array{*options.decay});
  std::vector<Candidate> candidates = trials.run(kDecays);
  const Candidate& usual = *find(candidates, kUsualDecay);
  if (candidates.back().by_seed >= usual.by_seed - kHopeless) {
    candidates.push_back(trials.run(std::array{kDeepestDecay}).front());
  }
  return candidates;
}

// The best stability of a scale, among decays that were compared by seed and by sample.
double clearness(std::span<const Candidate> candidates) {
  double most = -1;
  for (const Candidate& candidate : candidates) {
    if (candidate.by_sample) {
      most = std::max(most, (candidate.by_seed + *candidate.by_sample) / 2);
    }
  }
  return most >= 0 ? most : candidates.front().by_seed;
}

std::vector<Scale> scales_to_try(RowsView rows, const FitOptions& options, Job& job) {
  if (options.scale != Scale::automatic) return {options.scale};
  if (!allows_scale(options.metric)) return {Scale::none};
  if (columns_differ_in_size(rows, job)) return {Scale::none, Scale::standard};
  return {Scale::none};
}

// Half of the rows must be enough for the clusters.
bool has_enough_rows(RowsView rows, const FitOptions& options) {
  const std::uint64_t drawable = drawable_rows(rows.rows(), options);
  return drawable / 2 >=
         std::max<std::uint64_t>(4, 2 * std::uint64_t{options.clusters.count_or(0)});
}

// Steps of progress: pilots of both kinds for every decay, and their bottom layers.
constexpr std::size_t kStepsPerScale = kDecays.size() * 2 * kPilotsForFewRows + 400;

// The number of clusters is found before decay and scale are chosen, so it uses the usual decay,
// and the standard scale when columns differ in size. It is counted on columns: what noise looks
// like was measured there, and along directions the coarsest partitions (2 of the 10 digits) are
// too stable.
void choose_clusters(RowsView rows, FitOptions options, Scale scale, const RunOptions& run,
                     double share, Job& job, Selection& selection) {
  job.stage("counting", share, kStepsPerScale);
  options.scale = scale;
  options.decay = options.decay.value_or(kUsualDecay);
  options.directions = DirectionCount::none;
  Counting counting = count_clusters(rows, options, run, job);
  CountDecision decision = decide_count(counting);
  selection.counts = std::move(counting.counts);
  // A tree of thousands of rows has hundreds of cuts, of which the clearest say it all.
  constexpr std::size_t kToldCuts = 8;
  counting.cuts.resize(std::min(counting.cuts.size(), kToldCuts));
  selection.cuts = std::move(counting.cuts);
  selection.clusters = decision.clusters;
  selection.runners_up = std::move(decision.runners_up);
}

void choose_setting(RowsView rows, const FitOptions& options, std::span<const Scale> scales,
                    const RunOptions& run, Job& job, Selection& selection) {
  double clearest = -1;
  for (const Scale scale : scales) {
    FitOptions tried = options;
    tried.scale = scale;
    const std::vector<Candidate> candidates = try_decays(rows, tried, run, job);
    const double clear = clearness(candidates);
    if (clear > clearest + (scale == scales.front() ? 0 : kMarginScale)) {
      clearest = clear;
      selection.decay = best_decay(candidates).decay;
      selection.scale = scale;
    }
    selection.candidates.insert(selection.candidates.end(), candidates.begin(), candidates.end());
  }
}

}  // namespace

Selection choose(RowsView rows, const FitOptions& given, const RunOptions& run) {
  validate(given);
  Job job(run);
  job.stage("choosing", 0, 1);
  require_training_values(rows, given.missing, job);
  Selection selection;
  FitOptions options = settle_options(given, size_of(rows, given, job));
  const std::vector<Scale> scales = scales_to_try(rows, options, job);
  const bool counts = options.clusters == Clusters::find;
  const bool decides = !options.decay || scales.size() > 1;
  if (counts) {
    choose_clusters(rows, options, scales.back(), run, decides ? 0.5 : 1, job, selection);
    options.clusters = selection.clusters;
  }
  selection.decay = options.decay.value_or(kUsualDecay);
  selection.scale = scales.front();
  if (decides && has_enough_rows(rows, options)) {
    job.stage("choosing", counts ? 0.5 : 1, scales.size() * kStepsPerScale);
    choose_setting(rows, options, scales, run, job, selection);
  }
  if (!selection.empty()) {
    selection.rows = std::min<std::uint64_t>(kSeedRows, drawable_rows(rows.rows(), options));
  }
  return selection;
}

}  // namespace mbn
