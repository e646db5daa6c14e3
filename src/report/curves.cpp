// SPDX-License-Identifier: Apache-2.0
//
// Lines over a logarithmic axis, as the paper draws retrieval: x grows in equal steps from 1, 3, 7
// to 2^k - 1, y from 0 to the next tenth above the highest point. Every x that a curve has is
// labelled; points are marked, so that a curve of one point can be seen.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/report.hpp>

#include "report/canvas.hpp"
#include "report/palette.hpp"
#include "report/picture_file.hpp"
#include "report/svg_text.hpp"
#include "report/text_width.hpp"

namespace mbn {

namespace {

constexpr double kLeft = 64;
constexpr double kRight = 24;
constexpr double kTop = 64;
constexpr double kBottom = 56;
constexpr double kLegendLine = 20;
constexpr double kTitleSize = 18;
constexpr Colour kGrid{227, 231, 236};

struct Frame {
  double width = 0;
  double height = 0;
  double low = 0;   // log2(x + 1) at the left edge
  double high = 1;  // and at the right
  double top = 1;   // y at the upper edge

  double x(double value) const {
    const double share = high > low ? (std::log2(value + 1) - low) / (high - low) : 0.5;
    return kLeft + share * width;
  }
  double y(double value) const { return kTop + (1 - value / top) * height; }
};

void check(std::span<const Curve> curves) {
  if (curves.empty()) {
    throw InvalidArgument(ErrorCode::too_small, "there is no curve to draw; give at least one");
  }
  for (const Curve& curve : curves) {
    if (curve.x.empty() || curve.x.size() != curve.y.size()) {
      throw InvalidArgument(ErrorCode::does_not_fit,
                            fmt::format("curve '{}' has {} x and {} y; give as many of both",
                                        curve.name, curve.x.size(), curve.y.size()));
    }
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!(curve.x[i] >= 0) || !std::isfinite(curve.x[i]) || !(curve.y[i] >= 0) ||
          !std::isfinite(curve.y[i])) {
        throw InvalidArgument(ErrorCode::invalid,
                              fmt::format("curve '{}' has the point ({}, {}), which is negative or "
                                          "not finite; leave it out",
                                          curve.name, curve.x[i], curve.y[i]));
      }
    }
  }
}

Frame frame_of(std::span<const Curve> curves, const CurveOptions& options) {
  Frame frame{options.width - kLeft - kRight, options.height - kTop - kBottom};
  double smallest = curves[0].x[0];
  double largest = smallest;
  double highest = 0;
  for (const Curve& curve : curves) {
    for (const double x : curve.x) {
      smallest = std::min(smallest, x);
      largest = std::max(largest, x);
    }
    for (const double y : curve.y) highest = std::max(highest, y);
  }
  frame.low = std::log2(smallest + 1);
  frame.high = std::log2(largest + 1);
  frame.top = highest > 0 ? std::ceil(highest * 10 - 1e-9) / 10 : 1;
  return frame;
}

void draw_grid(Canvas& canvas, const Frame& frame, std::span<const Curve> curves) {
  constexpr int kSteps = 5;
  for (int i = 0; i <= kSteps; ++i) {
    const double value = frame.top * i / kSteps;
    const double y = frame.y(value);
    const std::array<Point, 2> line{{{kLeft, y}, {kLeft + frame.width, y}}};
    canvas.polyline(line, kGrid, 1);
    canvas.text({kLeft - 8, y + 4}, fmt::format("{:.3g}", value), {.anchor = Anchor::end});
  }
  std::set<double> places;
  for (const Curve& curve : curves) places.insert(curve.x.begin(), curve.x.end());
  double last = -1000;
  for (const double value : places) {
    if (frame.x(value) - last < 36) continue;
    last = frame.x(value);
    canvas.text({last, kTop + frame.height + 20}, fmt::format("{:g}", value),
                {.anchor = Anchor::middle});
  }
}

void draw_curve(Canvas& canvas, const Frame& frame, const Curve& curve, std::size_t number) {
  const Colour colour = class_colour(number);
  std::vector<Point> points;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    points.push_back({frame.x(curve.x[i]), frame.y(curve.y[i])});
  }
  canvas.polyline(points, colour, 2);
  for (const Point& point : points) canvas.disc(point, 3.5, colour);
  const double y = kTop + 14 + kLegendLine * static_cast<double>(number);
  const double right = kLeft + frame.width - 10;
  canvas.disc({right, y - 4}, 5, colour);
  canvas.text({right - 12, y}, shortened(curve.name, 40), {.anchor = Anchor::end});
}

void draw_curves(Canvas& canvas, std::span<const Curve> curves, const CurveOptions& options) {
  const Frame frame = frame_of(curves, options);
  canvas.fill({0, 0, static_cast<double>(options.width), static_cast<double>(options.height)},
              kPaper);
  canvas.text({kLeft, 32}, fitted_text(options.title, frame.width, kTitleSize, true),
              {.size = kTitleSize, .bold = true});
  draw_grid(canvas, frame, curves);
  for (std::size_t i = 0; i < curves.size(); ++i) draw_curve(canvas, frame, curves[i], i);
  canvas.text({kLeft + frame.width / 2, kTop + frame.height + 42}, options.x_name,
              {.anchor = Anchor::middle});
  canvas.text({kLeft, kTop - 10}, options.y_name, {});
}

/// Curves and options must outlive the drawing.
Drawing drawing_of(std::span<const Curve> curves, const CurveOptions& options) {
  check(curves);
  const Frame frame = frame_of(curves, options);
  if (frame.width < 40 || frame.height < 40) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        fmt::format("a picture of {} x {} pixels has no room for curves; make it larger",
                    options.width, options.height));
  }
  return {options.width, options.height, options.title,
          fmt::format("{} curves of {} over {}.", curves.size(), options.y_name, options.x_name),
          [curves, &options](Canvas& canvas) { draw_curves(canvas, curves, options); }};
}

}  // namespace

std::string curve_svg(std::span<const Curve> curves, const CurveOptions& options) {
  return svg_of(drawing_of(curves, options));
}

void write_curves(const std::filesystem::path& path, std::span<const Curve> curves,
                  const CurveOptions& options, bool overwrite) {
  write_drawing(path, drawing_of(curves, options), overwrite);
}

}  // namespace mbn
