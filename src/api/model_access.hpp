// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <mbn/model.hpp>

#include "network/model_data.hpp"

namespace mbn {

/// Access to the plain data of a Model, for api/ and tests.
struct ModelAccess {
  static Model make(ModelData data);
  static Model make(std::shared_ptr<const ModelData> data);
  static const ModelData& data(const Model& model);
  static std::shared_ptr<const ModelData> shared_data(const Model& model);
};

}  // namespace mbn
