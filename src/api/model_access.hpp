// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <mbn/model.hpp>

#include "network/model_data.hpp"

namespace mbn {

/// How the files of `api/` get at the plain data of a model and make a model of it; nobody else
/// does.
inline const ModelData& data_of(const Model& model) {
  return model.data();
}

/// The same for somebody who keeps it as long as the model or longer.
inline std::shared_ptr<const ModelData> shared_data_of(const Model& model) {
  const auto keeper = std::make_shared<const Model>(model);
  return {keeper, &data_of(*keeper)};
}

inline Model model_of(std::shared_ptr<const ModelData> data) {
  return Model(std::move(data));
}

}  // namespace mbn
