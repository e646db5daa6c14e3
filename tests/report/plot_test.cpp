// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/generate.hpp>
#include <mbn/report.hpp>

#include "report/cairo_canvas.hpp"
#include "report/palette.hpp"

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

TEST(Plot, DrawsEveryRowAndNamesTheClasses) {
  const Table table = generate({.kind = ToyKind::ring, .rows = 300});
  PlotOptions options{"Ring", "two blobs", {"path", "left", "right"}};
  options.axis_names = {"component 1", "component 2 (9 %)", "component 3"};
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values, options);
  EXPECT_EQ(points_of(svg).size(), 300U);
  expect_inside(svg);
  for (const char* text :
       {"<title>Ring</title>", ">Ring</text>", ">two blobs</text>", ">path</text>", ">left</text>",
        ">right</text>", ">110</text>", ">component 1</text>", ">component 2 (9 %)</text>",
        ">300 rows</text>"}) {
    EXPECT_PRED2(holds, svg, text);
  }
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(Plot, IsTheSameEveryTime) {
  const Table table = generate({.rows = 500});
  EXPECT_EQ(plot_svg(table.rows.dense(), table.labels->values),
            plot_svg(table.rows.dense(), table.labels->values));
}

TEST(Plot, KeepsTheShapeOfComparableRanges) {
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

TEST(Plot, FillsTheFrameWhenRangesDifferTooMuch) {
  const std::vector<float> corners{0, 0, 1000, 1};
  const auto points = points_of(plot_svg(MatrixView(corners.data(), 2, 2)));
  ASSERT_EQ(points.size(), 2U);
  EXPECT_GT(std::abs(points[0].second - points[1].second), 500);
}

TEST(Plot, EqualRowsLandInTheMiddle) {
  const std::string svg = plot_svg(Matrix(50, 2));
  expect_inside(svg);
  for (const auto& point : points_of(svg)) EXPECT_NEAR(point.first, 450, 0.1);
}

TEST(Plot, OneColumnIsAStrip) {
  const Table table = generate({.rows = 200, .columns = 1});
  PlotOptions options;
  options.axis_names = {"component 1", "component 2"};
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values, options);
  expect_inside(svg);
  EXPECT_PRED2(lacks, svg, "component 2");
  std::set<double> heights;
  for (const auto& point : points_of(svg)) heights.insert(point.second);
  EXPECT_GT(heights.size(), 150U);
}

TEST(Plot, EmptyDataGivesAnEmptyFrame) {
  const std::string svg = plot_svg(Matrix(0, 2));
  EXPECT_TRUE(points_of(svg).empty());
  EXPECT_PRED2(holds, svg, ">0 rows</text>");
}

TEST(Plot, WithoutLabelsThereIsNoLegend) {
  EXPECT_PRED2(lacks, plot_svg(generate({.rows = 20}).rows.dense()), "<circle");
}

TEST(Plot, RowsThatAreNotFiniteAreLeftOutAndCounted) {
  Table table = generate({.rows = 30});
  table.rows.dense().mutable_row<float>(3)[0] = std::numeric_limits<float>::quiet_NaN();
  table.rows.dense().mutable_row<float>(4)[1] = std::numeric_limits<float>::infinity();
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values);
  expect_inside(svg);
  EXPECT_EQ(points_of(svg).size(), 28U);
  EXPECT_PRED2(holds, svg, "30 rows, 2 without finite values");
}

TEST(Plot, LargestFloatsDoNotOverflow) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const std::vector<float> corners{-kLargest, kLargest, kLargest, -kLargest, 0, 0};
  const std::string svg = plot_svg(MatrixView(corners.data(), 3, 2));
  expect_inside(svg);
  EXPECT_EQ(points_of(svg).size(), 3U);
}

TEST(Plot, AMapHasNoCaptionsOfAxes) {
  const Table table = generate({.rows = 50});
  EXPECT_PRED2(lacks, plot_svg(table.rows.dense(), table.labels->values), "component");
  PlotOptions options;
  options.axis_names = {"size"};
  const std::string svg = plot_svg(table.rows.dense(), {}, options);
  EXPECT_EQ(count_of(svg, ">size</text>"), 1U);
  EXPECT_PRED2(lacks, svg, "rotate");
}

