// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/picture_shape.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// Small pictures of rows, one after the other, each line by line.
struct Thumbnails {
  PictureShape shape;
  std::vector<std::uint32_t> rows;   ///< whose they are, ascending; empty: all rows have one
  std::vector<std::uint8_t> pixels;  ///< 0 is black, 255 white

  bool empty() const { return pixels.empty(); }
};

/// Pictures of at most 64 pixels on a side: of all rows when they take at most `bytes` of the page,
/// else of the `exemplars`. Numbers other than bytes are stretched from the least to the largest.
/// InvalidArgument when rows do not have as many columns as the shape says.
Thumbnails make_thumbnails(RowsView rows, const PictureShape& shape,
                           std::span<const std::uint32_t> exemplars, std::uint64_t bytes);

}  // namespace mbn
