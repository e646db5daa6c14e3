// SPDX-License-Identifier: Apache-2.0
//
// Pictures for programs that do not read SVG. A `.png` has two pixels for each of the layout's, so
// that it is sharp on today's screens and in print; a `.pdf` has 96 of the layout's pixels to the
// inch, as browsers do, and no date, so that the same rows give the same file. Errors stick to
// cairo's objects, so one look at the end is enough.
#include "report/cairo_canvas.hpp"

#include <fmt/format.h>

#include <mbn/error.hpp>

#ifdef MBN_HAS_CAIRO

#include <cairo-pdf.h>
#include <cairo.h>

#include <numbers>

#include "report/svg_text.hpp"

namespace mbn {

namespace {

constexpr double kPixelsPerPixel = 2;
constexpr double kPointsPerPixel = 0.75;
constexpr std::uint32_t kMostPixels = 32767;  // cairo's limit for a side
constexpr const char* kFont = "DejaVu Sans";  // the one that `text_width` knows

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;
using Context = std::unique_ptr<cairo_t, ContextDeleter>;

void require(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  if (status == CAIRO_STATUS_NO_MEMORY) {
    throw MemoryLimitExceeded(ErrorCode::memory,
                              "there is not enough memory to draw the picture; make it smaller");
  }
  throw InvalidArgument(
      ErrorCode::invalid,
      fmt::format("cairo cannot draw the picture ({}); draw it as .svg, or make it smaller",
                  cairo_status_to_string(status)));
}

/// The image on white paper, one number per pixel. Readers of PDF smooth colours and opacity apart
/// from each other, which leaves dark edges where nothing should be seen.
std::vector<std::uint32_t> on_paper(const Image& image) {
  std::vector<std::uint32_t> out(image.width * image.height);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint8_t* pixel = image.pixels.data() + 4 * i;
    const std::uint32_t opacity = pixel[3];
    for (std::size_t part = 0; part < 3; ++part) {
      const std::uint32_t level = pixel[part] * opacity + 255 * (255 - opacity);
      out[i] |= (level + 127) / 255 << (16 - 8 * part);
    }
  }
  return out;
}

class CairoCanvas final : public Canvas {
 public:
  explicit CairoCanvas(cairo_t* context) : context_(context) {}

  void fill(const Box& box, Colour colour) override {
    paint(colour);
    cairo_rectangle(context_, box.left, box.top, box.width, box.height);
    cairo_fill(context_);
  }

  void outline(const Box& box, Colour colour) override {
    paint(colour);
    cairo_set_line_width(context_, 1);
    cairo_rectangle(context_, box.left, box.top, box.width, box.height);
    cairo_stroke(context_);
  }

  void polyline(std::span<const Point> corners, Colour colour, double width) override {
    paint(colour);
    cairo_set_line_width(context_, width);
    for (const Point& corner : corners) cairo_line_to(context_, corner.x, corner.y);
    cairo_stroke(context_);
  }

