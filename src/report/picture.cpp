// SPDX-License-Identifier: Apache-2.0
//
// From the outside in: an edge, the heading, the captions below; a legend or a colour bar on the
// right, when it takes less than half of the width; the frame gets what is left. Then the rows are
// placed in the frame, and the names on them.
#include "report/picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "report/svg_text.hpp"
#include "report/text_width.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kLeastSide = 160;
constexpr std::uint32_t kMostSide = 20000;
constexpr double kEdge = 24;     // around the whole picture
constexpr double kCaption = 22;  // below the frame
constexpr double kLineHeight = 19;
constexpr double kLegendGap = 18;  // right of the frame
constexpr std::size_t kNameCharacters = 22;
constexpr double kBarWidth = 14;
constexpr double kBarHeight = 220;

void require_one_per_row(const char* what, std::size_t count, std::size_t rows) {
  if (count == 0 || count == rows) return;
  throw InvalidArgument(
      ErrorCode::does_not_fit,
      fmt::format("there are {0} {1}s but {2} rows to plot; give one {1} for every row, or none",
                  count, what, rows));
}

void require_valid(MatrixView embedding, std::span<const std::int32_t> labels,
                   const PlotOptions& options) {
  require_one_per_row("label", labels.size(), embedding.rows());
  require_one_per_row("value", options.values.size(), embedding.rows());
  if (embedding.rows() > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument(ErrorCode::too_large,
                          fmt::format("{} rows are too many to plot; give at most {}",
                                      embedding.rows(), std::numeric_limits<std::uint32_t>::max()));
  }
  if (embedding.columns() == 0) {
    throw InvalidArgument(ErrorCode::too_small,
                          "the embedding has 0 columns to plot; give at least 1");
  }
  for (const std::uint32_t side : {options.width, options.height}) {
    if (side < kLeastSide || side > kMostSide) {
      throw InvalidArgument(ErrorCode::out_of_range,
                            fmt::format("a plot of {} x {} pixels cannot be drawn; give {} to {}",
                                        options.width, options.height, kLeastSide, kMostSide));
    }
  }
}

/// What is left for the frame when there is nothing beside it.
Box whole_frame(const PlotOptions& options) {
  double top = kEdge;
  if (!options.title.empty()) top += 26;
  if (!options.subtitle.empty()) top += 20;
  if (top > kEdge) top += 6;
  return {kEdge, top, options.width - 2 * kEdge,
          std::max(40.0, options.height - top - kCaption - kEdge)};
}

/// Takes room from the frame's right side, unless that is more than half of the picture.
bool take_room(Box& frame, double width, const PlotOptions& options) {
  if (width > options.width / 2.0) return false;
  frame.width -= width;
  return true;
}

Legend lay_out_legend(std::vector<Group>& groups, Box& frame, const PlotOptions& options) {
  double widest = 0;
  for (Group& group : groups) {
    group.name = shortened(group.name, kNameCharacters);
    widest = std::max(widest, text_width(group.name, kCaptionSize) +
                                  text_width(grouped_number(group.rows), kCaptionSize));
  }
  Legend legend;
  legend.lines = static_cast<std::size_t>(std::max(2.0, std::floor(frame.height / kLineHeight)));
  legend.columns = std::clamp<std::size_t>((groups.size() + legend.lines - 1) / legend.lines, 1, 2);
  legend.column_width = kLegendGap + 16 + widest + 14;
  if (!take_room(frame, legend.column_width * static_cast<double>(legend.columns), options)) {
    return {};
  }
  legend.left = frame.right() + kLegendGap;
  legend.top = frame.top;
  return legend;
}

ColourBar lay_out_bar(const ValueRange& range, Box& frame, const PlotOptions& options) {
  ColourBar bar;
  bar.low = fmt::format("{}{:.3g}", range.more_below ? "\u2264 " : "", range.low);
  bar.high = fmt::format("{}{:.3g}", range.more_above ? "\u2265 " : "", range.high);
  bar.name = shortened(options.values_name, kNameCharacters);
  const double ends =
      std::max(text_width(bar.low, kCaptionSize), text_width(bar.high, kCaptionSize));
  const double width = std::max(kBarWidth + 8 + ends, text_width(bar.name, kCaptionSize));
  if (!take_room(frame, kLegendGap + width, options)) return {};
  const double heading = bar.name.empty() ? 0 : kLineHeight;
  bar.box = {frame.right() + kLegendGap, frame.top + heading, kBarWidth,
             std::min(kBarHeight, frame.height - heading)};
  return bar;
}

std::string describe_counts(const RowPlaces& places, std::uint64_t without_value) {
  std::string text = grouped_number(places.rows()) + (places.rows() == 1 ? " row" : " rows");
  if (places.drawable() < places.rows()) {
    text += fmt::format(", {} without finite values",
                        grouped_number(places.rows() - places.drawable()));
  }
  if (without_value > 0) {
    text += fmt::format(", {} without a number (grey)", grouped_number(without_value));
  }
  return text;
}

/// The captions fit below and beside the frame.
void lay_out_captions(Picture& picture, const PlotOptions& options, std::size_t columns) {
  const Box& frame = picture.frame;
  picture.counts = fitted_text(picture.counts, frame.width, kCaptionSize);
  const double room = frame.width - text_width(picture.counts, kCaptionSize) - 16;
  const auto axis_name = [&](std::size_t axis, double width) {
    if (options.axis_names.size() <= axis || width < 3 * kCaptionSize) return std::string();
    return fitted_text(options.axis_names[axis], width, kCaptionSize);
  };
  picture.across = axis_name(0, room);
  if (columns > 1) picture.up = axis_name(1, frame.height);
}

}  // namespace

Picture lay_out(MatrixView embedding, std::span<const std::int32_t> labels,
                const PlotOptions& options) {
  require_valid(embedding, labels, options);
  std::vector<Group> groups = groups_of(labels, options.label_names);
  const ValueRange range = range_of(options.values);
  Box frame = whole_frame(options);
  Legend legend;
  ColourBar bar;
  if (!options.values.empty()) {
    bar = lay_out_bar(range, frame, options);
  } else if (!groups.empty()) {
    legend = lay_out_legend(groups, frame, options);
  }
  const std::vector<std::uint32_t> group_of_row = group_of_rows(labels, groups);
  RowColours colours = options.values.empty() ? colours_by_group(groups, group_of_row)
                                              : colours_by_value(options.values, range);
  const RowPlaces places(embedding, frame);
  std::vector<IslandLabel> islands;
  if (options.island_labels) {
    std::vector<Island> found = find_islands(places, groups, group_of_row);
    if (embedding.columns() == 1) {
      for (Island& island : found)
        island.anchor.y = frame.centre().y;  // a strip's height is chance
    }
    islands = place_labels(std::move(found), frame);
  }
  const double heading_width = options.width - 2 * kEdge;
  Picture picture{
      options.width,
      options.height,
      fitted_text(options.title, heading_width, kTitleSize, true),
      fitted_text(options.subtitle, heading_width, kSubtitleSize),
      fmt::format("{} rows in {} classes, by the first {} of the embedding.", embedding.rows(),
                  groups.size(), embedding.columns() == 1 ? "column" : "two columns"),
      {},
      {},
      describe_counts(places, range.missing),
      std::move(groups),
      frame,
      legend,
      std::move(bar),
      places,
      std::move(colours),
      std::move(islands)};
  lay_out_captions(picture, options, embedding.columns());
  return picture;
}

}  // namespace mbn
