// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/matrix.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "network/model_data.hpp"

namespace mbn {

/// What one layer made of some rows.
struct LayerStory {
  /// A map of the rows after the layer, turned to fit the next; none after the top layer, where the
  /// rows are on the final map.
  Matrix places;
  std::uint64_t distinct_codes = 0;   ///< different rows of codes
  std::optional<double> error_ratio;  ///< of Theorem 1, on a few hundred of the rows
};

/// What the network made of some rows, layer by layer.
struct NetworkStory {
  Matrix input;  ///< the rows' first two principal components, turned to fit layer 1
  std::vector<LayerStory> layers;
  CodeMatrix top;
};

/// `rows` as they were given, with their places on the final map. At least one row.
NetworkStory tell_story(const ModelData& model, RowsView rows, MatrixView final_places, Job& job);

/// How many steps of progress that takes.
std::size_t story_steps(const ModelData& model, std::size_t rows);

/// The places, moved, turned and perhaps mirrored, never stretched, to where they are nearest to
/// those of the same rows in `target`. Both have two columns.
Matrix turned_to_fit(MatrixView places, MatrixView target);

}  // namespace mbn
