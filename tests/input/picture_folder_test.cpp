// SPDX-License-Identifier: Apache-2.0
//
// Folders of pictures that Pillow wrote (fuzz/make_seeds.py). A build without a library refuses its
// kind by name.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"
#include "input/picture.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;

using Names = std::vector<std::string>;

std::string seed(const std::string& name) {
  std::ifstream file(std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz" / "corpus" /
                         "fuzz_picture" / name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Picture decoded(const std::string& name) {
  const std::string bytes = seed(name);
  return decode_picture(std::as_bytes(std::span(bytes)));
}

/// False where the build lacks the library.
bool reads(const std::string& name) {
  try {
    decoded(name);
    return true;
  } catch (const FormatError& error) {
    return std::string(error.what()).find("this build has no lib") == std::string::npos;
  }
}

Picture flat(std::uint32_t width, std::uint32_t height, std::vector<std::uint8_t> grey) {
  Picture picture{width, height, {}};
  for (const std::uint8_t value : grey) {
    for (int i = 0; i < 3; ++i) picture.rgba.push_back(value);
    picture.rgba.push_back(255);
  }
  return picture;
}

using Bytes = std::vector<std::uint8_t>;

TEST(Resized, IsTheMeanOfTheArea) {
  EXPECT_EQ(resized(flat(2, 2, {10, 20, 30, 40}), 1, false), (Bytes{25}));
  EXPECT_EQ(resized(flat(2, 2, {10, 20, 30, 40}), 2, false), (Bytes{10, 20, 30, 40}));
  EXPECT_EQ(resized(flat(1, 1, {77}), 2, true), Bytes(12, 77));
  // Three pixels become two: each is one whole and half of the middle one.
  EXPECT_EQ(resized(flat(3, 1, {0, 90, 30}), 2, false), (Bytes{30, 50, 30, 50}));
  EXPECT_EQ(resized(flat(2, 1, {0, 1}), 1, false), (Bytes{1})) << "halves are rounded up";
}

TEST(Resized, ColoursAreWeighedAndGlassIsWhite) {
  const Picture red{1, 1, {255, 0, 0, 255}};
  EXPECT_EQ(resized(red, 1, false), (Bytes{76}));
  EXPECT_EQ(resized(red, 1, true), (Bytes{255, 0, 0}));
  EXPECT_EQ(resized({1, 1, {255, 0, 0, 0}}, 1, true), (Bytes{255, 255, 255}));
  EXPECT_EQ(resized({1, 1, {0, 0, 0, 51}}, 1, false), (Bytes{204}));
}

TEST(DecodePicture, EveryKindOfPng) {
  if (!reads("RGB.png")) GTEST_SKIP() << "no libpng";
  for (const char* mode : {"RGB", "RGBA", "L", "LA", "P", "1", "I16"}) {
    const Picture picture = decoded(std::string(mode) + ".png");
    EXPECT_EQ(picture.width, 6U) << mode;
    EXPECT_EQ(picture.height, 4U) << mode;
  }
  const Picture picture = decoded("RGB.png");
  EXPECT_EQ(Bytes(picture.rgba.begin() + 4, picture.rgba.begin() + 8), (Bytes{40, 0, 225, 255}));
  EXPECT_EQ(decoded("RGBA.png").rgba[4 * 6 + 3], 205) << "how opaque the second line is";
}

TEST(DecodePicture, JpegAndWebp) {
  if (reads("plain.jpg")) {
    for (const char* name : {"plain.jpg", "progressive.jpg", "half.jpg"}) {
      const Picture picture = decoded(name);
      EXPECT_EQ(picture.width, 20U) << name;
      EXPECT_NEAR(picture.rgba[2], 255, 40) << name;
    }
    EXPECT_EQ(decoded("grey.jpg").height, 9U);
    expect_error<FormatError>([] { decoded("print.jpg"); }, {"CMYK"});
    expect_error<FormatError>([] { decoded("cut.jpg"); }, {"cannot be read"});
  }
  if (reads("lossy.webp")) {
    EXPECT_EQ(decoded("lossy.webp").height, 18U);
    EXPECT_EQ(decoded("lossless.webp").rgba[4], 40);
  }
}

TEST(DecodePicture, WhatIsDamagedOrAbsurdIsRefused) {
  if (!reads("RGB.png")) GTEST_SKIP() << "no libpng";
  expect_error<FormatError>([] { decoded("cut.png"); }, {"cannot be read"});
  expect_error<FormatError>([] { decoded("huge.png"); }, {"60000 x 60000 pixels"});
}

TEST(PictureFolder, NamesAreIdsInOrder) {
  if (!reads("RGB.png")) GTEST_SKIP() << "no libpng";
  const Folder folder;
  std::filesystem::create_directory(folder / "b");
  folder.put("b/second", seed("L.png"));
  folder.put("a.png", seed("RGB.png"));
  folder.put("c.png", seed("P.png"));
  folder.put("readme.txt", "not a picture");
  folder.put(".hidden.png", "nor this");
  const Table table = read_table(folder.path());
  EXPECT_EQ(table.ids, (Names{"a.png", "b/second", "c.png"}));
  EXPECT_EQ(table.id_names, (Names{"file"}));
  EXPECT_EQ(table.pictures, (PictureShape{32, 32, 1}));
  EXPECT_EQ(table.rows.dense().shape(), (Shape{3, 1024, ElementType::uint8}));
  ASSERT_EQ(table.notes.size(), 2U);
  EXPECT_NE(table.notes[1].message.text().find("1 file left out"), std::string::npos);
  EXPECT_NE(table.notes[1].message.text().find("readme.txt"), std::string::npos);
}

TEST(PictureFolder, SizeAndColour) {
  if (!reads("RGB.png")) GTEST_SKIP() << "no libpng";
  const Folder folder;
  folder.put("a.png", seed("RGB.png"));
  const Table table = read_table(folder.path(), {.size = 2, .colour = true});
  EXPECT_EQ(table.pictures, (PictureShape{2, 2, 3}));
  EXPECT_EQ(table.rows.dense().at(0, 0), 40.0F) << "the mean of 0, 40 and 80";
  EXPECT_EQ(read_table(folder.path(), {.column_count = 27}).pictures, (PictureShape{3, 3, 3}));
  EXPECT_EQ(read_table(folder.path(), {.column_count = 25}).pictures, (PictureShape{5, 5, 1}));
  expect_error<InvalidArgument>([&] { read_table(folder.path(), {.size = 5000}); }, {"size"});
  const Folder other;
  other.put("a.csv", "1,2\n3,4\n");
  expect_error<InvalidArgument>([&] { read_table(other / "a.csv", {.size = 8}); },
                                {"folder of pictures"});
}

TEST(PictureFolder, TheBrokenOneIsNamed) {
  if (!reads("RGB.png")) GTEST_SKIP() << "no libpng";
  const Folder folder;
  folder.put("good.png", seed("RGB.png"));
  folder.put("broken.png", seed("cut.png"));
  expect_error<FormatError>([&] { read_table(folder.path()); }, {"broken.png", "leave it out"});
}

TEST(PictureFolder, OneWithoutPicturesIsRefused) {
  const Folder folder;
  folder.put("readme.txt", "words");
  expect_error<IoError>([&] { read_table(folder.path()); }, {"without pictures"});
}

}  // namespace
}  // namespace mbn
