// SPDX-License-Identifier: Apache-2.0
//
// Points get smaller and more transparent the more there are. Colours are drawn in turns: drawn one
// after another, the last would cover the first wherever they meet; so the points of each colour
// are dealt into kTurns parts and the parts interleaved. Beyond kMostDots points there are cells.
#include "report/draw_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "report/density.hpp"
#include "report/svg_text.hpp"

namespace mbn {

namespace {

constexpr std::size_t kTurns = 8;
constexpr double kLegendLine = 19;

DotStyle dot_style(std::size_t points, const Box& frame) {
  const double count = std::max(1.0, static_cast<double>(points));
  const double room = std::clamp(std::sqrt(frame.width * frame.height / 500000), 0.5, 4.0);
  return {room * std::clamp(30 * std::pow(count, -0.25), 2.2, 7.5),
          std::clamp(1.35 * std::pow(count, -0.08), 0.55, 0.9)};
}

void draw_dots(const Picture& picture, Canvas& canvas) {
  const DotStyle style = dot_style(picture.places.drawable(), picture.frame);
  std::vector<std::vector<Point>> by_colour(picture.colours.colours.size());
  for (std::size_t row = 0; row < picture.places.rows(); ++row) {
    if (!picture.places.has_place(row)) continue;
    by_colour[picture.colours.colour_index(row)].push_back(picture.places.place(row));
  }
  std::vector<Point> part;
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    for (std::size_t colour = 0; colour < by_colour.size(); ++colour) {
      part.clear();
      for (std::size_t i = turn; i < by_colour[colour].size(); i += kTurns) {
        part.push_back(by_colour[colour][i]);
      }
      if (!part.empty()) canvas.dots(part, picture.colours.colours[colour], style);
    }
  }
}

void draw_islands(const Picture& picture, Canvas& canvas) {
  for (const IslandLabel& label : picture.islands) {
    if (!label.leader) continue;
    const std::array<Point, 2> leader{leader_start(label), label.anchor};
    canvas.polyline(leader, kPaper, 2.6);
    canvas.polyline(leader, kInk, 1);
  }
  for (const IslandLabel& label : picture.islands) {
    // The base line leaves room for the letters that go below it.
    const Point place{label.box.centre().x, label.box.bottom() - 0.3 * label.size};
    canvas.text(place, label.name,
                {.size = label.size, .anchor = Anchor::middle, .bold = true, .halo = true});
  }
}

void draw_legend(const Picture& picture, Canvas& canvas) {
  const Legend& legend = picture.legend;
  const std::size_t places = legend.columns * legend.lines;
  if (places == 0) return;
  const bool all_fit = picture.groups.size() <= places;
  const std::size_t shown = all_fit ? picture.groups.size() : places - 1;
  const auto corner = [&](std::size_t g) {
    return Point{legend.left + legend.column_width * static_cast<double>(g / legend.lines),
                 legend.top + kLegendLine * (static_cast<double>(g % legend.lines) + 0.5)};
  };
  for (std::size_t g = 0; g < shown; ++g) {
    const Group& group = picture.groups[g];
    const Point place = corner(g);
    canvas.disc({place.x + 5, place.y}, 5, group.colour);
    canvas.text({place.x + 16, place.y + 4}, group.name, {.size = kCaptionSize});
    canvas.text({place.x + legend.column_width - 18, place.y + 4}, grouped_number(group.rows),
                {.size = kCaptionSize, .colour = kFaintInk, .anchor = Anchor::end});
  }
  if (!all_fit) {
    const Point place = corner(shown);
    canvas.text({place.x, place.y + 4},
                fmt::format("and {} more", grouped_number(picture.groups.size() - shown)),
                {.size = kCaptionSize, .colour = kFaintInk});
  }
}

void draw_bar(const Picture& picture, Canvas& canvas) {
  const Box& box = picture.bar.box;
  if (box.width <= 0) return;
  canvas.text({box.left, box.top - 8}, picture.bar.name, {.size = kCaptionSize});
  const double step = box.height / kShades;
  for (std::size_t i = 0; i < kShades; ++i) {
    const double bottom = box.bottom() - step * static_cast<double>(i);
    // Each reaches under the next, so that no line shows between them.
    const double overlap = i + 1 < kShades ? 0.5 : 0;
    canvas.fill({box.left, bottom - step - overlap, box.width, step + overlap}, shade_colour(i));
  }
  const double right = box.right() + 8;
  canvas.text({right, box.top + 9}, picture.bar.high, {.size = kCaptionSize});
  canvas.text({right, box.bottom()}, picture.bar.low, {.size = kCaptionSize});
}

void draw_captions(const Picture& picture, Canvas& canvas) {
  const Box& frame = picture.frame;
  const double below = frame.bottom() + 17;
  TextStyle style{.size = kCaptionSize, .colour = kFaintInk};
  if (!picture.across.empty()) canvas.text({frame.left, below}, picture.across, style);
  style.anchor = Anchor::end;
  canvas.text({frame.right(), below}, picture.counts, style);
  if (picture.up.empty()) return;
  style.anchor = Anchor::start;
  style.upwards = true;
  canvas.text({frame.left - 8, frame.bottom()}, picture.up, style);
}

void draw_heading(const Picture& picture, Canvas& canvas) {
  const double left = picture.frame.left;
  double y = left;  // the edge is the same above and beside
  if (!picture.title.empty()) {
    y += 14;
    canvas.text({left, y}, picture.title, {.size = kTitleSize, .bold = true});
    y += 8;
  }
  if (!picture.subtitle.empty()) {
    canvas.text({left, y + 14}, picture.subtitle, {.size = kSubtitleSize, .colour = kFaintInk});
  }
}

}  // namespace

void draw_picture(const Picture& picture, Canvas& canvas) {
  canvas.fill({0, 0, static_cast<double>(picture.width), static_cast<double>(picture.height)},
              kPaper);
  draw_heading(picture, canvas);
  if (picture.places.drawable() > kMostDots) {
    canvas.image(picture.frame, shaded_density(picture.places, picture.colours));
  } else {
    draw_dots(picture, canvas);
  }
  canvas.outline(picture.frame, kLine);
  draw_islands(picture, canvas);
  draw_legend(picture, canvas);
  draw_bar(picture, canvas);
  draw_captions(picture, canvas);
}

}  // namespace mbn
