// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <mbn/report.hpp>

#include "report/canvas.hpp"
#include "report/island_labels.hpp"
#include "report/row_colours.hpp"
#include "report/row_places.hpp"

namespace mbn {

inline constexpr double kTitleSize = 20;
inline constexpr double kSubtitleSize = 13;
inline constexpr double kCaptionSize = 12;

/// One line for each group, in one or two columns right of the frame. No columns: no legend.
struct Legend {
  std::size_t columns = 0;
  std::size_t lines = 0;  ///< per column
  double column_width = 0;
  double left = 0;
  double top = 0;
};

/// The scale of continuous values, right of the frame. A box of no width: none.
struct ColourBar {
  Box box;
  std::string low;
  std::string high;
  std::string name;
};

/// Everything that a plot shows and where, before it is drawn on anything.
struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string title;
  std::string subtitle;
  std::string description;  ///< for screen readers
  std::string across;       ///< captions of the axes
  std::string up;
  std::string counts;  ///< how many rows there are, and what is wrong with some
  std::vector<Group> groups;
  Box frame;
  Legend legend;
  ColourBar bar;
  RowPlaces places;
  RowColours colours;
  std::vector<IslandLabel> islands;
};

/// Lays out a plot. InvalidArgument when the arguments do not fit each other or the picture cannot
/// be that large. The picture refers to the embedding, which must outlive it.
Picture lay_out(MatrixView embedding, std::span<const std::int32_t> labels,
                const PlotOptions& options);

}  // namespace mbn
