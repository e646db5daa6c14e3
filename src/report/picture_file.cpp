// SPDX-License-Identifier: Apache-2.0
#include "report/picture_file.hpp"

#include <cctype>

#include <fmt/format.h>

#include <mbn/error.hpp>
#include <mbn/report.hpp>

#include "base/atomic_file.hpp"
#include "report/cairo_canvas.hpp"
#include "report/svg_canvas.hpp"

namespace mbn {

namespace {

enum class PlotFormat : std::uint8_t { svg, png, pdf };

PlotFormat format_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& letter : ending) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  if (ending == ".svg") return PlotFormat::svg;
  if (ending != ".png" && ending != ".pdf") {
    throw InvalidArgument(
        ErrorCode::unknown_choice,
        fmt::format("{} does not end like a picture that can be drawn; use .svg, .png or .pdf",
                    path.string()),
        {.value = ending, .path = path});
  }
  if (!has_cairo()) {
    throw InvalidArgument(
        ErrorCode::unknown_choice,
        fmt::format("{}: this build draws .svg only; use that ending, or build mbn with cairo "
                    "(install libcairo2-dev, configure with -DMBN_CAIRO=ON)",
                    path.string()),
        {.value = ending, .path = path});
  }
  return ending == ".png" ? PlotFormat::png : PlotFormat::pdf;
}

std::string bytes_of(const Drawing& drawing, PlotFormat format) {
  if (format == PlotFormat::svg) return svg_of(drawing);
  return draw_with_cairo(format == PlotFormat::png ? CairoFormat::png : CairoFormat::pdf,
                         drawing.width, drawing.height, drawing.title, drawing.draw);
}

}  // namespace

std::string svg_of(const Drawing& drawing) {
  SvgCanvas canvas(drawing.width, drawing.height, drawing.title, drawing.description);
  drawing.draw(canvas);
  return canvas.finish();
}

void write_drawing(const std::filesystem::path& path, const Drawing& drawing, bool overwrite) {
  const PlotFormat format = format_of(path);
  AtomicFile file(path, overwrite);
  file.write(bytes_of(drawing, format));
  file.commit();
}

void check_plot_ending(const std::filesystem::path& path) {
  format_of(path);
}

}  // namespace mbn