  void disc(Point centre, double radius, Colour colour) override {
    paint(colour);
    cairo_arc(context_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    cairo_fill(context_);
  }

  void dots(std::span<const Point> centres, Colour colour, const DotStyle& style) override {
    paint(colour, style.opacity);
    cairo_set_line_width(context_, style.size);
    cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
    for (const Point& centre : centres) {
      cairo_move_to(context_, centre.x, centre.y);
      cairo_close_path(context_);
    }
    cairo_stroke(context_);
    cairo_set_line_cap(context_, CAIRO_LINE_CAP_BUTT);
  }

  void image(const Box& box, const Image& image) override {
    std::vector<std::uint32_t> pixels = on_paper(image);
    const auto width = static_cast<int>(image.width);
    const auto height = static_cast<int>(image.height);
    const Surface source(
        cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(pixels.data()),
                                            CAIRO_FORMAT_RGB24, width, height, 4 * width));
    cairo_save(context_);
    cairo_translate(context_, box.left, box.top);
    cairo_scale(context_, box.width / width, box.height / height);
    cairo_set_source_surface(context_, source.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
    cairo_paint(context_);
    cairo_restore(context_);
    // The page may keep the source until it is written; the pixels go now.
    cairo_surface_flush(cairo_get_target(context_));
    cairo_surface_finish(source.get());
  }

  void text(Point place, std::string_view text, const TextStyle& style) override {
    const std::string clean = clean_text(text);
    cairo_select_font_face(context_, kFont, CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, style.size);
    cairo_text_extents_t extents{};
    cairo_text_extents(context_, clean.c_str(), &extents);
    double shift = 0;
    if (style.anchor == Anchor::middle) shift = -extents.x_advance / 2;
    if (style.anchor == Anchor::end) shift = -extents.x_advance;
    cairo_save(context_);
    cairo_translate(context_, place.x, place.y);
    if (style.upwards) cairo_rotate(context_, -std::numbers::pi / 2);
    if (style.halo) {
      paint(kPaper, 0.85);
      cairo_set_line_width(context_, kHaloShare * style.size);
      cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
      cairo_move_to(context_, shift, 0);
      cairo_text_path(context_, clean.c_str());
      cairo_stroke(context_);
    }
    paint(style.colour);
    cairo_move_to(context_, shift, 0);
    cairo_show_text(context_, clean.c_str());
    cairo_restore(context_);
    cairo_new_path(context_);
  }

 private:
  void paint(Colour colour, double opacity = 1) {
    cairo_set_source_rgba(context_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                          opacity);
  }

  cairo_t* context_;
};

cairo_status_t append_bytes(void* out, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

void draw_on(cairo_surface_t* surface, double scale, const std::function<void(Canvas&)>& draw) {
  const Context context(cairo_create(surface));
  cairo_scale(context.get(), scale, scale);
  CairoCanvas canvas(context.get());
  draw(canvas);
  require(cairo_status(context.get()));
}

std::string draw_png(std::uint32_t width, std::uint32_t height,
                     const std::function<void(Canvas&)>& draw) {
  const auto pixels = [](std::uint32_t side) { return static_cast<int>(side * kPixelsPerPixel); };
  if (std::max(width, height) * kPixelsPerPixel > kMostPixels) {
    throw InvalidArgument(
        ErrorCode::too_large,
        fmt::format("a .png of {} x {} is drawn with twice as many pixels, and a side has at most "
                    "{}; make it smaller, or draw it as .svg",
                    width, height, kMostPixels));
  }
  const Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height)));
  require(cairo_surface_status(surface.get()));
  draw_on(surface.get(), kPixelsPerPixel, draw);
  std::string out;
  require(cairo_surface_write_to_png_stream(surface.get(), append_bytes, &out));
  return out;
}

std::string draw_pdf(std::uint32_t width, std::uint32_t height, std::string_view title,
                     const std::function<void(Canvas&)>& draw) {
  std::string out;
  const Surface surface(cairo_pdf_surface_create_for_stream(
      append_bytes, &out, width * kPointsPerPixel, height * kPointsPerPixel));
  require(cairo_surface_status(surface.get()));
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE,
                                 clean_text(title).c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, nullptr);
  draw_on(surface.get(), kPointsPerPixel, draw);
  cairo_surface_finish(surface.get());
  require(cairo_surface_status(surface.get()));
  return out;
}

}  // namespace

bool has_cairo() {
  return true;
}

std::string draw_with_cairo(CairoFormat format, std::uint32_t width, std::uint32_t height,
                            std::string_view title, const std::function<void(Canvas&)>& draw) {
  return format == CairoFormat::png ? draw_png(width, height, draw)
                                    : draw_pdf(width, height, title, draw);
}

}  // namespace mbn

#else

namespace mbn {

bool has_cairo() {
  return false;
}

std::string draw_with_cairo(CairoFormat, std::uint32_t, std::uint32_t, std::string_view,
                            const std::function<void(Canvas&)>&) {
  throw InvalidArgument(ErrorCode::unknown_choice,
                        "this build draws .svg only; draw that, or build mbn with cairo "
                        "(libcairo2-dev, -DMBN_CAIRO=ON)");
}

}  // namespace mbn

#endif
