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
#include <map>
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
#include "rows/scaler.hpp"

namespace mbn {

namespace {

// kDeepestDecay is slowest by far: tried only if 0.7 is at most this much less stable than 0.5.
constexpr double kHopeless = 0.03;

// Of fewer rows, halves are too small to tell one decay from another: no set that the rules were
// made on has so few, and on AML-ALL (72 rows) the choice lost 3 points.
constexpr std::uint64_t kFewestRowsForDecay = 100;

constexpr double kMarginBelow = 0.03;
constexpr double kMarginAbove = 0.015;
constexpr double kMarginScale = 0.02;

// A stability below this tells nothing: on 20-Newsgroups decay 0.1 is the most stable (0.38), and
// its clusters are 30 points worse.
constexpr double kTelling = 0.5;

// More networks make the choice steadier, and few rows take no time. The first few networks of each
// decay tell which decays are worth the others.
constexpr std::uint32_t kFirstPilots = 2;
constexpr double kDropped = 0.08;
// Of k-means. Few: when some networks end in a poor optimum, the setting is not stable.
constexpr std::uint32_t kRestarts = 10;
constexpr std::size_t kSampleRows = 1200;

// All networks for one scale, on the rows that were sampled for it.
class Trials {
 public:
  Trials(RowsView rows, const FitOptions& options, const RunOptions& run, Job& job)
      : seeds_(rows, options, kPilotRows, job),
        halves_(rows, options, kSampleRows, job),
        all_(rows.rows() <= kFewRows ? kPilotsForFewRows : kPilots),
        job_(job),
        quiet_(for_one_pilot(run)) {}

  /// How many networks of a kind there may be.
  std::uint32_t all() const { return all_; }

  /// Trains networks of these decays, until there are `pilots` of each kind. Deep networks (decay
  /// above 0.5) are compared by seed only.
  void train(std::span<const double> decays, std::uint32_t pilots) {
    add_pilots(pilots);
    struct Task {
      double decay;
      bool half;
      std::uint32_t pilot;
      Labelling* labels;
    };
    std::vector<Task> tasks;
    // The deepest take longest, so they begin.
    for (std::size_t d = decays.size(); d-- > 0;) {
      for (const bool half : {false, true}) {
        if (half && decays[d] > kUsualDecay) continue;
        std::vector<Labelling>& labels = labels_[{decays[d], half}];
        const auto known = static_cast<std::uint32_t>(labels.size());
        labels.resize(std::max(known, pilots));
        for (std::uint32_t p = known; p < pilots; ++p) {
          tasks.push_back({decays[d], half, p, &labels[p]});
        }
      }
    }
    job_.parallel(tasks.size(), [&](std::size_t t, unsigned) {
      *tasks[t].labels = labels_of(tasks[t].half, tasks[t].pilot, tasks[t].decay);
    });
  }

  /// What the networks of a decay that were trained so far say.
  Candidate candidate(double decay) const {
    Candidate candidate;
    candidate.decay = decay;
    candidate.scale = seeds_.options().scale;
    candidate.by_seed = mean_stability(labels_.at({decay, false}));
    if (decay <= kUsualDecay) candidate.by_sample = mean_stability(labels_.at({decay, true}));
    return candidate;
  }

 private:
  void add_pilots(std::uint32_t pilots) {
    const auto known = static_cast<std::uint32_t>(by_seed_.size());
    if (known >= pilots) return;
    for (Pilot& pilot : make_pilots(seeds_.rows(), seeds_.options(), known, pilots, job_)) {
      by_seed_.push_back(std::move(pilot));
    }
    for (std::uint32_t i = known; i < pilots; ++i) {
      by_sample_.push_back(make_half_pilot(halves_.rows(), halves_.options(), i, job_));
    }
  }

  double mean_stability(std::span<const Labelling> labels) const {
    return mean_over_pairs(labels, [&](const Labelling& first, const Labelling& second) {
      return stability(first, second, seeds_.options().clusters.count());
    });
  }

