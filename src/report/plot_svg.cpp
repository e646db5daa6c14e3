// SPDX-License-Identifier: Apache-2.0
//
// The document is text made in one go: heading, frame, points, legend, captions, all sizes in
// pixels. What keeps it good to look at and small:
//
// - A point is a stroke of no length with a round end ("M12.5 80h0"): a dozen bytes instead of a
//   circle element, and a whole class in one path.
// - Classes are drawn in turns. Drawn one after another, the last would cover the first wherever
//   they meet; so the points of each class are dealt into kTurns parts and the parts interleaved.
// - Both axes get the same scale, so that distances can be compared, unless the picture would then
//   be a thin line (one range more than kMostStretch times the other).
// - Points get smaller and more transparent the more there are.
// - With more rows than `max_points`, row floor(i * rows / max_points) is drawn for each i: no
//   randomness, and the same rows every time.
//
// One column becomes a strip: the height within it is the fraction of row * golden ratio, which
// spreads any run of rows evenly. Rows that are not finite cannot be drawn; the caption counts
// them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <mbn/error.hpp>
#include <mbn/report.hpp>

#include "report/palette.hpp"
#include "report/svg_text.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kLeastSide = 160;
constexpr std::uint32_t kMostSide = 20000;
constexpr std::size_t kTurns = 8;
constexpr double kMostStretch = 4;
constexpr double kEdge = 24;           // around the whole picture
constexpr double kCaption = 22;        // below the frame
constexpr double kInnerMargin = 0.04;  // share of the frame that stays free on each side
constexpr double kLineHeight = 19;
constexpr double kCharacter = 6.7;  // mean width in the legend's font
constexpr std::size_t kNameCharacters = 22;
constexpr std::size_t kTitleCharacters = 200;

/// One class of the legend.
struct Group {
  std::int32_t label = 0;
  std::string name;
  Colour colour;
  std::uint64_t rows = 0;
  std::vector<std::uint32_t> drawn;  ///< places in Picture::points
};

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

struct Legend {
  std::size_t columns = 0;
  std::size_t lines = 0;  ///< per column
  double column_width = 0;
  double width = 0;
};

struct Picture {
  std::vector<Group> groups;
  std::vector<Point> points;  ///< in pixels
  std::uint64_t rows = 0;
  std::uint64_t not_finite = 0;
  bool labelled = false;
  bool strip = false;
  Legend legend;
  Box frame;
};

void require_valid(MatrixView embedding, std::span<const std::int32_t> labels,
                   const PlotOptions& options) {
  if (!labels.empty() && labels.size() != embedding.rows()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format(
            "there are {} labels but {} rows to plot; give one label for every row, or none",
            labels.size(), embedding.rows()));
  }
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

std::string label_name(std::int32_t label, const std::vector<std::string>& names) {
  const bool named = label >= 0 && static_cast<std::size_t>(label) < names.size();
  return named ? names[static_cast<std::size_t>(label)] : fmt::format("{}", label);
}

/// The groups by ascending label. Small labels keep their colour from plot to plot, whichever other
/// labels there are; large ones are coloured by rank.
std::vector<Group> make_groups(std::span<const std::int32_t> labels, const PlotOptions& options) {
  std::vector<std::int32_t> sorted(labels.begin(), labels.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Group> groups;
  for (const std::int32_t label : sorted) {
    if (groups.empty() || groups.back().label != label) {
      groups.push_back({label, label_name(label, options.label_names), {}, 0, {}});
    }
    ++groups.back().rows;
  }
  const bool by_value =
      !groups.empty() && groups.back().label < static_cast<std::int32_t>(kPaletteSize);
  std::size_t negatives = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    if (group.label < 0) {
      group.colour = noise_colour(negatives++);
    } else {
      group.colour = class_colour(by_value ? static_cast<std::size_t>(group.label) : g - negatives);
    }
  }
  return groups;
}

Legend plan_legend(const std::vector<Group>& groups, double height) {
  std::size_t longest = 0;
  for (const Group& group : groups) {
    const std::size_t name = std::min(character_count(group.name), kNameCharacters);
    longest = std::max(longest, name + grouped_number(group.rows).size());
  }
  Legend legend;
  legend.lines = static_cast<std::size_t>(std::max(2.0, std::floor(height / kLineHeight)));
  legend.columns = std::clamp<std::size_t>((groups.size() + legend.lines - 1) / legend.lines, 1, 2);
  legend.column_width = 18 + 14 + kCharacter * static_cast<double>(longest) + 14;
  legend.width = legend.column_width * static_cast<double>(legend.columns);
  return legend;
}

/// Frame and legend. A legend that would take more than half of the width is left out.
void lay_out(Picture& picture, const PlotOptions& options) {
  double top = kEdge;
  if (!options.title.empty()) top += 26;
  if (!options.subtitle.empty()) top += 20;
  if (top > kEdge) top += 6;
  picture.frame = {kEdge, top, options.width - 2 * kEdge,
                   std::max(40.0, options.height - top - kCaption - kEdge)};
  if (!picture.labelled) return;
  const Legend legend = plan_legend(picture.groups, picture.frame.height);
  if (legend.width > options.width / 2.0) return;
  picture.legend = legend;
  picture.frame.width -= legend.width;
}

