// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include <mbn/error.hpp>
#include <mbn/report.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

const std::vector<TreeBranch> kTwo{
    {-1, 100, 1, 0.8, -1}, {0, 60, 0.8, 0.2, 0}, {0, 40, 0.8, 0.3, 1}};

TEST(DrawTree, ShowsEveryCluster) {
  const std::string svg = tree_svg(kTwo, {.title = "a & b"});
  EXPECT_NE(svg.find("cluster 0: 60 rows"), std::string::npos);
  EXPECT_NE(svg.find("cluster 1: 40 rows"), std::string::npos);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_NE(svg.find("ends in 2 clusters"), std::string::npos);
}

TEST(DrawTree, OneBranchIsATreeToo) {
  const std::vector<TreeBranch> one{{-1, 7, 1, 0.5, 0}};
  EXPECT_NE(tree_svg(one).find("cluster 0: 7 rows"), std::string::npos);
}

TEST(DrawTree, Refuses) {
  files::expect_error<InvalidArgument>([] { tree_svg({}); }, {"no branch"});
  files::expect_error<InvalidArgument>([] { tree_svg(kTwo, {.width = 50}); }, {"50 pixels"});
  const std::vector<TreeBranch> cycle{
      {-1, 9, 1, 0.5, -1}, {2, 5, 0.5, 0.2, 0}, {1, 4, 0.5, 0.2, 1}};
  files::expect_error<InvalidArgument>([&] { tree_svg(cycle); }, {"parents come first"});
}

}  // namespace
}  // namespace mbn
