// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mbn {

/// How the columns of a row make a picture: line by line, with 1 (grey) or 3 (red, green, blue)
/// numbers for a pixel.
struct PictureShape {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::uint32_t channels = 1;

  bool empty() const { return height == 0 || width == 0; }
  std::uint64_t columns() const { return std::uint64_t{height} * width * channels; }
  bool operator==(const PictureShape&) const = default;
};

}  // namespace mbn