/// The rows to draw, in picture coordinates before scaling; rows that are not finite are counted.
std::vector<std::uint32_t> place_rows(Picture& picture, MatrixView embedding,
                                      std::uint32_t max_points) {
  const std::uint64_t rows = embedding.rows();
  const std::uint64_t count = max_points == 0 ? rows : std::min<std::uint64_t>(rows, max_points);
  const auto is_finite = [&](std::size_t row) {
    return std::isfinite(embedding.at(row, 0)) &&
           (picture.strip || std::isfinite(embedding.at(row, 1)));
  };
  for (std::size_t row = 0; row < rows; ++row) {
    if (!is_finite(row)) ++picture.not_finite;
  }
  std::vector<std::uint32_t> drawn;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::uint32_t>(i * rows / count);
    if (!is_finite(row)) continue;
    const double spread = row * (std::numbers::phi - 1);
    const double y = picture.strip ? spread - std::floor(spread) : embedding.at(row, 1);
    picture.points.push_back({embedding.at(row, 0), y});
    drawn.push_back(row);
  }
  return drawn;
}

struct Range {
  double low = 0;
  double high = 0;
  double size() const { return high - low; }
  double middle() const { return low + size() / 2; }
};

Range range_of(const std::vector<Point>& points, double Point::*coordinate) {
  if (points.empty()) return {};
  Range range{points[0].*coordinate, points[0].*coordinate};
  for (const Point& point : points) {
    range.low = std::min(range.low, point.*coordinate);
    range.high = std::max(range.high, point.*coordinate);
  }
  return range;
}

/// Turns coordinates into pixels. A range of no size lands in the middle.
void scale_points(Picture& picture) {
  const Range x = range_of(picture.points, &Point::x);
  // A strip's height means nothing: its middle half is used.
  const Range y = picture.strip ? Range{-0.5, 1.5} : range_of(picture.points, &Point::y);
  const double room_x = picture.frame.width * (1 - 2 * kInnerMargin);
  const double room_y = picture.frame.height * (1 - 2 * kInnerMargin);
  double scale_x = x.size() > 0 ? room_x / x.size() : 0;
  double scale_y = y.size() > 0 ? room_y / y.size() : 0;
  const bool comparable = x.size() > 0 && y.size() > 0 && x.size() < kMostStretch * y.size() &&
                          y.size() < kMostStretch * x.size();
  if (!picture.strip && comparable) scale_x = scale_y = std::min(scale_x, scale_y);
  const double centre_x = picture.frame.left + picture.frame.width / 2;
  const double centre_y = picture.frame.top + picture.frame.height / 2;
  for (Point& point : picture.points) {
    point.x = centre_x + (point.x - x.middle()) * scale_x;
    point.y = centre_y - (point.y - y.middle()) * scale_y;
  }
}

Picture make_picture(MatrixView embedding, std::span<const std::int32_t> labels,
                     const PlotOptions& options) {
  Picture picture;
  picture.rows = embedding.rows();
  picture.labelled = !labels.empty();
  picture.strip = embedding.columns() == 1;
  picture.groups = make_groups(labels, options);
  if (!picture.labelled) {
    picture.groups.push_back({0, {}, class_colour(0), embedding.rows(), {}});
  }
  lay_out(picture, options);
  const std::vector<std::uint32_t> drawn = place_rows(picture, embedding, options.max_points);
  scale_points(picture);
  for (std::uint32_t place = 0; place < drawn.size(); ++place) {
    const std::int32_t label = picture.labelled ? labels[drawn[place]] : 0;
    const auto group = std::lower_bound(
        picture.groups.begin(), picture.groups.end(), label,
        [](const Group& candidate, std::int32_t value) { return candidate.label < value; });
    group->drawn.push_back(place);
  }
  return picture;
}

void append_text(std::string& out, double x, double y, std::string_view attributes,
                 std::string_view text) {
  out += "<text x=\"";
  append_coordinate(out, x);
  out += "\" y=\"";
  append_coordinate(out, y);
  out += fmt::format("\"{}>{}</text>\n", attributes, xml_text(text));
}

void append_points(std::string& out, const Picture& picture) {
  const double count = std::max(1.0, static_cast<double>(picture.points.size()));
  const double size = std::clamp(30 * std::pow(count, -0.25), 2.2, 7.5);
  const double opacity = std::clamp(1.35 * std::pow(count, -0.08), 0.55, 0.9);
  out += fmt::format(
      "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"{:.1f}\" "
      "stroke-opacity=\"{:.2f}\">\n",
      size, opacity);
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    for (const Group& group : picture.groups) {
      if (group.drawn.size() <= turn) continue;
      out += fmt::format("<path stroke=\"{}\" d=\"", group.colour.hex());
      for (std::size_t i = turn; i < group.drawn.size(); i += kTurns) {
        const Point& point = picture.points[group.drawn[i]];
        out += 'M';
        append_coordinate(out, point.x);
        out += ' ';
        append_coordinate(out, point.y);
        out += "h0";
      }
      out += "\"/>\n";
    }
  }
  out += "</g>\n";
}

