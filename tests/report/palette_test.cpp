// SPDX-License-Identifier: Apache-2.0
#include "report/palette.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <mbn/report.hpp>

namespace mbn {
namespace {

using Triple = std::array<double, 3>;
using Table3 = std::array<Triple, 3>;

Triple times(const Table3& table, const Triple& triple) {
  Triple out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out[i] += table[i][j] * triple[j];
  }
  return out;
}

Triple linear(Colour colour) {
  const auto part = [](std::uint8_t byte) {
    const double share = byte / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return {part(colour.red), part(colour.green), part(colour.blue)};
}

Triple lab(const Triple& rgb) {
  constexpr Table3 kXyz{{{0.4124564, 0.3575761, 0.1804375},
                         {0.2126729, 0.7151522, 0.0721750},
                         {0.0193339, 0.1191920, 0.9503041}}};
  constexpr Triple kWhite{0.95047, 1, 1.08883};
  Triple f = times(kXyz, rgb);
  for (std::size_t i = 0; i < 3; ++i) {
    const double share = f[i] / kWhite[i];
    f[i] = share > 0.008856 ? std::cbrt(share) : 7.787 * share + 16.0 / 116;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

// Machado, Oliveira and Fernandes (2009), full strength.
constexpr Table3 kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Table3 kProtanopia{{{0.152286, 1.052583, -0.204868},
                              {0.114503, 0.786281, 0.099216},
                              {-0.003882, -0.048116, 1.051998}}};
constexpr Table3 kDeuteranopia{{{0.367322, 0.860646, -0.227968},
                                {0.280085, 0.672501, 0.047413},
                                {-0.011820, 0.042940, 0.968881}}};
constexpr Table3 kTritanopia{{{1.255528, -0.076749, -0.178779},
                              {-0.078411, 0.930809, 0.147602},
                              {0.004733, 0.691367, 0.303900}}};

Triple seen(Colour colour, const Table3& vision) {
  Triple rgb = times(vision, linear(colour));
  for (double& part : rgb) part = std::min(1.0, std::max(0.0, part));
  return lab(rgb);
}

double lightness(Colour colour) {
  return seen(colour, kNormal)[0];
}

/// The least distance between any two of the first colours.
double least_distance(std::size_t colours, const Table3& vision) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < colours; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Triple a = seen(class_colour(i), vision);
      const Triple b = seen(class_colour(j), vision);
      least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  }
  return least;
}

TEST(Palette, ColoursStayApartInEveryVision) {
  // What the top of palette.cpp promises. 2.3 is what an eye just tells apart.
  EXPECT_GT(least_distance(6, kNormal), 43);
  EXPECT_GT(least_distance(10, kNormal), 39);
  EXPECT_GT(least_distance(20, kNormal), 26);
  EXPECT_GT(least_distance(50, kNormal), 14);
  for (const Table3& blindness : {kProtanopia, kDeuteranopia, kTritanopia}) {
    EXPECT_GT(least_distance(6, blindness), 23);
    EXPECT_GT(least_distance(10, blindness), 22);
    EXPECT_GT(least_distance(20, blindness), 14);
    EXPECT_GT(least_distance(50, blindness), 8);
  }
}

TEST(Palette, TheFirstTenDifferInGrey) {
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GT(std::abs(lightness(class_colour(i)) - lightness(class_colour(j))), 4.8)
          << i << " and " << j;
    }
  }
}

TEST(Palette, ColoursAreDifferentAndShowOnWhite) {
  std::set<std::string> colours;
  for (std::size_t i = 0; i < kPaletteSize; ++i) {
    colours.insert(class_colour(i).hex());
    EXPECT_LT(lightness(class_colour(i)), 83);
  }
  EXPECT_EQ(colours.size(), kPaletteSize);
  EXPECT_EQ(class_colour(kPaletteSize), class_colour(0));
  EXPECT_EQ(plot_palette().size(), kPaletteSize);
  EXPECT_EQ(plot_palette()[0], "#1e6fdb");
}

TEST(Palette, ShadesGetDarkerInEqualStepsInEveryVision) {
  for (const Table3& vision : {kNormal, kProtanopia, kDeuteranopia, kTritanopia}) {
    for (std::size_t i = 1; i < kShades; ++i) {
      const double step = seen(shade_colour(i - 1), vision)[0] - seen(shade_colour(i), vision)[0];
      EXPECT_GT(step, 0.3) << i;
      EXPECT_LT(step, 2.5) << i;
    }
  }
  EXPECT_LT(lightness(shade_colour(0)), 88);
  EXPECT_EQ(plot_scale().size(), kShades);
}

}  // namespace
}  // namespace mbn
