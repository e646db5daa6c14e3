// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/model_data.hpp"
#include "rows/nearest_drawn.hpp"
#include "store/tensor_file.hpp"

namespace mbn {

/// The tensor with the columns of distances that each clustering drew.
inline constexpr const char* kDrawnColumns = "distances.columns";

/// Reads it for a model whose options and columns are known. FormatError when a clustering drew a
/// column twice or one that is not there.
DrawnColumns read_drawn_columns(const TensorReader& file, const TensorInfo& tensor, bool packed,
                                const ModelData& model);

}  // namespace mbn
