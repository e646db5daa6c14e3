// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/report.hpp>

#include "input/files.hpp"
#include "report/cairo_canvas.hpp"

namespace mbn {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(CurveSvg, DrawsALineAndALegendPerCurve) {
  const std::vector<Curve> curves = {{"<mbn>", {1, 3, 7}, {0.5, 0.4, 0.3}},
                                     {"lsa", {1, 3, 7}, {0.4, 0.3, 0.2}}};
  const std::string svg = curve_svg(curves, {.title = "a & b", .x_name = "n", .y_name = "acc"});
  EXPECT_EQ(count(svg, "<polyline"), 2u + 6u);  // and the grid
  EXPECT_EQ(count(svg, "<circle"), 8u);
  EXPECT_NE(svg.find("&lt;mbn&gt;"), std::string::npos);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_EQ(svg.find("<mbn>"), std::string::npos);
  // The axes: steps of the logarithm are equal, and the highest point lies on the frame.
  EXPECT_NE(svg.find("points=\"64,64 380,132 696,200\""), std::string::npos) << svg;
}

TEST(WriteCurves, GoesByTheEnding) {
  const std::vector<Curve> curves = {{"mbn", {1, 3}, {0.5, 0.4}}};
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("mbn-write-curves-{}", getpid());
  std::filesystem::create_directories(folder);
  write_curves(folder / "c.svg", curves);
  EXPECT_GT(std::filesystem::file_size(folder / "c.svg"), 1000U);
  EXPECT_THROW(write_curves(folder / "c.gif", curves), InvalidArgument);
  if (has_cairo()) {
    write_curves(folder / "c.png", curves);
    EXPECT_GT(std::filesystem::file_size(folder / "c.png"), 5000U);
  }
  std::filesystem::remove_all(folder);
}

TEST(CurveSvg, RefusesWhatCannotBeDrawn) {
  files::expect_error<InvalidArgument>([] { curve_svg({}); }, {"no curve"});
  const std::vector<Curve> uneven = {{"a", {1, 2}, {1}}};
  files::expect_error<InvalidArgument>([&] { curve_svg(uneven); }, {"2 x and 1 y"});
  const std::vector<Curve> negative = {{"a", {-1}, {1}}};
  files::expect_error<InvalidArgument>([&] { curve_svg(negative); }, {"(-1, 1)"});
}

}  // namespace
}  // namespace mbn
