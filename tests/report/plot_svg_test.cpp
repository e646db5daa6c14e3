// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <mbn/error.hpp>
#include <mbn/generate.hpp>
#include <mbn/report.hpp>

#include "report/palette.hpp"
#include "report/svg_text.hpp"

namespace mbn {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
bool lacks(const std::string& text, const std::string& part) {
  return !holds(text, part);
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// The pixels of all points, read back from the paths.
std::vector<std::pair<double, double>> points_of(const std::string& svg) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t path = svg.find(" d=\""); path != std::string::npos;
       path = svg.find(" d=\"", path + 1)) {
    const std::size_t end = svg.find('"', path + 4);
    for (std::size_t at = svg.find('M', path); at < end; at = svg.find('M', at + 1)) {
      const std::size_t blank = svg.find(' ', at);
      points.emplace_back(std::stod(svg.substr(at + 1)), std::stod(svg.substr(blank + 1)));
    }
  }
  return points;
}

void expect_inside(const std::string& svg, const PlotOptions& options = {}) {
  for (const auto& [x, y] : points_of(svg)) {
    EXPECT_GE(x, 24);
    EXPECT_LE(x, options.width - 24);
    EXPECT_GE(y, 24);
    EXPECT_LE(y, options.height - 24);
  }
  EXPECT_PRED2(lacks, svg, "nan");
  EXPECT_PRED2(lacks, svg, "inf");
}

TEST(PlotSvg, DrawsEveryRowAndNamesTheClasses) {
  const Table table = generate({.kind = ToyKind::ring, .rows = 300});
  const PlotOptions options{"Ring", "two blobs", {"path", "left", "right"}};
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values, options);
  EXPECT_EQ(points_of(svg).size(), 300U);
  expect_inside(svg);
  for (const char* text : {"<title>Ring</title>", ">Ring</text>", ">two blobs</text>",
                           ">path</text>", ">left</text>", ">right</text>", ">110</text>",
                           ">component 1</text>", ">component 2</text>", ">300 rows</text>"}) {
    EXPECT_PRED2(holds, svg, text);
  }
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(PlotSvg, IsTheSameEveryTime) {
  const Table table = generate({.rows = 500});
  EXPECT_EQ(plot_svg(table.rows.dense(), table.labels->values),
            plot_svg(table.rows.dense(), table.labels->values));
}

TEST(PlotSvg, KeepsTheShapeOfComparableRanges) {
  const std::vector<float> corners{0, 0, 2, 0, 2, 1, 0, 1};
  const auto points = points_of(plot_svg(MatrixView(corners.data(), 4, 2)));
  ASSERT_EQ(points.size(), 4U);
  std::vector<double> xs;
  std::vector<double> ys;
  for (const auto& [x, y] : points) {
    xs.push_back(x);
    ys.push_back(y);
  }
  const auto [left, right] = std::minmax_element(xs.begin(), xs.end());
  const auto [top, bottom] = std::minmax_element(ys.begin(), ys.end());
  EXPECT_NEAR(*right - *left, 2 * (*bottom - *top), 0.3);
  // The same room on both sides of the frame, and the first row at its lower left.
  EXPECT_NEAR(*left + *right, 900, 0.3);
  EXPECT_EQ(points[0], (std::pair{*left, *bottom}));
}

TEST(PlotSvg, FillsTheFrameWhenRangesDifferTooMuch) {
  const std::vector<float> corners{0, 0, 1000, 1};
  const auto points = points_of(plot_svg(MatrixView(corners.data(), 2, 2)));
  ASSERT_EQ(points.size(), 2U);
  EXPECT_GT(std::abs(points[0].second - points[1].second), 500);
}

TEST(PlotSvg, EqualRowsLandInTheMiddle) {
  const std::string svg = plot_svg(Matrix(50, 2));
  expect_inside(svg);
  for (const auto& point : points_of(svg)) EXPECT_NEAR(point.first, 450, 0.1);
}

