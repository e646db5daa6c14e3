// SPDX-License-Identifier: Apache-2.0
#include "network/top.hpp"

#include <utility>

#include <mbn/assignment.hpp>
#include <mbn/cluster.hpp>

#include "base/stopwatch.hpp"
#include "network/schedule.hpp"
#include "network/votes.hpp"

namespace mbn {

void add_components(TrainedNetwork& trained, const CodeMatrix& codes, std::uint32_t components,
                    Job& job) {
  const Stopwatch watch;
  const FitOptions& options = trained.model.options;
  trained.model.projection = fit_projection(codes, components, options.solver, options.seed, job);
  trained.embedding = project(trained.model.projection, codes, job);
  trained.projection_seconds = watch.seconds();
}

void add_clusters(TrainedNetwork& trained, const CodeMatrix& codes, const RunOptions& run,
                  Job& job) {
  const Stopwatch watch;
  ModelData& model = trained.model;
  const FitOptions& options = model.options;
  const std::uint32_t clusters = options.clusters.count();
  KMeans found = kmeans(trained.embedding,
                        {.clusters = clusters, .restarts = options.restarts, .seed = options.seed},
                        without_progress(run));
  model.centres = std::move(found.centres);
  model.votes = count_votes(codes, found.labels, clusters);
  trained.confidence = confidence_of(vote(model.votes, codes, job), found.labels);
  trained.labels = std::move(found.labels);
  trained.clustering_seconds = watch.seconds();
}

MapComponents components_for_map(const TrainedNetwork& trained, const CodeMatrix& codes, Job& job) {
  const FitOptions& options = trained.model.options;
  MapComponents found;
  found.rows = trained.embedding;
  if (trained.model.projection.components == map_components(options)) return found;
  found.projection =
      fit_projection(codes, map_components(options), options.solver, options.seed, job);
  found.own = project(found.projection, codes, job);
  found.rows = found.own;
  return found;
}

}  // namespace mbn
