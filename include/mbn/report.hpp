// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/tree.hpp>

namespace mbn {

struct PlotOptions {
  std::string title{};
  std::string subtitle{};
  /// Names of labels 0, 1, ... in the legend and in the picture; empty: their numbers.
  std::vector<std::string> label_names{};
  /// Pixels. A `.png` has twice as many on each side, so that it is sharp.
  std::uint32_t width = 900;
  std::uint32_t height = 720;
  /// What the columns mean ("component 1 (34 % of the variance)"): captions of the two axes. Empty
  /// for a map, whose axes mean nothing.
  std::vector<std::string> axis_names{};
  /// A number for each row that decides its colour, with a colour bar in place of the legend;
  /// empty: labels decide. What is not finite is drawn grey and counted. Labels then only name
  /// islands.
  std::vector<float> values{};
  std::string values_name{};
  /// The name of each label is written where its rows are densest, as far as there is room; with 2
  /// to 40 labels. Negative labels ("no class") have none.
  bool island_labels = true;
};

/// A scatter plot of the first two columns of an embedding, coloured by label or value (when there
/// are any), as an SVG document that any browser shows. One column is drawn as a strip. Above
/// 50,000 rows, cells of two pixels are shaded by the number of their rows, and no row is left out.
/// The same input gives the same bytes.
std::string plot_svg(MatrixView embedding, std::span<const std::int32_t> labels = {},
                     const PlotOptions& options = {});

/// The same picture in a file: `.svg`, `.png` or `.pdf`. The file appears whole or not at all.
/// InvalidArgument for any other ending, and for the last two in a build without cairo.
void write_plot(const std::filesystem::path& path, MatrixView embedding,
                std::span<const std::int32_t> labels = {}, const PlotOptions& options = {},
                bool overwrite = false);

/// Throws InvalidArgument when `write_plot` and `write_curves` would refuse the path's ending.
void check_plot_ending(const std::filesystem::path& path);

/// The colours of labels 0, 1, ... as "#rrggbb", apart for colour-blind readers too. After the last
/// they repeat.
std::vector<std::string> plot_palette();

/// The colours of continuous values as "#rrggbb", from the lowest (light) to the highest (dark).
std::vector<std::string> plot_scale();

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

/// The same in a file, as `write_plot` writes it.
void write_curves(const std::filesystem::path& path, std::span<const Curve> curves,
                  const CurveOptions& options = {}, bool overwrite = false);

struct TreePictureOptions {
  std::string title{};
  std::uint32_t width = 900;
};

/// A tree without its strays, as an SVG document: agreement grows from left to right, a branch is
/// as thick as it has rows, and each cluster at the right has the colour of its number.
/// InvalidArgument for no branch.
std::string tree_svg(std::span<const TreeBranch> branches, const TreePictureOptions& options = {});

/// The same in a file, as `write_plot` writes it.
void write_tree(const std::filesystem::path& path, std::span<const TreeBranch> branches,
                const TreePictureOptions& options = {}, bool overwrite = false);

}  // namespace mbn
