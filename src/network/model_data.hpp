// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/column_coding.hpp>
#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>
#include <mbn/selection.hpp>

#include "bottom/bottom_settings.hpp"
#include "bottom/draws.hpp"
#include "map/map_data.hpp"
#include "project/projection.hpp"
#include "rows/preparation.hpp"

namespace mbn {

/// The bottom layer: its kept rows, prepared, and which of them each clustering drew.
struct BottomLayer {
  Draws draws;
  Rows kept;                ///< prepared kept rows; sparse when they are mostly zeros
  BottomSettings settings;  ///< of the engine

  bool is_sparse() const { return kept.is_sparse(); }
};

/// A layer above: its kept rows, as codes of the layer below, and which of them each clustering
/// drew.
struct UpperLayer {
  Draws draws;
  CodeMatrix kept;
};

/// Everything a trained network is. Plain data: `Model` gives it behaviour, `store/` a file.
struct ModelData {
  FitOptions options;   ///< as given, with what was settled by rules and what was chosen
  Selection selection;  ///< how it was chosen; empty when nothing was open
  std::uint64_t training_rows = 0;
  std::uint64_t updated_rows = 0;  ///< of the newest update; 0: it was never updated
  std::uint64_t columns = 0;
  std::vector<std::string> column_names;  ///< one for each column, or none
  std::vector<double> column_means{};     ///< for missing cells: one for each column, or none
  TableCoding coding{};                   ///< of the columns; empty when all are numbers
  Preparation preparation;
  BottomLayer bottom;
  std::vector<UpperLayer> upper;  ///< in order; the last is the top
  Projection projection;          ///< of the top layer's codes
  Matrix centres;                 ///< clusters x components; no rows when there are no clusters
  Matrix votes;                   ///< network/votes.hpp; no rows when there are no clusters

  MapData map{};  ///< empty unless one was asked for

  /// 0 before the bottom layer is there.
  std::size_t layer_count() const { return bottom.draws.clusterings == 0 ? 0 : 1 + upper.size(); }
  const Draws& draws(std::size_t index) const {
    return index == 0 ? bottom.draws : upper[index - 1].draws;
  }
};

/// A fit that is not finished: the layers so far and the codes of the newest.
struct Checkpoint {
  ModelData model;              ///< without projection, centres and votes
  CodeMatrix codes;             ///< training rows x clusterings
  std::uint64_t data_hash = 0;  ///< of the training rows
};

}  // namespace mbn
