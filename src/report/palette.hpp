// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mbn {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Colour&) const = default;
  std::string hex() const;  ///< "#rrggbb"
};

/// Different colours for classes; after that many they repeat.
inline constexpr std::size_t kPaletteSize = 50;

/// The colour of class `index`, visible on white paper.
Colour class_colour(std::size_t index);

/// Greys for negative labels, which by custom mean "no class".
Colour noise_colour(std::size_t index);

/// Shades for continuous values, from the lowest (0, light) to the highest (dark).
inline constexpr std::size_t kShades = 64;
Colour shade_colour(std::size_t shade);

}  // namespace mbn
