// SPDX-License-Identifier: Apache-2.0
//
// Lines over a logarithmic axis, as the paper draws retrieval: x grows in equal steps from 1, 3, 7
// to 2^k - 1, y from 0 to the next tenth above the highest point. Every x that a curve has is
// labelled; points are marked, so that a curve of one point can be seen.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/report.hpp>

#include "report/palette.hpp"
#include "report/svg_text.hpp"

namespace mbn {

namespace {

constexpr double kLeft = 64;
constexpr double kRight = 24;
constexpr double kTop = 64;
constexpr double kBottom = 56;
constexpr double kLegendLine = 20;

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

std::string text(double x, double y, const char* attributes, std::string_view content) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, attributes,
                     xml_text(content));
}

void append_grid(std::string& out, const Frame& frame, std::span<const Curve> curves) {
  constexpr int kSteps = 5;
  for (int i = 0; i <= kSteps; ++i) {
    const double value = frame.top * i / kSteps;
    const double y = frame.y(value);
    out += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#e3e7ec\"/>\n",
        kLeft, y, kLeft + frame.width, y);
    out += text(kLeft - 8, y + 4, " text-anchor=\"end\"", fmt::format("{:.3g}", value));
  }
  std::set<double> places;
  for (const Curve& curve : curves) places.insert(curve.x.begin(), curve.x.end());
  double last = -1000;
  for (const double value : places) {
    if (frame.x(value) - last < 36) continue;
    last = frame.x(value);
    out +=
        text(last, kTop + frame.height + 20, " text-anchor=\"middle\"", fmt::format("{:g}", value));
  }
}

void append_curve(std::string& out, const Frame& frame, const Curve& curve, std::size_t number) {
  const std::string colour = class_colour(number).hex();
  std::string points;
  std::string marks;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double x = frame.x(curve.x[i]);
    const double y = frame.y(curve.y[i]);
    points += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", x, y);
    marks +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x, y, colour);
  }
  out += fmt::format("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"{}\" points=\"{}\"/>\n",
                     colour, points);
  out += marks;
  const double y = kTop + 14 + kLegendLine * static_cast<double>(number);
  const double right = kLeft + frame.width - 10;
  out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", right, y - 4,
                     colour);
  out += text(right - 12, y, " text-anchor=\"end\"", shortened(curve.name, 40));
}

}  // namespace

std::string curve_svg(std::span<const Curve> curves, const CurveOptions& options) {
  check(curves);
  const Frame frame = frame_of(curves, options);
  if (frame.width < 40 || frame.height < 40) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        fmt::format("a picture of {} x {} pixels has no room for curves; make it larger",
                    options.width, options.height));
  }
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif\" "
      "font-size=\"12\" fill=\"#22272e\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      options.width, options.height, xml_text(shortened(options.title, 80)));
  out += text(kLeft, 32, " font-size=\"18\" font-weight=\"600\"", shortened(options.title, 80));
  append_grid(out, frame, curves);
  for (std::size_t i = 0; i < curves.size(); ++i) append_curve(out, frame, curves[i], i);
  out += text(kLeft + frame.width / 2, kTop + frame.height + 42, " text-anchor=\"middle\"",
              options.x_name);
  out += text(kLeft, kTop - 10, "", options.y_name);
  out += "</svg>\n";
  return out;
}

}  // namespace mbn
