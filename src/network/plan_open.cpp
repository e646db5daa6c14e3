// SPDX-License-Identifier: Apache-2.0
//
// The plan of a fit that chooses some of its options first. Nobody knows yet what will be chosen.
// The layers shown are those of the usual decay. A deeper network may be chosen where it fits into
// memory (`choose` tries no other), so memory and sizes of files are those of the deepest that
// fits.
#include <fmt/format.h>

#include <algorithm>

#include <mbn/error.hpp>
#include <mbn/selection.hpp>

#include "base/memory.hpp"
#include "cluster/agreement_tree.hpp"
#include "cluster/kmeans_cost.hpp"
#include "network/pilot_sizes.hpp"
#include "network/planning.hpp"
#include "network/settle_options.hpp"

namespace mbn {

namespace {

void raise(Plan& plan, const Plan& other) {
  plan.model_bytes = std::max(plan.model_bytes, other.model_bytes);
  plan.file_bytes = std::max(plan.file_bytes, other.file_bytes);
  plan.peak_bytes = std::max(plan.peak_bytes, other.peak_bytes);
}

// With the most that a decay may make of it.
WorkPlan plan_decay(const DataSize& size, FitOptions options, const RunOptions& run) {
  if (options.decay) return plan_known(size, options, run);
  options.decay = kUsualDecay;
  WorkPlan work = plan_known(size, options, run);
  for (const double decay : {kDeepestDecay, kTriedDecays.back()}) {
    options.decay = decay;
    try {
      raise(work.plan, plan_known(size, options, run).plan);
      break;
    } catch (const MemoryLimitExceeded&) {
      continue;
    }
  }
  return work;
}

// Of the numbers of clusters, the lowest has most layers, and the highest most components.
WorkPlan plan_clusters(const DataSize& size, FitOptions options, const RunOptions& run) {
  if (options.clusters != Clusters::find) return plan_decay(size, options, run);
  options.clusters = 1;
  WorkPlan few = plan_decay(size, options, run);
  options.clusters =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(options.most_clusters, size.shape.rows));
  WorkPlan many = plan_decay(size, options, run);
  raise(few.plan, many.plan);
  raise(many.plan, few.plan);
  return few.plan.fit_seconds > many.plan.fit_seconds ? few : many;
}

struct ChoosingCost {
  double seconds = 0;
  std::uint64_t bytes = 0;
};

DataSize sample_of(const DataSize& size) {
  DataSize sample = size;
  sample.shape.rows = std::min<std::uint64_t>(size.shape.rows, kPilotRows);
  sample.nonzeros = size.nonzeros * sample.shape.rows / std::max<std::uint64_t>(1, size.shape.rows);
  sample.given_bytes = sample.worked_bytes();
  return sample;
}

// Pilots are planned as what they are, small networks.
ChoosingCost cost_of_choosing(const DataSize& size, const FitOptions& options,
                              const RunOptions& run) {
  const DataSize sample = sample_of(size);
  RunOptions roomy = run;
  roomy.memory_limit = ~std::uint64_t{0};
  FitOptions pilot = options;
  pilot.clusters = std::min<std::uint32_t>(options.clusters.count_or(kAssumedClusters),
                                           static_cast<std::uint32_t>(sample.shape.rows));
  pilot.clusterings = kPilotClusterings;
  pilot.centroids = pilot.pool = std::nullopt;
  pilot.map = 0;
  pilot.restarts = 10;
  const double pilots = sample.shape.rows <= kFewRows ? kPilotsForFewRows : kPilots;
  const double threads = Job(run).threads();
  ChoosingCost cost;
  const auto add = [&](double decay, double networks) {
    pilot.decay = decay;
    const Plan plan = plan_known(sample, pilot, roomy).plan;
    cost.seconds += networks * plan.fit_seconds;
    cost.bytes = std::max(cost.bytes, plan.peak_bytes);
  };
  const double scales = options.scale == Scale::automatic ? 2 : 1;
  if (options.decay) {
    if (scales > 1) add(*options.decay, 2 * pilots * scales);
  } else {
    for (const double decay : kTriedDecays) add(decay, pilots * scales);
    add(kDeepestDecay, pilots);
  }
  if (options.clusters == Clusters::find) {
    add(kUsualDecay, 2 * kPilots);
    for (std::uint32_t k = 2; k <= std::min(options.most_clusters, kMostClusters); ++k) {
      cost.seconds += 2 * kPilots * kmeans_seconds(sample.shape.rows, k, k, 4) / threads;
    }
    cost.bytes =
        std::max(cost.bytes,
                 agreement_tree_bytes(std::min<std::uint64_t>(size.shape.rows, kCountedTreeRows)));
  }
  cost.bytes *= static_cast<std::uint64_t>(threads);
  cost.bytes += 4 * kPilotsForFewRows * sample.shape.rows * kPilotClusterings;
  return cost;
}

}  // namespace

WorkPlan plan_work(const DataSize& size, const FitOptions& options, const RunOptions& run) {
  validate(options);
  const FitOptions settled = settle_options(options, size);
  WorkPlan work = plan_clusters(size, settled, run);
  if (!is_open(settled)) return work;
  const ChoosingCost cost = cost_of_choosing(size, settled, run);
  work.choosing_seconds = cost.seconds;
  work.plan.fit_seconds += cost.seconds;
  const std::uint64_t choosing = size.given_bytes + cost.bytes;
  if (run.memory_limit && choosing > *run.memory_limit) {
    throw MemoryLimitExceeded(
        ErrorCode::memory,
        {fmt::format("choosing options needs {}, but the memory limit is {}; give ",
                     readable_bytes(choosing), readable_bytes(*run.memory_limit)),
         option("decay"), ", ", option("scale"), " and ", option("clusters")},
        {.option = "memory_limit", .value = std::to_string(*run.memory_limit)});
  }
  work.plan.peak_bytes = std::max(work.plan.peak_bytes, choosing);
  return work;
}

}  // namespace mbn
