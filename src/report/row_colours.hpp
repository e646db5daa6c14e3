// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mbn/report.hpp>

#include "report/palette.hpp"

namespace mbn {

/// The rows with one label: a line of the legend, a name in the picture.
struct Group {
  std::int32_t label = 0;
  std::string name;
  Colour colour;
  std::uint64_t rows = 0;
};

/// Continuous values and the ends of their colours.
struct ValueRange {
  float low = 0;
  float high = 0;
  bool more_below = false;  ///< some values lie below `low` and have its colour
  bool more_above = false;
  std::uint64_t missing = 0;  ///< values that are not finite; their rows are grey
};

/// The colour of every row, as a place in a short list of colours.
struct RowColours {
  std::vector<Colour> colours;
  std::vector<std::uint16_t> of_row;  ///< empty: all rows have colour 0
  /// Neighbours in `colours` are shades of one scale, so that their mean has a meaning; the last
  /// colour is that of rows without a value.
  bool continuous = false;

  std::size_t colour_index(std::size_t row) const { return of_row.empty() ? 0 : of_row[row]; }
};

/// The groups by ascending label. Small labels keep their colour from plot to plot, whichever other
/// labels there are; large ones are coloured by rank. Negative labels are grey.
std::vector<Group> groups_of(std::span<const std::int32_t> labels,
                             const std::vector<std::string>& names);

/// The group that each row is in; empty without labels.
std::vector<std::uint32_t> group_of_rows(std::span<const std::int32_t> labels,
                                         const std::vector<Group>& groups);

ValueRange range_of(std::span<const float> values);

RowColours colours_by_group(const std::vector<Group>& groups,
                            std::span<const std::uint32_t> group_of_row);
RowColours colours_by_value(std::span<const float> values, const ValueRange& range);

}  // namespace mbn