TEST(Plot, NegativeLabelsAreGreyAndNamedByNumber) {
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

TEST(Plot, ALabelKeepsItsColourWithoutTheOthers) {
  const std::string svg = plot_svg(Matrix(1, 2), std::vector<std::int32_t>{4});
  EXPECT_PRED2(holds, svg, class_colour(4).hex());
}

TEST(Plot, ManyClassesEndTheLegendWithTheirNumber) {
  const Table table = generate({.rows = 3000, .clusters = 300});
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values);
  const std::size_t shown = count_of(svg, "<circle");
  EXPECT_PRED2(holds, svg, "and " + std::to_string(300 - shown) + " more");
  EXPECT_EQ(points_of(svg).size(), 3000U);
  expect_inside(svg);
}

TEST(Plot, SmallPicturesStillHavePoints) {
  const Table table = generate({.rows = 300});
  PlotOptions options{"A title that is far too long for the picture", "and", {}, 160, 160};
  options.label_names = {"a very long name of a class", "b", "c"};
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values, options);
  EXPECT_EQ(points_of(svg).size(), 300U);
  expect_inside(svg, options);
}

TEST(Plot, TextIsEscaped) {
  const Matrix rows(1, 2);
  const PlotOptions options{"<script>&\"'", "a\x01\xFF", {"</text>"}};
  const std::string svg = plot_svg(rows, std::vector<std::int32_t>{0}, options);
  EXPECT_PRED2(holds, svg, "&lt;script&gt;&amp;&quot;&#39;");
  EXPECT_PRED2(holds, svg, "&lt;/text&gt;");
  EXPECT_PRED2(lacks, svg, "<script>");
  EXPECT_PRED2(lacks, svg, "\xFF");
  EXPECT_PRED2(lacks, svg, "\x01");
}

TEST(Plot, FilesStaySmall) {
  const Table table = generate({.rows = 20000, .clusters = 10});
  EXPECT_LT(plot_svg(table.rows.dense(), table.labels->values).size(), 350000U);
}

TEST(Plot, WrongArgumentsAreRefused) {
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
  PlotOptions options;
  options.values = {1, 2, 3};
  EXPECT_THROW(plot_svg(rows, {}, options), InvalidArgument);
}

TEST(Plot, IslandsAreNamedOnceInThePictureAndOnceInTheLegend) {
  const Table table = generate({.rows = 600, .clusters = 3});
  PlotOptions options;
  options.label_names = {"one", "two", "three"};
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values, options);
  // A name in the picture has a white edge below it, which is a text of its own.
  for (const char* text : {">one</text>", ">two</text>", ">three</text>"}) {
    EXPECT_EQ(count_of(svg, text), 3U) << text;
  }
  options.island_labels = false;
  EXPECT_EQ(count_of(plot_svg(table.rows.dense(), table.labels->values, options), ">one</text>"),
            1U);
}

TEST(Plot, ValuesHaveAColourBarInPlaceOfTheLegend) {
  const Table table = generate({.rows = 400});
  PlotOptions options;
  for (std::size_t i = 0; i < 400; ++i) options.values.push_back(static_cast<float>(i) / 4);
  options.values[7] = std::numeric_limits<float>::quiet_NaN();
  options.values_name = "depth";
  const std::string svg = plot_svg(table.rows.dense(), table.labels->values, options);
  EXPECT_EQ(points_of(svg).size(), 400U);
  for (const char* text : {">depth</text>", ">0</text>", ">99.8</text>", "1 without a number"}) {
    EXPECT_PRED2(holds, svg, text);
  }
  EXPECT_PRED2(lacks, svg, "<circle");
  EXPECT_PRED2(holds, svg, "stroke=\"" + shade_colour(0).hex());
  EXPECT_PRED2(holds, svg, "stroke=\"" + shade_colour(kShades - 1).hex());
}

