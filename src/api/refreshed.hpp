// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <mbn/fit.hpp>

#include "api/model_access.hpp"
#include "base/notes.hpp"
#include "network/top.hpp"
#include "store/model_file.hpp"

namespace mbn {

/// A model's data to change, by way of a file's bytes: whatever a model keeps is in them.
inline ModelData copy_of(const Model& model) {
  return decode_model(encode_model(ModelAccess::data(model)));
}

/// What a caller gets of a network whose layers stayed, and what stands on them was made anew.
inline FitResult refreshed(TrainedNetwork trained, const Notes& notes) {
  return {ModelAccess::make(std::move(trained.model)),
          std::move(trained.embedding),
          std::move(trained.map),
          std::move(trained.labels),
          std::move(trained.confidence),
          {},
          trained.projection_seconds,
          trained.clustering_seconds,
          trained.map_seconds,
          notes.all()};
}

}  // namespace mbn
