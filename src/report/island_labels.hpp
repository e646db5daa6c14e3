// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/canvas.hpp"
#include "report/row_colours.hpp"
#include "report/row_places.hpp"

namespace mbn {

/// A name and the place that it belongs to.
struct Island {
  std::string name;
  Point anchor;
  std::uint64_t rows = 0;
};

/// A name that has found room.
struct IslandLabel {
  std::string name;
  Box box;
  Point anchor;         ///< where its rows are densest
  bool leader = false;  ///< so far away that a line leads to the anchor
  double size = 12;     ///< of the font
};

/// The groups that deserve a name in the picture, each with the place where its rows are densest.
std::vector<Island> find_islands(const RowPlaces& places, const std::vector<Group>& groups,
                                 std::span<const std::uint32_t> group_of_row);

/// Boxes for the names: inside the frame, none over another nor over another's line. An island that
/// finds no room near its anchor gets none; the largest choose first.
std::vector<IslandLabel> place_labels(std::vector<Island> islands, const Box& frame);

/// The nearest point of a label's box to its anchor, where its line begins.
Point leader_start(const IslandLabel& label);

}  // namespace mbn
