// SPDX-License-Identifier: Apache-2.0
//
// Widths of the printable ASCII characters in DejaVu Sans, in hundredths of the font's size. Other
// letters count as wide ones, those of East Asia as squares. Bold is at most a fifth wider.
#include "report/text_width.hpp"

#include <array>

#include "base/utf8.hpp"
#include "report/svg_text.hpp"

namespace mbn {

namespace {

constexpr std::array<unsigned char, 95> kHundredths{
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
constexpr double kBold = 1.14;

double hundredths(char32_t code) {
  if (code >= 0x20 && code < 0x7F) return kHundredths[code - 0x20];
  const bool square = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xD7A3) ||
                      (code >= 0xF900 && code <= 0xFAFF) || (code >= 0xFE30 && code <= 0xFE6F) ||
                      (code >= 0xFF00 && code <= 0xFF60) || code >= 0x1F000;
  return square ? 105 : 75;
}

}  // namespace

double text_width(std::string_view text, double size, bool bold) {
  double sum = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    sum += hundredths(character.bytes == 0 ? 0xFFFD : character.code);
    text.remove_prefix(std::max<std::size_t>(character.bytes, 1));
  }
  return sum / 100 * size * (bold ? kBold : 1);
}

std::string fitted_text(std::string_view text, double width, double size, bool bold) {
  std::size_t low = 1;  // an ellipsis at least
  std::size_t high = character_count(text);
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (text_width(shortened(text, middle), size, bold) <= width) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return shortened(text, low);
}

}  // namespace mbn
