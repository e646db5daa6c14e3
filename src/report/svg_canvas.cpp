// SPDX-License-Identifier: Apache-2.0
//
// A point is a stroke of no length with a round end ("M12.5 80h0"): a dozen bytes instead of a
// circle element, and all points of one colour in one path. An image is a PNG inside the document
// (a data address), so that a picture is one file. The white edge of a text is a second text below
// it: not every program knows `paint-order`.
#include "report/svg_canvas.hpp"

#include <fmt/format.h>

#include "report/png.hpp"
#include "report/svg_text.hpp"

namespace mbn {

namespace {

constexpr std::size_t kTitleCharacters = 200;

std::string_view name_of(Anchor anchor) {
  return anchor == Anchor::middle ? "middle" : "end";
}

std::string attributes_of(Point place, const TextStyle& style) {
  std::string out = fmt::format(" font-size=\"{:g}\"", style.size);
  if (style.bold) out += " font-weight=\"600\"";
  if (style.anchor != Anchor::start) {
    out += fmt::format(" text-anchor=\"{}\"", name_of(style.anchor));
  }
  if (style.upwards) {
    out += fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", place.x, place.y);
  }
  return out;
}

}  // namespace

SvgCanvas::SvgCanvas(std::uint32_t width, std::uint32_t height, std::string_view title,
                     std::string_view description) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif\" "
      "fill=\"{2}\">\n<title>{3}</title>\n<desc>{4}</desc>\n",
      width, height, kInk.hex(), xml_text(shortened(title, kTitleCharacters)),
      xml_text(description));
}

void SvgCanvas::number(const char* name, double value) {
  out_ += fmt::format(" {}=\"", name);
  append_coordinate(out_, value);
  out_ += '"';
}

void SvgCanvas::corners(const Box& box) {
  number("x", box.left);
  number("y", box.top);
  number("width", box.width);
  number("height", box.height);
}

void SvgCanvas::fill(const Box& box, Colour colour) {
  out_ += "<rect";
  corners(box);
  out_ += fmt::format(" fill=\"{}\"/>\n", colour.hex());
}

void SvgCanvas::outline(const Box& box, Colour colour) {
  out_ += "<rect";
  corners(box);
  out_ += fmt::format(" fill=\"none\" stroke=\"{}\"/>\n", colour.hex());
}

void SvgCanvas::polyline(std::span<const Point> corners, Colour colour, double width) {
  out_ += fmt::format("<polyline fill=\"none\" stroke=\"{}\"", colour.hex());
  number("stroke-width", width);
  out_ += " points=\"";
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i > 0) out_ += ' ';
    append_coordinate(out_, corners[i].x);
    out_ += ',';
    append_coordinate(out_, corners[i].y);
  }
  out_ += "\"/>\n";
}

void SvgCanvas::disc(Point centre, double radius, Colour colour) {
  out_ += "<circle";
  number("cx", centre.x);
  number("cy", centre.y);
  number("r", radius);
  out_ += fmt::format(" fill=\"{}\"/>\n", colour.hex());
}

void SvgCanvas::dots(std::span<const Point> centres, Colour colour, const DotStyle& style) {
  if (centres.empty()) return;
  out_ += fmt::format(
      "<path fill=\"none\" stroke-linecap=\"round\" stroke=\"{}\" stroke-width=\"{:.1f}\" "
      "stroke-opacity=\"{:.2f}\" d=\"",
      colour.hex(), style.size, style.opacity);
  for (const Point& centre : centres) {
    out_ += 'M';
    append_coordinate(out_, centre.x);
    out_ += ' ';
    append_coordinate(out_, centre.y);
    out_ += "h0";
  }
  out_ += "\"/>\n";
}

void SvgCanvas::image(const Box& box, const Image& image) {
  out_ += "<image";
  corners(box);
  out_ +=
      " preserveAspectRatio=\"none\" style=\"image-rendering:crisp-edges;image-rendering:"
      "pixelated\" href=\"data:image/png;base64,";
  out_ += base64(png_bytes(image));
  out_ += "\"/>\n";
}

void SvgCanvas::text_element(Point place, std::string_view attributes, std::string_view text) {
  out_ += "<text";
  number("x", place.x);
  number("y", place.y);
  out_ += fmt::format("{}>{}</text>\n", attributes, xml_text(text));
}

void SvgCanvas::text(Point place, std::string_view text, const TextStyle& style) {
  const std::string attributes = attributes_of(place, style);
  if (style.halo) {
    const std::string edge = fmt::format(
        " aria-hidden=\"true\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\" "
        "stroke-linejoin=\"round\" stroke-opacity=\"0.85\"",
        kPaper.hex(), kHaloShare * style.size);
    text_element(place, attributes + edge, text);
  }
  const std::string colour =
      style.colour == kInk ? std::string() : fmt::format(" fill=\"{}\"", style.colour.hex());
  text_element(place, attributes + colour, text);
}

std::string SvgCanvas::finish() {
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace mbn
