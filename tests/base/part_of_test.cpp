// SPDX-License-Identifier: Apache-2.0
#include "base/part_of.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mbn {
namespace {

TEST(PartOf, MapsTheProgressOfAPartToTheWhole) {
  Progress seen;
  std::string stage;
  RunOptions part;
  {
    // The part may outlive the run it was made of.
    RunOptions run;
    run.threads = 3;
    run.progress = [&](const Progress& progress) {
      seen = progress;
      stage = progress.stage;
    };
    part = part_of(part_of(run, 0.5, 1), 0, 0.5);
  }
  EXPECT_EQ(part.threads, 3U);
  part.progress({"layers", 2, 5, 0.5});
  EXPECT_DOUBLE_EQ(seen.overall, 0.625);
  EXPECT_EQ(stage, "layers");
  EXPECT_EQ(seen.layer, 2U);
  EXPECT_EQ(seen.layers, 5U);
}

TEST(PartOf, MayReplaceTheStages) {
  std::string stage;
  RunOptions run;
  run.progress = [&](const Progress& progress) { stage = progress.stage; };
  part_of(run, 0, 1, "teacher").progress({"encode", 1, 4, 1});
  EXPECT_EQ(stage, "teacher");
  EXPECT_FALSE(part_of(RunOptions{}, 0, 1).progress);
}

}  // namespace
}  // namespace mbn