void append_legend(std::string& out, const Picture& picture) {
  const Legend& legend = picture.legend;
  if (legend.columns == 0) return;
  const std::size_t places = legend.columns * legend.lines;
  const bool all_fit = picture.groups.size() <= places;
  const std::size_t shown = all_fit ? picture.groups.size() : places - 1;
  const double left = picture.frame.left + picture.frame.width + 18;
  const auto corner = [&](std::size_t g) {
    const std::size_t column = g / legend.lines;
    const std::size_t line = g % legend.lines;
    return Point{left + legend.column_width * static_cast<double>(column),
                 picture.frame.top + kLineHeight * (static_cast<double>(line) + 0.5)};
  };
  out += "<g font-size=\"12\">\n";
  for (std::size_t g = 0; g < shown; ++g) {
    const Group& group = picture.groups[g];
    const Point place = corner(g);
    out += "<circle cx=\"";
    append_coordinate(out, place.x + 5);
    out += "\" cy=\"";
    append_coordinate(out, place.y);
    out += fmt::format("\" r=\"5\" fill=\"{}\"/>\n", group.colour.hex());
    append_text(out, place.x + 16, place.y + 4, "", shortened(group.name, kNameCharacters));
    append_text(out, place.x + legend.column_width - 18, place.y + 4,
                " text-anchor=\"end\" fill=\"#7a828c\"", grouped_number(group.rows));
  }
  if (!all_fit) {
    const Point place = corner(shown);
    append_text(out, place.x, place.y + 4, " fill=\"#7a828c\"",
                fmt::format("and {} more", grouped_number(picture.groups.size() - shown)));
  }
  out += "</g>\n";
}

void append_captions(std::string& out, const Picture& picture) {
  const Box& frame = picture.frame;
  out += "<g font-size=\"12\" fill=\"#7a828c\">\n";
  append_text(out, frame.left, frame.top + frame.height + 17, "", "component 1");
  if (!picture.strip) {
    const double x = frame.left - 8;
    const double y = frame.top + frame.height;
    append_text(out, x, y, fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y),
                "component 2");
  }
  std::string counts = grouped_number(picture.rows) + (picture.rows == 1 ? " row" : " rows");
  if (picture.points.size() + picture.not_finite < picture.rows) {
    counts += fmt::format(", {} drawn", grouped_number(picture.points.size()));
  }
  if (picture.not_finite > 0) {
    counts += fmt::format(", {} without finite values", grouped_number(picture.not_finite));
  }
  append_text(out, frame.left + frame.width, frame.top + frame.height + 17, " text-anchor=\"end\"",
              counts);
  out += "</g>\n";
}

/// How many characters of a mean width fit between the edges.
std::size_t fitting(const PlotOptions& options, double character) {
  return static_cast<std::size_t>((options.width - 2 * kEdge) / character);
}

void append_heading(std::string& out, const PlotOptions& options) {
  double y = kEdge;
  if (!options.title.empty()) {
    y += 14;
    append_text(out, kEdge, y, " font-size=\"20\" font-weight=\"600\"",
                shortened(options.title, fitting(options, 11.5)));
    y += 8;
  }
  if (!options.subtitle.empty()) {
    append_text(out, kEdge, y + 14, " font-size=\"13\" fill=\"#59616b\"",
                shortened(options.subtitle, fitting(options, 7.2)));
  }
}

}  // namespace

std::string plot_svg(MatrixView embedding, std::span<const std::int32_t> labels,
                     const PlotOptions& options) {
  require_valid(embedding, labels, options);
  const Picture picture = make_picture(embedding, labels, options);
  const std::string spoken = options.title.empty() ? "Scatter plot" : options.title;

  std::string out;
  out += fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif\" "
      "fill=\"#22272e\">\n<title>{2}</title>\n",
      options.width, options.height, xml_text(shortened(spoken, kTitleCharacters)));
  out += fmt::format("<desc>{} rows in {} classes, by the first {} of the embedding.</desc>\n",
                     picture.rows, picture.labelled ? picture.groups.size() : 0,
                     picture.strip ? "column" : "two columns");
  out += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", options.width,
                     options.height);
  append_heading(out, options);
  out += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" fill=\"none\" "
      "stroke=\"#d5dae0\"/>\n",
      picture.frame.left, picture.frame.top, picture.frame.width, picture.frame.height);
  append_points(out, picture);
  append_legend(out, picture);
  append_captions(out, picture);
  out += "</svg>\n";
  return out;
}

}  // namespace mbn
