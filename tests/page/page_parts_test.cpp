// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <mbn/error.hpp>

#include "base/random.hpp"
#include "page/layer_story.hpp"
#include "page/page_columns.hpp"
#include "page/quantise.hpp"
#include "page/sample.hpp"
#include "page/thumbnails.hpp"

namespace mbn {
namespace {

Matrix random_places(std::size_t rows, std::uint64_t seed) {
  Random random(seed, Purpose::generate);
  Matrix places(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < 2; ++c) {
      places.mutable_row<float>(i)[c] = static_cast<float>(random.normal());
    }
  }
  return places;
}

TEST(Quantise, KeepsPlacesToWithinHalfAStep) {
  const Matrix places = random_places(500, 1);
  const Quantised found = quantise(places);
  const double step = (found.range_x[1] - found.range_x[0]) / 65535;
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_NEAR(found.range_x[0] + step * found.x[i], places.at(i, 0), 0.51 * step);
  }
  EXPECT_EQ(std::ranges::min(found.y), 0);
  EXPECT_EQ(std::ranges::max(found.y), 65535);
}

TEST(Quantise, ALineAndASinglePlaceAreZero) {
  const Quantised line = quantise(Matrix(5, 1));
  EXPECT_EQ(line.x, std::vector<std::uint16_t>(5));
  EXPECT_EQ(line.y, std::vector<std::uint16_t>(5));
}

TEST(PackColumn, TakesTheSmallestExactType) {
  EXPECT_EQ(pack_column({0, 255, 3}).bytes, (std::vector<std::uint8_t>{0, 255, 3}));
  EXPECT_EQ(pack_column({0, 256, 3}).shorts, (std::vector<std::uint16_t>{0, 256, 3}));
  for (const std::vector<float>& numbers :
       {std::vector<float>{0.5F, 1}, {-1, 2}, {70000, 1}, {-0.0F, 1}}) {
    const PackedColumn packed = pack_column(numbers);
    ASSERT_EQ(packed.floats.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(packed.floats[i], numbers[i], 5e-5 * std::abs(numbers[i]));
    }
  }
}

TEST(PackColumn, KeepsTheLargestNumbersFinite) {
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(pack_column({largest, 0.5F}).floats[0], largest);
}

TEST(PageSample, HoldsEveryRowOnceAndClustersTogether) {
  const Matrix map = random_places(300, 2);
  std::vector<std::int32_t> labels;
  for (std::int32_t i = 0; i < 300; ++i) labels.push_back(i % 4);
  const auto all = page_sample(map, labels, 1000);
  EXPECT_EQ(std::set<std::uint32_t>(all.begin(), all.end()).size(), 300U);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, [&](std::uint32_t row) { return labels[row]; }));
  const auto some = page_sample(map, labels, 50);
  EXPECT_EQ(std::set<std::uint32_t>(some.begin(), some.end()).size(), 50U);
  EXPECT_EQ(some, page_sample(map, labels, 50));
  EXPECT_EQ(page_sample(map, {}, 50).size(), 50U);
}

TEST(TurnedToFit, UndoesATurnAMoveAndAMirror) {
  const Matrix target = random_places(80, 3);
  for (const double angle : {0.0, 0.7, std::numbers::pi, 5.0}) {
    for (const double flip : {1.0, -1.0}) {
      Matrix turned(80, 2);
      for (std::size_t i = 0; i < 80; ++i) {
        const double x = target.at(i, 0);
        const double y = flip * target.at(i, 1);
        turned.mutable_row<float>(i)[0] =
            static_cast<float>(std::cos(angle) * x - std::sin(angle) * y + 4);
        turned.mutable_row<float>(i)[1] =
            static_cast<float>(std::sin(angle) * x + std::cos(angle) * y - 9);
      }
      const Matrix back = turned_to_fit(turned, target);
      for (std::size_t i = 0; i < 80; ++i) {
        EXPECT_NEAR(back.at(i, 0), target.at(i, 0), 1e-4);
        EXPECT_NEAR(back.at(i, 1), target.at(i, 1), 1e-4);
      }
    }
  }
}

