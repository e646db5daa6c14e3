// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "report/canvas.hpp"

namespace mbn {

enum class CairoFormat : std::uint8_t { png, pdf };

/// Whether this build can draw `.png` and `.pdf` at all.
bool has_cairo();

/// The bytes of a picture that `draw` draws. InvalidArgument in a build without cairo, and when a
/// `.png` would be larger than cairo can draw.
std::string draw_with_cairo(CairoFormat format, std::uint32_t width, std::uint32_t height,
                            std::string_view title, const std::function<void(Canvas&)>& draw);

}  // namespace mbn
