// SPDX-License-Identifier: Apache-2.0
//
// Colours that stay apart for everybody. Distance between two colours is CIELAB's, in normal vision
// and as seen with each of the three colour blindnesses (Machado's matrices). The first ten were
// found by a random search that started from common chart colours and raised the least distance of
// any two. The others were added one at a time, each the colour farthest from all before it among
// those that show on white paper (contrast above 1.5) and are neither grey nor glaring. So the
// first few are the most different, and lightness does as much of the work as hue. The least
// distances:
//
//   colours           6     10    20    30    40    50
//   normal vision     30    20    20    20    20    18
//   any blindness     24    14    14    11    9     7
#include "report/palette.hpp"

#include <array>

#include <fmt/format.h>

namespace mbn {

namespace {

constexpr std::array<Colour, kPaletteSize> kColours{{
    {29, 111, 219},  {241, 164, 15},  {35, 183, 135},  {146, 15, 15},   {166, 199, 233},
    {148, 124, 194}, {215, 174, 80},  {176, 64, 122},  {130, 107, 65},  {135, 153, 164},
    {100, 10, 145},  {55, 37, 64},    {10, 82, 64},    {91, 136, 10},   {190, 217, 154},
    {244, 100, 109}, {244, 199, 199}, {91, 19, 28},    {226, 136, 244}, {199, 10, 154},
    {73, 19, 91},    {100, 235, 118}, {208, 127, 73},  {217, 217, 82},  {163, 91, 100},
    {37, 64, 190},   {55, 73, 10},    {64, 100, 154},  {244, 145, 199}, {235, 82, 37},
    {154, 19, 64},   {100, 154, 100}, {145, 91, 190},  {64, 91, 100},   {73, 163, 226},
    {10, 37, 118},   {244, 208, 37},  {136, 28, 118},  {118, 181, 163}, {10, 163, 64},
    {136, 199, 109}, {163, 73, 37},   {154, 127, 127}, {244, 136, 46},  {190, 190, 163},
    {46, 127, 163},  {127, 226, 226}, {145, 127, 244}, {226, 136, 136}, {235, 91, 208},
}};

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

}  // namespace mbn
