// SPDX-License-Identifier: Apache-2.0
//
// A plot is laid out once (picture), and then drawn on what the file's ending asks for: SVG as text
// of our own, PNG and PDF by cairo.
#include <mbn/report.hpp>

#include "report/draw_picture.hpp"
#include "report/palette.hpp"
#include "report/picture.hpp"
#include "report/picture_file.hpp"

namespace mbn {

namespace {

/// The picture must outlive the drawing.
Drawing drawing_of(const Picture& picture) {
  return {picture.width, picture.height, picture.title.empty() ? "Scatter plot" : picture.title,
          picture.description, [&](Canvas& canvas) { draw_picture(picture, canvas); }};
}

}  // namespace

std::string plot_svg(MatrixView embedding, std::span<const std::int32_t> labels,
                     const PlotOptions& options) {
  const Picture picture = lay_out(embedding, labels, options);
  return svg_of(drawing_of(picture));
}

void write_plot(const std::filesystem::path& path, MatrixView embedding,
                std::span<const std::int32_t> labels, const PlotOptions& options, bool overwrite) {
  check_plot_ending(path);
  const Picture picture = lay_out(embedding, labels, options);
  write_drawing(path, drawing_of(picture), overwrite);
}

std::vector<std::string> plot_palette() {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < kPaletteSize; ++i) out.push_back(class_colour(i).hex());
  return out;
}

std::vector<std::string> plot_scale() {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < kShades; ++i) out.push_back(shade_colour(i).hex());
  return out;
}

}  // namespace mbn
