// SPDX-License-Identifier: Apache-2.0
#include "report/picture_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/text_width.hpp"

namespace mbn {

namespace {

constexpr double kMargin = 16;
constexpr double kTitle = 40;
constexpr double kCaption = 18;
constexpr double kGap = 6;
constexpr double kApart = 18;  // between the first picture and the others
constexpr double kSide = 72;   // about as large is a picture drawn

struct Sheet {
  PictureShape shape;
  double low, factor;
  double width, height;  // of a picture, in pixels of the sheet

  double line() const { return kCaption + height + kApart; }
  double left_of(std::size_t picture) const {
    return kMargin + static_cast<double>(picture) * (width + kGap) + (picture == 0 ? 0 : kApart);
  }
};

// Whole pixels of the sheet for a pixel of the picture, or whole pixels of it for one of the sheet.
double enlargement(const PictureShape& shape) {
  const double side = std::max(shape.width, shape.height);
  return side <= kSide ? std::floor(kSide / side) : 1 / std::ceil(side / (2 * kSide));
}

Image image_of(const Sheet& sheet, std::span<const float> cells) {
  const auto shade = [&](float cell) {
    const double value = std::isnan(cell) ? 0 : (double{cell} - sheet.low) * sheet.factor;
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
  };
  Image image{sheet.shape.width, sheet.shape.height, {}};
  const std::size_t channels = sheet.shape.channels;
  for (std::size_t pixel = 0; pixel < cells.size() / channels; ++pixel) {
    for (std::size_t c = 0; c < 3; ++c) {
      image.pixels.push_back(shade(cells[pixel * channels + (channels == 3 ? c : 0)]));
    }
    image.pixels.push_back(255);
  }
  return image;
}

void draw(Canvas& canvas, std::span<const SheetLine> lines, const Sheet& sheet, const Box& paper,
          const std::string& title) {
  canvas.fill(paper, kPaper);
  canvas.text({kMargin, kMargin + 12}, fitted_text(title, paper.width - 2 * kMargin, 15, true),
              {.size = 15, .bold = true});
  double top = kTitle;
  for (const SheetLine& line : lines) {
    canvas.text({kMargin, top + 12}, fitted_text(line.caption, paper.width - 2 * kMargin, 12), {});
    for (std::size_t i = 0; i < line.pictures.size(); ++i) {
      const Box box{sheet.left_of(i), top + kCaption, sheet.width, sheet.height};
      canvas.image(box, image_of(sheet, line.pictures[i]));
      canvas.outline(box, kLine);
    }
    top += sheet.line();
  }
}

}  // namespace

Drawing sheet_drawing(std::span<const SheetLine> lines, const PictureShape& shape, double low,
                      double high, std::string title) {
  const double times = enlargement(shape);
  const Sheet sheet{shape, low, high > low ? 255 / (high - low) : 0, shape.width * times,
                    shape.height * times};
  std::size_t most = 1;
  for (const SheetLine& line : lines) most = std::max(most, line.pictures.size());
  constexpr double kLeastWidth = 480;
  const double width = std::max(kLeastWidth, sheet.left_of(most) + kMargin);
  const double height = kTitle + static_cast<double>(lines.size()) * sheet.line();
  const Box paper{0, 0, std::ceil(width), std::ceil(height)};
  std::string described = title + ": for each, its mean and the rows most like it.";
  return {static_cast<std::uint32_t>(paper.width), static_cast<std::uint32_t>(paper.height), title,
          std::move(described), [lines, sheet, paper, title](Canvas& canvas) {
            draw(canvas, lines, sheet, paper, title);
          }};
}

}  // namespace mbn
