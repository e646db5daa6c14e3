// SPDX-License-Identifier: Apache-2.0
#include "compress/extra_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "rows/toy.hpp"

namespace mbn {
namespace {

std::vector<std::uint32_t> all_of(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// A bright spot somewhere in each picture.
Matrix spots(std::size_t count, std::uint32_t height, std::uint32_t width) {
  Matrix rows(count, std::size_t{height} * width);
  for (std::size_t i = 0; i < count; ++i) {
    Random random(1, Purpose::generate, 9, static_cast<std::uint32_t>(i));
    const double y0 = 3 + random.uniform() * (height - 7);
    const double x0 = 3 + random.uniform() * (width - 7);
    for (std::uint32_t y = 0; y < height; ++y) {
      for (std::uint32_t x = 0; x < width; ++x) {
        const double square = (y - y0) * (y - y0) + (x - x0) * (x - x0);
        rows.mutable_row<float>(i)[y * width + x] = static_cast<float>(200 / (1 + square / 4));
      }
    }
  }
  return rows;
}

TEST(GuessPictureShape, LinesAreFound) {
  const Matrix rows = spots(60, 12, 18);
  EXPECT_EQ(guess_picture_shape(rows, all_of(60)), (PictureShape{12, 18, 1}));
  const Matrix square = spots(60, 16, 16);
  EXPECT_EQ(guess_picture_shape(square, all_of(60)), (PictureShape{16, 16, 1}));
}

TEST(GuessPictureShape, TablesAreNone) {
  EXPECT_TRUE(guess_picture_shape(toy_images(100, 64, 5), all_of(100)).empty());
  EXPECT_TRUE(guess_picture_shape(toy_images(100, 13, 5), all_of(100)).empty());
  EXPECT_TRUE(guess_picture_shape(Matrix(10, 64), all_of(10)).empty());
}

TEST(SettleAugment, ByTheData) {
  EXPECT_EQ(settle_augment(Augment::automatic, false, {8, 8, 1}), Augment::pictures);
  EXPECT_EQ(settle_augment(Augment::automatic, true, {}), Augment::words);
  EXPECT_EQ(settle_augment(Augment::automatic, false, {}), Augment::table);
  EXPECT_EQ(settle_augment(Augment::jitter, true, {8, 8, 1}), Augment::jitter);
}

TEST(ExtraRows, ANumberIsARow) {
  const Matrix rows = spots(30, 8, 8);
  const auto chosen = all_of(30);
  for (const Augment augment :
       {Augment::jitter, Augment::mix, Augment::pictures, Augment::words, Augment::table}) {
    const ExtraRows extra(rows, chosen, {}, augment, {8, 8, 1});
    std::vector<float> once(64), again(64), other(64);
    extra.make(77, once.data());
    extra.make(107, other.data());
    extra.make(77, again.data());
    EXPECT_EQ(once, again);
    EXPECT_NE(once, other);  // made from the same row
    for (const float cell : once) EXPECT_TRUE(std::isfinite(cell));
  }
}

TEST(ExtraRows, WordsAreWordsOfTheTexts) {
  Matrix counts(2, 20);
  for (std::size_t j = 0; j < 10; ++j) counts.mutable_row<float>(0)[j] = static_cast<float>(j % 3);
  counts.mutable_row<float>(1)[15] = 4;
  const auto chosen = all_of(2);
  const ExtraRows extra(counts, chosen, {}, Augment::words, {});
  std::vector<float> row(20);
  for (std::uint64_t number = 0; number < 400; ++number) {
    extra.make(number, row.data());
    float words = 0;
    for (std::size_t j = 0; j < 20; ++j) {
      EXPECT_EQ(row[j], std::floor(row[j]));
      EXPECT_GE(row[j], 0);
      if (counts.at(0, j) == 0 && counts.at(1, j) == 0) {
        EXPECT_EQ(row[j], 0);
      }
      words += row[j];
    }
    EXPECT_GT(words, 0);
  }
}

TEST(ExtraRows, RowsOfTablesStayNear) {
  // Two groups far apart: a row like another is of its group.
  Matrix rows(200, 4);
  for (std::size_t i = 0; i < 200; ++i) {
    Random random(1, Purpose::generate, 4, static_cast<std::uint32_t>(i));
    for (std::size_t j = 0; j < 4; ++j) {
      rows.mutable_row<float>(i)[j] = static_cast<float>((i % 2 == 0 ? 0 : 100) + random.uniform());
    }
  }
  const auto chosen = all_of(200);
  const ExtraRows extra(rows, chosen, {}, Augment::table, {});
  std::vector<float> row(4);
  for (std::uint64_t number = 0; number < 400; ++number) {
    extra.make(number, row.data());
    for (const float cell : row) EXPECT_NEAR(cell, number % 2 == 0 ? 0 : 100, 30);
  }
}

TEST(ExtraRows, NothingFallsBelowZeroWhereNothingIs) {
  const Matrix rows = toy_images(50, 6, 2);
  const auto chosen = all_of(50);
  std::vector<float> row(6);
  for (const Augment augment : {Augment::jitter, Augment::table}) {
    const ExtraRows extra(rows, chosen, {.augment_strength = 5}, augment, {});
    for (std::uint64_t number = 0; number < 200; ++number) {
      extra.make(number, row.data());
      for (const float cell : row) EXPECT_GE(cell, 0);
    }
  }
}

}  // namespace
}  // namespace mbn
