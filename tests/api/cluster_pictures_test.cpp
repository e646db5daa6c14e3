// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include <mbn/describe.hpp>
#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "input/files.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++found;
  }
  return found;
}

TEST(ClusterPictures, ALineForEachCluster) {
  const Matrix rows = toy_images(90, 5 * 6, 3);
  const Model model = fit(rows, {.clusterings = 20, .decay = 0.5, .clusters = 3});
  const auto clusters = describe_clusters(model, rows, {}, {.exemplars = 4, .means = true});
  const files::Folder folder;
  const PictureShape shape{5, 6, 1};
  write_cluster_pictures(folder / "sheet.svg", clusters, rows, shape);
  const std::string svg = text_of(folder / "sheet.svg");
  EXPECT_EQ(count(svg, "<image"), 3U * 5U);
  EXPECT_EQ(count(svg, "30 rows, confidence"), 3U);
  EXPECT_THROW(write_cluster_pictures(folder / "sheet.svg", clusters, rows, shape), IoError)
      << "not overwritten";
  write_cluster_pictures(folder / "again.svg", clusters, rows, shape);
  EXPECT_EQ(text_of(folder / "again.svg"), svg);
}

TEST(ClusterPictures, ColoursAndNumbersOfAnySize) {
  const Matrix bytes = toy_images(60, 2 * 2 * 3, 2);
  const Matrix rows = as_floats(bytes);
  const Model model = fit(rows, {.clusterings = 20, .decay = 0.5, .clusters = 2});
  const auto clusters = describe_clusters(model, rows, {}, {.exemplars = 2, .means = true});
  const files::Folder folder;
  write_cluster_pictures(folder / "sheet.svg", clusters, rows, {2, 2, 3});
  EXPECT_EQ(count(text_of(folder / "sheet.svg"), "<image"), 6U);
}

TEST(ClusterPictures, WhatIsNoPictureIsRefused) {
  const Matrix rows = toy_images(60, 12, 2);
  const Model model = fit(rows, {.clusterings = 20, .decay = 0.5, .clusters = 2});
  const auto clusters = describe_clusters(model, rows, {}, {.means = true});
  const files::Folder folder;
  const auto refused = [&](const auto& described, const PictureShape& shape, const char* name) {
    EXPECT_THROW(write_cluster_pictures(folder / name, described, rows, shape), InvalidArgument);
  };
  refused(clusters, {3, 5, 1}, "sheet.svg");
  refused(clusters, {3, 2, 2}, "sheet.svg");
  refused(clusters, {}, "sheet.svg");
  refused(clusters, {3, 4, 1}, "sheet.gif");
  refused(describe_clusters(model, rows), {3, 4, 1}, "sheet.svg");
  EXPECT_EQ(folder.count(), 0U);
}

}  // namespace
}  // namespace mbn
