// SPDX-License-Identifier: Apache-2.0
//
// The layers do not change, so the top codes of the kept rows are the training rows' again, and
// only what stands on them is made anew.
#include <fmt/format.h>

#include <utility>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "api/refreshed.hpp"
#include "base/job.hpp"
#include "base/notes.hpp"
#include "network/refresh.hpp"
#include "network/schedule.hpp"
#include "network/top.hpp"

namespace mbn {

namespace {

constexpr double kEncodingShare = 0.6;
constexpr double kComponentsShare = 0.3;

void check(const Model& model, std::uint32_t clusters) {
  if (!model.holds_training_rows()) {
    throw InvalidArgument(
        ErrorCode::invalid,
        {"the model does not hold all its training rows, and other clusters are found on those; "
         "fit again with ",
         option("clusters", std::to_string(clusters))});
  }
  if (clusters < 1 || clusters > model.training_rows()) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("clusters"), fmt::format(" is {}, but there are {} rows; give 1 "
                                         "to {}",
                                         clusters, model.training_rows(), model.training_rows())},
        {.option = "clusters", .value = std::to_string(clusters)});
  }
}

// A network for so many clusters would have stopped at a wider layer.
void look_at_layers(const ModelData& data, std::uint32_t clusters, Notes& notes) {
  const std::uint32_t top = data.draws(data.layer_count() - 1).centroids;
  if (clusters <= top) return;
  notes.add({NoteCode::narrow_layers,
             {fmt::format("the top layer tells {} groups apart, fewer than {} clusters; a new fit "
                          "with ",
                          top, clusters),
              option("clusters", std::to_string(clusters)), " stops at a wider layer"}});
}

}  // namespace

FitResult with_clusters(const Model& model, std::uint32_t clusters, const RunOptions& run) {
  check(model, clusters);
  Notes notes(run);
  Job job(run);
  TrainedNetwork trained;
  trained.model = copy_of(model);
  ModelData& data = trained.model;
  look_at_layers(data, clusters, notes);
  job.stage("encode", kEncodingShare, data.layer_count() * data.bottom.draws.clusterings);
  const CodeMatrix codes = codes_of_kept(data, run, job);
  data.options.clusters = clusters;
  // The map goes on seeing the components that it was made of.
  if (!data.map.empty() && data.map.space.projection.components == 0) {
    data.map.space.projection = std::move(data.projection);
  }
  job.stage("projection", kComponentsShare, kProjectionSteps);
  add_components(trained, codes, embedding_components(data.options), job);
  job.stage("clusters", 1 - kEncodingShare - kComponentsShare, 1);
  add_clusters(trained, codes, run, job);
  if (!data.map.empty()) trained.map = Matrix::copy_of(data.map.places);
  return refreshed(std::move(trained), notes);
}

}  // namespace mbn
