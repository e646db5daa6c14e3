// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mbn/matrix.hpp>

namespace mbn {

struct PlotOptions {
  std::string title;
  std::string subtitle;
  /// Names of the labels for the legend; empty: their numbers.
  std::vector<std::string> label_names;
  std::uint32_t width = 900;
  std::uint32_t height = 720;
  /// Rows drawn at most (0: all). A fixed spread over the rows is kept, so files stay small.
  std::uint32_t max_points = 20000;
};

/// A scatter plot of the first two columns of an embedding, coloured by label (when there are any),
/// as an SVG document that any browser shows. One column is drawn as a strip.
std::string plot_svg(MatrixView embedding, std::span<const std::int32_t> labels = {},
                     const PlotOptions& options = {});

/// A line through points, for `curve_svg`. Neither x nor y may be negative.
struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
};

struct CurveOptions {
  std::string title;
  std::string x_name;
  std::string y_name;
  std::uint32_t width = 720;
  std::uint32_t height = 460;
};

/// Curves over a logarithmic x axis, as an SVG document with a legend.
std::string curve_svg(std::span<const Curve> curves, const CurveOptions& options = {});

}  // namespace mbn