TEST(TurnedToFit, DoesNotStretchNorBreakOnOnePlace) {
  const Matrix one(3, 2);
  const Matrix back = turned_to_fit(one, random_places(3, 4));
  EXPECT_TRUE(std::isfinite(back.at(0, 0)));
  EXPECT_EQ(back.at(0, 0), back.at(2, 0));
}

Matrix grey_pictures(std::size_t rows, std::size_t columns) {
  Random random(7, Purpose::generate);
  Matrix pictures(rows, columns, ElementType::uint8);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      pictures.mutable_row<std::uint8_t>(i)[j] = static_cast<std::uint8_t>(random.below(256));
    }
  }
  return pictures;
}

TEST(Thumbnails, SmallPicturesOfBytesStayAsTheyAre) {
  const Matrix pictures = grey_pictures(5, 12);
  const Thumbnails made = make_thumbnails(pictures, {3, 4, 1}, {}, 100000);
  ASSERT_EQ(made.pixels.size(), 60U);
  EXPECT_TRUE(made.rows.empty());
  EXPECT_EQ(made.pixels[17], pictures.row<std::uint8_t>(1)[5]);
}

TEST(Thumbnails, BeyondTheirBytesOnlyExemplarsHaveOne) {
  const Matrix pictures = grey_pictures(50, 12);
  const Thumbnails made =
      make_thumbnails(pictures, {3, 4, 1}, std::vector<std::uint32_t>{9, 2, 9}, 100);
  EXPECT_EQ(made.rows, (std::vector<std::uint32_t>{2, 9}));
  ASSERT_EQ(made.pixels.size(), 24U);
  EXPECT_EQ(made.pixels[12], pictures.row<std::uint8_t>(9)[0]);
}

TEST(Thumbnails, LargePicturesShrinkToTheMeansOfTheirPixels) {
  Matrix picture(1, 130 * 2 * 3);
  float* cells = picture.mutable_row<float>(0);
  for (std::size_t i = 0; i < picture.columns(); ++i) cells[i] = static_cast<float>(i % 3);
  const Thumbnails made = make_thumbnails(picture, {130, 2, 3}, {}, 1'000'000);
  EXPECT_EQ(made.shape, (PictureShape{44, 1, 3}));
  EXPECT_EQ(made.pixels[0], 0);    // red is 0 everywhere: the least number
  EXPECT_EQ(made.pixels[1], 128);  // green is 1, halfway
  EXPECT_EQ(made.pixels[2], 255);
}

TEST(Thumbnails, RefuseAShapeThatDoesNotFit) {
  const Matrix pictures = grey_pictures(2, 12);
  EXPECT_THROW(make_thumbnails(pictures, {3, 5, 1}, {}, 1000), InvalidArgument);
  EXPECT_THROW(make_thumbnails(pictures, {3, 2, 2}, {}, 1000), InvalidArgument);
}

TEST(AddColumns, TakesTheOnesThatTellClustersApartWhenBytesAreShort) {
  const Matrix rows = random_places(400, 5);
  PageJson values = PageJson::array();
  PageArrays arrays;
  const std::vector<ClusterMarks> marks{{10, {{1, 2.0, 0, 0}}}};
  EXPECT_EQ(add_columns(rows, {}, marks, 1900, values, arrays), 1U);
  EXPECT_EQ(values[0]["name"], "column 2");
  EXPECT_TRUE(arrays.directory().contains("column_1"));
  PageJson both = PageJson::array();
  PageArrays more;
  const std::vector<std::string> names{"a", "b"};
  EXPECT_EQ(add_columns(rows, names, marks, 100000, both, more), 2U);
  EXPECT_EQ(both[0]["name"], "a");
}

}  // namespace
}  // namespace mbn
