// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/canvas.hpp"

namespace mbn {

/// A PNG file of an image.
std::string png_bytes(const Image& image);

/// Bytes as text of A-Z, a-z, 0-9, + and /, as data addresses need.
std::string base64(std::string_view bytes);

}  // namespace mbn
