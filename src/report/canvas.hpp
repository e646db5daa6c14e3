// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "report/palette.hpp"

namespace mbn {

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  Point centre() const { return {left + width / 2, top + height / 2}; }
};

/// Pixels from the upper left corner, line by line: red, green, blue, opacity.
struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> pixels;
};

enum class Anchor : std::uint8_t { start, middle, end };

inline constexpr Colour kInk{34, 39, 46};
inline constexpr Colour kFaintInk{89, 97, 107};
inline constexpr Colour kLine{213, 218, 224};
inline constexpr Colour kPaper{255, 255, 255};

/// Width of the white edge of a text, of the text's size: half of it shows on each side.
inline constexpr double kHaloShare = 0.28;

struct TextStyle {
  double size = 12;
  Colour colour = kInk;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upwards = false;  ///< turned by a quarter, read from below
  bool halo = false;     ///< a white edge, to be read on points
};

struct DotStyle {
  double size = 4;  ///< diameter
  double opacity = 1;
};

/// What a picture is drawn on, in pixels from the upper left corner. What is drawn later covers
/// what was there.
class Canvas {
 public:
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  virtual ~Canvas() = default;

  virtual void fill(const Box& box, Colour colour) = 0;
  virtual void outline(const Box& box, Colour colour) = 0;
  virtual void polyline(std::span<const Point> corners, Colour colour, double width) = 0;
  virtual void disc(Point centre, double radius, Colour colour) = 0;
  /// Many round points at once. Where they meet, they do not add up.
  virtual void dots(std::span<const Point> centres, Colour colour, const DotStyle& style) = 0;
  /// The image fills the box; its pixels stay sharp squares.
  virtual void image(const Box& box, const Image& image) = 0;
  /// `place` is on the text's base line. Any bytes are taken; see `clean_text`.
  virtual void text(Point place, std::string_view text, const TextStyle& style) = 0;
};

}  // namespace mbn
