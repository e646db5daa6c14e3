// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "network/model_data.hpp"
#include "store/tensor_file.hpp"

namespace mbn {

/// Makes a model or a checkpoint of an open file; FormatError when it is not one, or when anything
/// in it could not be used as it is.
ModelData read_model(const TensorReader& file);
Checkpoint read_checkpoint(const TensorReader& file);

/// The prefix of a layer's tensors: "bottom", "layer2", "layer3", ...
std::string layer_name(std::size_t index);

}  // namespace mbn
