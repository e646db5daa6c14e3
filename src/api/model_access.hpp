// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <mbn/model.hpp>

#include "network/model_data.hpp"

namespace mbn {

/// What `Model::map` and `Model::assign` say of rows.
struct MappedRows {
  Matrix map;                        ///< no rows when the model has no map
  std::vector<std::int32_t> labels;  ///< empty when the model has no clusters
  std::vector<float> confidence;     ///< empty also when the model's file is too old for it
};

/// Access to the plain data of a Model, for api/ and tests.
struct ModelAccess {
  static Model make(ModelData data);
  static Model make(std::shared_ptr<const ModelData> data);
  static const ModelData& data(const Model& model);
  static std::shared_ptr<const ModelData> shared_data(const Model& model);
  /// Both at once, which takes half of the time.
  static MappedRows map_and_assign(const Model& model, RowsView rows, const RunOptions& run);
  /// Without the map.
  static MappedRows assign_only(const Model& model, RowsView rows, const RunOptions& run);

 private:
  static MappedRows assign_rows(const Model& model, RowsView rows, bool with_map,
                                const RunOptions& run);
};

}  // namespace mbn
