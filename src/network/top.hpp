// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

#include "base/job.hpp"
#include "network/model_data.hpp"

namespace mbn {

/// What training makes: the network, and its output for the training rows.
struct TrainedNetwork {
  ModelData model;
  Matrix embedding;
  Matrix map;                        ///< no rows when none was asked for
  std::vector<std::int32_t> labels;  ///< empty when no clusters were asked for
  std::vector<float> confidence;     ///< of the labels
  std::vector<double> layer_seconds;
  double projection_seconds = 0;
  double clustering_seconds = 0;
  double map_seconds = 0;
};

/// What stands on the layers, made for rows with these top codes: by training for the first time,
/// by an update again for other rows. `trained.model` has its layers; components come first.

/// Principal components of the codes, and the embedding.
void add_components(TrainedNetwork& trained, const CodeMatrix& codes, std::uint32_t components,
                    Job& job);

/// Clusters of the embedding: centres, votes, labels and their confidence.
void add_clusters(TrainedNetwork& trained, const CodeMatrix& codes, const RunOptions& run,
                  Job& job);

/// The network's half of the map's joint space.
struct MapComponents {
  Projection projection;  ///< no components: the model's own
  Matrix own;             ///< no rows: the embedding
  MatrixView rows;        ///< of either; the embedding must outlive it
};
MapComponents components_for_map(const TrainedNetwork& trained, const CodeMatrix& codes, Job& job);

}  // namespace mbn
