// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "report/canvas.hpp"

namespace mbn {

/// A picture of any kind: its size, what screen readers say, and how to draw it.
struct Drawing {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string title;
  std::string description;
  std::function<void(Canvas&)> draw;
};

std::string svg_of(const Drawing& drawing);

/// Writes `.svg`, `.png` or `.pdf`; the file appears whole or not at all. Any other ending is an
/// InvalidArgument, and so are the last two in a build without cairo.
void write_drawing(const std::filesystem::path& path, const Drawing& drawing, bool overwrite);

}  // namespace mbn
