// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mbn {

/// How wide a text is at a font size, in pixels. The fonts of readers differ; this is DejaVu Sans,
/// one of the widest, so that what is laid out with it fits with the others too.
double text_width(std::string_view text, double size, bool bold = false);

/// The text, or as much of it as fits into `width`, ending with an ellipsis.
std::string fitted_text(std::string_view text, double width, double size, bool bold = false);

}  // namespace mbn
