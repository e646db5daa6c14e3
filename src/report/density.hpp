// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/canvas.hpp"
#include "report/row_colours.hpp"
#include "report/row_places.hpp"

namespace mbn {

/// All rows as an image of cells of two pixels (larger ones in a very large picture), for more rows
/// than can be told apart as points. The more rows a cell has, the stronger its colour. The image
/// fills the frame of `places`.
Image shaded_density(const RowPlaces& places, const RowColours& colours);

}  // namespace mbn
