// SPDX-License-Identifier: Apache-2.0
#include "report/density.hpp"

#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "report/png.hpp"

namespace mbn {
namespace {

constexpr Box kFrame{10, 20, 200, 100};

const std::uint8_t* pixel_of(const Image& image, Point place) {
  const auto x = static_cast<std::size_t>((place.x - kFrame.left) / 2);
  const auto y = static_cast<std::size_t>((place.y - kFrame.top) / 2);
  return image.pixels.data() + 4 * (y * image.width + x);
}

TEST(Density, EveryRowShowsAndManyShowMore) {
  // A row alone, ten at one place and a thousand at another.
  std::vector<float> cells{0, 0};
  for (int i = 0; i < 10; ++i) cells.insert(cells.end(), {1, 0});
  for (int i = 0; i < 1000; ++i) cells.insert(cells.end(), {1, 1});
  const RowPlaces places(MatrixView(cells.data(), cells.size() / 2, 2), kFrame);
  const Image image = shaded_density(places, colours_by_group({}, {}));
  EXPECT_EQ(image.width, 100U);
  EXPECT_EQ(image.height, 50U);
  const auto opacity = [&](std::size_t row) { return pixel_of(image, places.place(row))[3]; };
  EXPECT_GT(opacity(0), 76);
  EXPECT_GT(opacity(1), opacity(0));
  EXPECT_EQ(opacity(11), 255);
  std::size_t occupied = 0;
  for (std::size_t i = 0; i < image.width * image.height; ++i) {
    if (image.pixels[4 * i + 3] > 0) ++occupied;
  }
  EXPECT_EQ(occupied, 3U);
}

TEST(Density, WhereGroupsMeetTheyShowInProportion) {
  // A square of cells, each with three rows of group 0 and one of group 1, whatever their order.
  std::vector<float> cells;
  std::vector<std::int32_t> labels;
  for (int copy = 0; copy < 4; ++copy) {
    for (int x = 0; x < 80; ++x) {
      for (int y = 0; y < 40; ++y) {
        cells.insert(cells.end(), {static_cast<float>(x), static_cast<float>(y)});
        labels.push_back(copy == (x + y) % 4 ? 1 : 0);
      }
    }
  }
  const RowPlaces places(MatrixView(cells.data(), labels.size(), 2), kFrame);
  const std::vector<Group> groups = groups_of(labels, {});
  const RowColours colours = colours_by_group(groups, group_of_rows(labels, groups));
  const Image image = shaded_density(places, colours);
  std::map<int, double> count;
  for (std::size_t i = 0; i < image.width * image.height; ++i) {
    if (image.pixels[4 * i + 3] > 0) ++count[image.pixels[4 * i]];
  }
  ASSERT_EQ(count.size(), 2U);  // no mixed colour
  const double share =
      count[groups[1].colour.red] / (count[groups[0].colour.red] + count[groups[1].colour.red]);
  EXPECT_NEAR(share, 0.25, 0.04);
}

TEST(Density, ValuesAreAveraged) {
  const std::vector<float> cells{0, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<float> values{0, 10, 10, std::numeric_limits<float>::quiet_NaN()};
  const ValueRange range = range_of(values);
  EXPECT_EQ(range.missing, 1U);
  const RowPlaces places(MatrixView(cells.data(), 4, 2), kFrame);
  const Image image = shaded_density(places, colours_by_value(values, range));
  const auto colour = [&](std::size_t row) {
    const std::uint8_t* pixel = pixel_of(image, places.place(row));
    return Colour{pixel[0], pixel[1], pixel[2]};
  };
  EXPECT_EQ(colour(0), shade_colour(kShades / 2));
  EXPECT_EQ(colour(2), shade_colour(kShades - 1));
}

TEST(Density, AVeryLargePictureHasLargerCells) {
  const std::vector<float> cells{0, 0, 1, 1};
  const RowPlaces places(MatrixView(cells.data(), 2, 2), {0, 0, 20000, 20000});
  const Image image = shaded_density(places, colours_by_group({}, {}));
  EXPECT_LE(image.width * image.height, 4100000U);
}

TEST(RowColours, FewExtremeValuesDoNotTakeTheWholeScale) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(i % 100));
  EXPECT_EQ(range_of(values).high, 99);
  EXPECT_FALSE(range_of(values).more_above);
  values[5] = 1e6F;
  const ValueRange range = range_of(values);
  EXPECT_EQ(range.high, 99);
  EXPECT_TRUE(range.more_above);
  EXPECT_EQ(colours_by_value(values, range).of_row[5], kShades - 1);
  EXPECT_EQ(range_of(std::vector<float>(9, 3.0F)).low, 3);
}

TEST(Png, TextOfBytes) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("M"), "TQ==");
  EXPECT_EQ(base64("Ma"), "TWE=");
  EXPECT_EQ(base64("Man"), "TWFu");
}

}  // namespace
}  // namespace mbn
