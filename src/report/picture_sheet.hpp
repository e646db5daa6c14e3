// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <mbn/picture_shape.hpp>

#include "report/picture_file.hpp"

namespace mbn {

/// A line of a sheet: its caption, and pictures side by side; the first stands apart.
struct SheetLine {
  std::string caption;
  std::vector<std::vector<float>> pictures;  ///< each with as many numbers as the shape says
};

/// Pictures in lines, with captions. `low` is drawn black and `high` white. The lines must outlive
/// the drawing.
Drawing sheet_drawing(std::span<const SheetLine> lines, const PictureShape& shape, double low,
                      double high, std::string title);

}  // namespace mbn