  Labelling labels_of(bool half, std::uint32_t number, double decay) const {
    const Pilot& pilot = half ? by_sample_[number] : by_seed_[number];
    FitOptions options = half ? halves_.options() : seeds_.options();
    options.decay = decay;
    Job job(quiet_);
    const CodeMatrix top = top_codes(pilot, options, job);
    return label(pilot, embed(pilot, top, embedding_components(options), job),
                 options.clusters.count(), kRestarts, quiet_);
  }

  Sample seeds_;
  Sample halves_;
  std::uint32_t all_;
  Job& job_;
  RunOptions quiet_;
  std::vector<Pilot> by_seed_;
  std::vector<Pilot> by_sample_;
  std::map<std::pair<double, bool>, std::vector<Labelling>> labels_;
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

// The candidates of one scale; the first `compared` of them had all networks.
struct Tried {
  std::vector<Candidate> candidates;
  std::size_t compared = 0;
};

// The decays whose network could be trained in the memory there is.
std::vector<double> decays_that_fit(std::span<const double> decays, RowsView rows,
                                    FitOptions options, const RunOptions& run, Job& job) {
  const DataSize size = size_of(rows, options, job);
  std::vector<double> fit;
  for (const double decay : decays) {
    options.decay = decay;
    try {
      plan_known(size, options, run);
      fit.push_back(decay);
    } catch (const MemoryLimitExceeded&) {
      continue;
    }
  }
  return fit;
}

Tried try_decays(RowsView rows, const FitOptions& options, const RunOptions& run,
                 bool compares_scales, Job& job) {
  Trials trials(rows, options, run, job);
  if (options.decay) {
    trials.train(std::array{*options.decay}, trials.all());
    return {{trials.candidate(*options.decay)}, 1};
  }
  const std::vector<double> decays = decays_that_fit(kTriedDecays, rows, options, run, job);
  trials.train(decays, kFirstPilots);
  const Candidate usual = trials.candidate(kUsualDecay);
  std::vector<double> worth{kUsualDecay};
  std::vector<Candidate> dropped;
  for (const double decay : decays) {
    if (decay == kUsualDecay) continue;
    const Candidate first = trials.candidate(decay);
    if (advantage(first, usual) > -kDropped) {
      worth.push_back(decay);
    } else {
      dropped.push_back(first);
    }
  }
  if (worth.back() > kUsualDecay && advantage(trials.candidate(worth.back()), usual) > -kHopeless &&
      !decays_that_fit(std::array{kDeepestDecay}, rows, options, run, job).empty()) {
    worth.push_back(kDeepestDecay);
  }
  if (worth.size() > 1 || compares_scales) trials.train(worth, trials.all());
  Tried tried;
  for (const double decay : worth) tried.candidates.push_back(trials.candidate(decay));
  tried.compared = tried.candidates.size();
  tried.candidates.insert(tried.candidates.end(), dropped.begin(), dropped.end());
  return tried;
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
constexpr std::size_t kStepsPerScale = kTriedDecays.size() * 2 * kPilotsForFewRows + 400;

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
    Tried found = try_decays(rows, tried, run, scales.size() > 1, job);
    const std::span compared = std::span(found.candidates).first(found.compared);
    const double clear = clearness(compared);
    if (clear > clearest + (scale == scales.front() ? 0 : kMarginScale)) {
      clearest = clear;
      selection.decay = best_decay(compared).decay;
      selection.scale = scale;
    }
    std::ranges::sort(found.candidates, {}, &Candidate::decay);
    selection.candidates.insert(selection.candidates.end(), found.candidates.begin(),
                                found.candidates.end());
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
  if (!options.decay && drawable_rows(rows.rows(), options) < kFewestRowsForDecay) {
    options.decay = kUsualDecay;
  }
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
    selection.rows = std::min<std::uint64_t>(kPilotRows, drawable_rows(rows.rows(), options));
  }
  return selection;
}

}  // namespace mbn