TEST(Plot, ManyRowsAreShadedByDensity) {
  const Table few = generate({.rows = 50000});
  EXPECT_EQ(points_of(plot_svg(few.rows.dense())).size(), 50000U);
  const Table many = generate({.rows = 50001, .clusters = 10});
  const std::string svg = plot_svg(many.rows.dense(), many.labels->values);
  EXPECT_TRUE(points_of(svg).empty());
  EXPECT_PRED2(holds, svg, "data:image/png;base64,iVBORw0KGgo");
  EXPECT_PRED2(holds, svg, ">50,001 rows</text>");
  EXPECT_LT(svg.size(), 1000000U);
  EXPECT_EQ(svg, plot_svg(many.rows.dense(), many.labels->values));
}

class WritePlot : public ::testing::Test {
 protected:
  WritePlot() { std::filesystem::create_directories(folder_); }
  ~WritePlot() override { std::filesystem::remove_all(folder_); }

  std::string written(const char* name) {
    write_plot(folder_ / name, table_.rows.dense(), table_.labels->values, {.title = "Blobs"});
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("mbn-write-plot-{}", getpid());
  const Table table_ = generate({.rows = 300});
};

TEST_F(WritePlot, SvgIsTheSameText) {
  EXPECT_EQ(written("a.svg"),
            plot_svg(table_.rows.dense(), table_.labels->values, {.title = "Blobs"}));
  EXPECT_PRED2(holds, written("b.SVG"), "<svg");
}

TEST_F(WritePlot, PngHasTwiceThePixelsAndPdfIsAPage) {
  if (!has_cairo()) GTEST_SKIP() << "this build has no cairo";
  const std::string png = written("a.png");
  ASSERT_GT(png.size(), 1000U);
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1A\n"));
  const auto number = [&](std::size_t at) {
    return static_cast<unsigned char>(png[at]) * 256 + static_cast<unsigned char>(png[at + 1]);
  };
  EXPECT_EQ(number(18), 1800);
  EXPECT_EQ(number(22), 1440);
  const std::string pdf = written("a.pdf");
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_PRED2(holds, pdf, "%%EOF");
  EXPECT_EQ(png, written("b.png"));
  EXPECT_EQ(pdf, written("b.pdf"));
  EXPECT_PRED2(lacks, pdf, "CreationDate");
}

TEST_F(WritePlot, ManyRowsAreDrawnInEveryFormat) {
  if (!has_cairo()) GTEST_SKIP() << "this build has no cairo";
  const Table many = generate({.rows = 60000, .clusters = 4});
  for (const char* name : {"many.png", "many.pdf"}) {
    write_plot(folder_ / name, many.rows.dense(), many.labels->values);
    EXPECT_GT(std::filesystem::file_size(folder_ / name), 20000U) << name;
  }
}

TEST_F(WritePlot, AnUnknownEndingIsRefused) {
  for (const char* name : {"a.gif", "a", "a.svgz", ".png"}) {
    try {
      written(name);
      FAIL() << name;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.code(), ErrorCode::unknown_choice);
      EXPECT_PRED2(holds, error.what(), ".svg, .png or .pdf");
    }
    EXPECT_THROW(check_plot_ending(name), InvalidArgument);
    EXPECT_FALSE(std::filesystem::exists(folder_ / name));
  }
}

TEST_F(WritePlot, WithoutCairoTheEndingThatHelpsIsNamed) {
  if (has_cairo()) GTEST_SKIP() << "this build has cairo";
  try {
    written("a.png");
    FAIL() << "no exception";
  } catch (const InvalidArgument& error) {
    EXPECT_PRED2(holds, error.what(), "this build draws .svg only");
  }
}

TEST_F(WritePlot, AFileThatExistsIsKept) {
  written("a.svg");
  EXPECT_THROW(written("a.svg"), IoError);
  write_plot(folder_ / "a.svg", table_.rows.dense(), {}, {}, true);
}

TEST_F(WritePlot, APngThatIsTooLargeIsRefused) {
  if (!has_cairo()) GTEST_SKIP() << "this build has no cairo";
  const PlotOptions options{.width = 17000, .height = 200};
  EXPECT_THROW(write_plot(folder_ / "a.png", table_.rows.dense(), {}, options), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.png"));
}

}  // namespace
}  // namespace mbn