TEST(PlotSvg, OneColumnIsAStrip) {
  const Table table = generate({.rows = 200, .columns = 1});
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values);
  expect_inside(svg);
  EXPECT_PRED2(lacks, svg, "component 2");
  std::set<double> heights;
  for (const auto& point : points_of(svg)) heights.insert(point.second);
  EXPECT_GT(heights.size(), 150U);
}

TEST(PlotSvg, EmptyDataGivesAnEmptyFrame) {
  const std::string svg = plot_svg(Matrix(0, 2));
  EXPECT_TRUE(points_of(svg).empty());
  EXPECT_PRED2(holds, svg, ">0 rows</text>");
}

TEST(PlotSvg, WithoutLabelsThereIsNoLegend) {
  EXPECT_PRED2(lacks, plot_svg(generate({.rows = 20}).rows.dense()), "<circle");
}

TEST(PlotSvg, RowsThatAreNotFiniteAreLeftOutAndCounted) {
  Table table = generate({.rows = 30});
  table.rows.dense().mutable_row<float>(3)[0] = std::numeric_limits<float>::quiet_NaN();
  table.rows.dense().mutable_row<float>(4)[1] = std::numeric_limits<float>::infinity();
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values);
  expect_inside(svg);
  EXPECT_EQ(points_of(svg).size(), 28U);
  EXPECT_PRED2(holds, svg, "30 rows, 2 without finite values");
}

TEST(PlotSvg, LargestFloatsDoNotOverflow) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const std::vector<float> corners{-kLargest, kLargest, kLargest, -kLargest, 0, 0};
  const std::string svg = plot_svg(MatrixView(corners.data(), 3, 2));
  expect_inside(svg);
  EXPECT_EQ(points_of(svg).size(), 3U);
}

TEST(PlotSvg, DrawsAtMostMaxPoints) {
  const Table table = generate({.rows = 5000});
  PlotOptions options;
  options.max_points = 700;
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values, options);
  EXPECT_EQ(points_of(svg).size(), 700U);
  EXPECT_PRED2(holds, svg, "5,000 rows, 700 drawn");
  EXPECT_PRED2(holds, svg, ">2,499</text>");
  options.max_points = 0;
  EXPECT_EQ(points_of(plot_svg(table.rows.dense(), {}, options)).size(), 5000U);
}

TEST(PlotSvg, NegativeLabelsAreGreyAndNamedByNumber) {
  const Matrix rows(3, 2);
  PlotOptions options;
  options.label_names = {"first"};
  const std::string svg = plot_svg(rows, std::vector<std::int32_t>{-1, 0, 70}, options);
  for (const char* text : {">-1</text>", ">first</text>", ">70</text>"}) {
    EXPECT_PRED2(holds, svg, text);
  }
  EXPECT_PRED2(holds, svg, noise_colour(0).hex());
  EXPECT_PRED2(holds, svg, class_colour(0).hex());
  EXPECT_PRED2(holds, svg, class_colour(1).hex());
}

TEST(PlotSvg, ALabelKeepsItsColourWithoutTheOthers) {
  const std::string svg = plot_svg(Matrix(1, 2), std::vector<std::int32_t>{4});
  EXPECT_PRED2(holds, svg, class_colour(4).hex());
}

TEST(PlotSvg, ManyClassesEndTheLegendWithTheirNumber) {
  const Table table = generate({.rows = 3000, .clusters = 300});
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values);
  const std::size_t shown = count_of(svg, "<circle");
  EXPECT_PRED2(holds, svg, "and " + std::to_string(300 - shown) + " more");
  EXPECT_EQ(points_of(svg).size(), 3000U);
  expect_inside(svg);
}

TEST(PlotSvg, SmallPicturesStillHavePoints) {
  const Table table = generate({.rows = 300});
  PlotOptions options{"A title that is far too long for the picture", "and", {}, 160, 160};
  options.label_names = {"a very long name of a class", "b", "c"};
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values, options);
  EXPECT_EQ(points_of(svg).size(), 300U);
  expect_inside(svg, options);
}

