// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "rows/toy.hpp"

namespace mbn {
namespace {

TEST(Plan, TellsLayersAndBytes) {
  const Shape images{5000, 784, ElementType::uint8};
  const Plan columns = plan(images, {.clusters = 10, .directions = DirectionCount::none});
  EXPECT_EQ(columns.layers[0].features, 392U);
  EXPECT_EQ(columns.directions, 0U);
  const Plan result = plan(images, {.clusters = 10});
  ASSERT_EQ(result.layers.size(), 8U);
  EXPECT_EQ(result.layers[0].features, 32U);
  EXPECT_EQ(result.directions, 64U);
  EXPECT_EQ(result.clusterings, 400U);
  EXPECT_EQ(result.layers[1].features, 200U);
  EXPECT_EQ(result.components, 10U);
  EXPECT_GT(result.peak_bytes, result.model_bytes);
}

TEST(Plan, BoundsTheModelThatIsBuilt) {
  const Matrix rows = toy_images(300, 40, 4);
  for (const auto& [scale, directions] : {std::pair{Scale::none, DirectionCount::none},
                                          {Scale::standard, DirectionCount::none},
                                          {Scale::none, DirectionCount(12)}}) {
    const FitOptions options{
        .clusterings = 20, .decay = 0.5, .clusters = 4, .scale = scale, .directions = directions};
    const Plan result = plan(rows.shape(), options);
    const Model model = fit(rows, options);
    EXPECT_GE(result.model_bytes, model.memory_bytes());
    EXPECT_LE(static_cast<double>(result.model_bytes),
              1.2 * static_cast<double>(model.memory_bytes()));
  }
}

TEST(Plan, BoundsTheFile) {
  const Matrix rows = toy_images(1200, 60, 4);
  for (const double fraction : {0.05, 0.5}) {
    const FitOptions options{
        .clusterings = 100, .feature_fraction = fraction, .decay = 0.5, .clusters = 4};
    const Plan result = plan(rows.shape(), options);
    const auto bytes = static_cast<double>(fit(rows, options).to_bytes().size());
    EXPECT_GE(static_cast<double>(result.file_bytes), bytes);
    EXPECT_LE(static_cast<double>(result.file_bytes), 1.1 * bytes);
    EXPECT_LT(result.file_bytes, result.model_bytes);
  }
}

TEST(Plan, ALimitMakesTheBatchSmaller) {
  const Shape shape{20000, 50, ElementType::float32};
  const FitOptions options{.clusterings = 10,
                           .decay = 0.5,
                           .clusters = 10,
                           .scale = Scale::none,
                           .engine = Engine::exact};
  const Plan free = plan(shape, options, {.threads = 2});
  const Plan tight =
      plan(shape, options, {.threads = 2, .memory_limit = free.peak_bytes - 1'000'000});
  EXPECT_LT(tight.batch_rows, free.batch_rows);
  EXPECT_LE(tight.peak_bytes, free.peak_bytes - 1'000'000);
}

TEST(Plan, WhatCannotFitIsRefusedWithTheBytesItNeeds) {
  try {
    plan({100000, 784, ElementType::float32}, {}, {.memory_limit = 1'000'000});
    FAIL() << "accepted";
  } catch (const MemoryLimitExceeded& error) {
    EXPECT_NE(std::string(error.what()).find("1 MB"), std::string::npos) << error.what();
  }
}

TEST(Plan, RefusesOptionsAndShapesThatMakeNoSense) {
  EXPECT_THROW(plan({100, 0, ElementType::float32}, {}), InvalidArgument);
  EXPECT_THROW(plan({100, 5, ElementType::float32}, {.decay = 1.0}), InvalidArgument);
  EXPECT_THROW(plan({100, 5, ElementType::float32}, {.feature_fraction = 0}), InvalidArgument);
  EXPECT_THROW(plan({100, 5, ElementType::float32}, {.clusterings = 0}), InvalidArgument);
}

}  // namespace
}  // namespace mbn
