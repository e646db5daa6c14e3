// SPDX-License-Identifier: Apache-2.0
//
// Colours that stay apart for everybody. Distance between two colours is CIELAB's, in normal vision
// and as seen with each of the three colour blindnesses (Machado's matrices). The first ten were
// found by a random search that started from common chart colours and raised the least distance of
// any two, and the least difference of any two in lightness, which is what a grey print keeps. The
// others were added one at a time, each the colour farthest from all before it among those that
// show on white paper and are neither grey nor glaring. So the first few are the most different.
// The least distances:
//
//   colours           6     10    20    30    40    50
//   normal vision     43    39    26    19    16    14
//   any blindness     23    22    14    11    9     8
//   lightness alone   8.8   4.9   0
//
// Continuous values have a scale of their own: viridis, whose equal steps look equally large, also
// without colours or with a blindness. It is turned round, so that much is dark as in print, and
// ends before its brightest yellow, which is lost on white.
#include "report/palette.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace mbn {

namespace {

constexpr std::array<Colour, kPaletteSize> kColours{{
    {30, 111, 219},  {232, 150, 44},  {12, 91, 70},    {157, 145, 92},  {33, 223, 175},
    {62, 46, 85},    {183, 100, 156}, {106, 29, 141},  {160, 181, 242}, {168, 55, 9},
    {10, 37, 199},   {82, 37, 10},    {181, 208, 109}, {244, 199, 10},  {127, 199, 208},
    {208, 10, 100},  {145, 118, 199}, {244, 46, 55},   {163, 19, 127},  {28, 127, 46},
    {73, 172, 145},  {163, 19, 190},  {244, 109, 136}, {46, 154, 244},  {100, 10, 37},
    {118, 82, 244},  {226, 19, 181},  {226, 199, 145}, {46, 19, 145},   {46, 100, 154},
    {154, 100, 118}, {217, 100, 10},  {163, 217, 82},  {73, 28, 100},   {163, 208, 244},
    {73, 82, 46},    {109, 172, 73},  {127, 46, 10},   {226, 154, 127}, {190, 145, 208},
    {145, 10, 37},   {217, 154, 181}, {145, 64, 82},   {91, 46, 73},    {100, 190, 46},
    {163, 100, 82},  {10, 73, 172},   {163, 55, 118},  {217, 109, 244}, {244, 181, 172},
}};

constexpr std::array<Colour, 16> kScale{{
    {210, 226, 27},
    {168, 219, 52},
    {127, 211, 78},
    {90, 200, 100},
    {59, 187, 117},
    {38, 173, 129},
    {31, 158, 137},
    {33, 143, 141},
    {38, 129, 142},
    {44, 113, 142},
    {51, 98, 141},
    {59, 81, 139},
    {66, 63, 133},
    {71, 44, 122},
    {72, 23, 105},
    {68, 1, 84},
}};

std::uint8_t between(std::uint8_t low, std::uint8_t high, double share) {
  return static_cast<std::uint8_t>(std::lround(low + (high - low) * share));
}

}  // namespace

std::string Colour::hex() const {
  return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue);
}

Colour class_colour(std::size_t index) {
  return kColours[index % kPaletteSize];
}

Colour noise_colour(std::size_t index) {
  constexpr std::array<std::uint8_t, 4> kGreys{170, 135, 195, 110};
  const std::uint8_t grey = kGreys[index % kGreys.size()];
  return {grey, grey, grey};
}

Colour shade_colour(std::size_t shade) {
  const double share = static_cast<double>(shade) / (kShades - 1);
  const double place = share * static_cast<double>(kScale.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kScale.size() - 2);
  const Colour& low = kScale[below];
  const Colour& high = kScale[below + 1];
  const double part = place - static_cast<double>(below);
  return {between(low.red, high.red, part), between(low.green, high.green, part),
          between(low.blue, high.blue, part)};
}

}  // namespace mbn
