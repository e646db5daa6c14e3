// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/canvas.hpp"

namespace mbn {

/// Draws an SVG document, as text.
class SvgCanvas final : public Canvas {
 public:
  /// `title` and `description` are read out by screen readers.
  SvgCanvas(std::uint32_t width, std::uint32_t height, std::string_view title,
            std::string_view description);

  void fill(const Box& box, Colour colour) override;
  void outline(const Box& box, Colour colour) override;
  void polyline(std::span<const Point> corners, Colour colour, double width) override;
  void disc(Point centre, double radius, Colour colour) override;
  void dots(std::span<const Point> centres, Colour colour, const DotStyle& style) override;
  void image(const Box& box, const Image& image) override;
  void text(Point place, std::string_view text, const TextStyle& style) override;

  /// Ends the document and hands it over.
  std::string finish();

 private:
  void number(const char* name, double value);
  void corners(const Box& box);
  void text_element(Point place, std::string_view attributes, std::string_view text);

  std::string out_;
};

}  // namespace mbn