TEST(PlotSvg, TextIsEscaped) {
  const Matrix rows(1, 2);
  const PlotOptions options{"<script>&\"'", "a\x01\xFF", {"</text>"}};
  const std::string svg = plot_svg(rows, std::vector<std::int32_t>{0}, options);
  EXPECT_PRED2(holds, svg, "&lt;script&gt;&amp;&quot;&#39;");
  EXPECT_PRED2(holds, svg, "&lt;/text&gt;");
  EXPECT_PRED2(lacks, svg, "<script>");
  EXPECT_PRED2(lacks, svg, "\xFF");
  EXPECT_PRED2(lacks, svg, "\x01");
}

TEST(PlotSvg, FilesStaySmall) {
  const Table table = generate({.rows = 20000, .clusters = 10});
  EXPECT_LT(plot_svg(table.rows.dense(), table.labels->values).size(), 350000U);
}

TEST(PlotSvg, WrongArgumentsAreRefused) {
  const Matrix rows(5, 2);
  try {
    plot_svg(rows, std::vector<std::int32_t>{1, 2});
    FAIL() << "no exception";
  } catch (const InvalidArgument& error) {
    EXPECT_PRED2(holds, error.what(), "2 labels");
    EXPECT_PRED2(holds, error.what(), "5 rows");
  }
  EXPECT_THROW(plot_svg(Matrix(5, 0)), InvalidArgument);
  EXPECT_THROW(plot_svg(rows, {}, {"", "", {}, 10, 500}), InvalidArgument);
  EXPECT_THROW(plot_svg(rows, {}, {"", "", {}, 500, 1000000}), InvalidArgument);
}

TEST(Palette, ColoursAreDifferentAndShowOnWhite) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < kPaletteSize; ++i) {
    const Colour colour = class_colour(i);
    seen.insert(colour.hex());
    EXPECT_LT(colour.red * 0.21 + colour.green * 0.72 + colour.blue * 0.07, 218);
  }
  EXPECT_EQ(seen.size(), kPaletteSize);
  EXPECT_EQ(class_colour(kPaletteSize), class_colour(0));
}

TEST(SvgText, ShortensByCharactersNotBytes) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab\u2026");
  EXPECT_EQ(shortened("\u00e4\u00f6\u00fc\u00df", 3), "\u00e4\u00f6\u2026");
  EXPECT_EQ(character_count("\u00e4\u20ac\U0001F600"), 3U);
}

TEST(SvgText, BytesThatAreNotTextAreReplaced) {
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_text("\xC0\x80"), replaced + replaced);
  EXPECT_EQ(xml_text("\xED\xA0\x80"), replaced + replaced + replaced);
  EXPECT_EQ(xml_text("\xE2\x82"), replaced + replaced);
  EXPECT_EQ(xml_text("\xEF\xBF\xBF"), replaced + replaced + replaced);
  EXPECT_EQ(xml_text("a\tb\nc"), "a b c");
  EXPECT_EQ(xml_text("\u20ac\U0001F600"), "\u20ac\U0001F600");
}

RC_GTEST_PROP(SvgTextProperty, HasNoMarksAndNoControlCharacters, (const std::string& bytes)) {
  const std::string once = xml_text(bytes);
  RC_ASSERT(once.find_first_of("<>\"'") == std::string::npos);
  for (const char byte : once) RC_ASSERT(static_cast<unsigned char>(byte) >= 0x20);
}

TEST(SvgText, Numbers) {
  EXPECT_EQ(grouped_number(0), "0");
  EXPECT_EQ(grouped_number(999), "999");
  EXPECT_EQ(grouped_number(1000), "1,000");
  EXPECT_EQ(grouped_number(12345678), "12,345,678");
  const auto coordinate = [](double value) {
    std::string out;
    append_coordinate(out, value);
    return out;
  };
  EXPECT_EQ(coordinate(12.34), "12.3");
  EXPECT_EQ(coordinate(12.96), "13");
  EXPECT_EQ(coordinate(-0.04), "0");
  EXPECT_EQ(coordinate(-0.5), "-0.5");
}

}  // namespace
}  // namespace mbn
