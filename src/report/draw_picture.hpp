// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/canvas.hpp"
#include "report/picture.hpp"

namespace mbn {

/// More rows than this are drawn as shaded cells instead of points.
inline constexpr std::size_t kMostDots = 50000;

void draw_picture(const Picture& picture, Canvas& canvas);

}  // namespace mbn
