// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/model.hpp>

#include "network/model_data.hpp"

namespace mbn {

/// The door between the public class and the plain data behind it, for api/ and tests.
struct ModelAccess {
  static Model make(ModelData data);
  static const ModelData& data(const Model& model);
};

}  // namespace mbn
