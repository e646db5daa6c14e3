// SPDX-License-Identifier: Apache-2.0
//
// A network is made from the rows of its pool alone, and all others go through it.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/pool.hpp>

#include "network/pool.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

FitOptions options() {
  return {.clusterings = 20, .clusters = 3, .pool = 90, .restarts = 3, .map = 2, .seed = 5};
}

void expect_same(const FitResult& whole, const FitResult& pool, RowsView rows) {
  EXPECT_EQ(whole.model.to_bytes(), pool.model.to_bytes());
  EXPECT_EQ(whole.model.training_rows(), 90U);
  const RowOutputs all = pool.model.outputs(rows, {.embedding = true, .map = true, .labels = true});
  EXPECT_TRUE(same_bytes(whole.embedding, all.embedding));
  EXPECT_TRUE(same_bytes(whole.map, all.map));
  EXPECT_EQ(whole.labels, all.labels);
  EXPECT_EQ(whole.confidence, all.confidence);
}

TEST(PoolFit, IsAFitOfThePool) {
  const Matrix rows = toy_images(400, 30, 3);
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    FitOptions wanted = options();
    wanted.metric = metric;
    const Pool pool = draw_pool(rows, wanted);
    expect_same(fit_transform(rows, wanted, {.threads = 2}), fit_transform(pool.rows, wanted),
                rows);
  }
}

TEST(PoolFit, ChoosesOpenOptionsFromThePool) {
  const Matrix rows = toy_images(400, 30, 3);
  FitOptions wanted = options();
  wanted.decay = std::nullopt;
  wanted.scale = Scale::automatic;
  const Pool pool = draw_pool(rows, wanted);
  expect_same(fit_transform(rows, wanted), fit_transform(pool.rows, wanted), rows);
}

TEST(PoolFit, UpdatesFromThePool) {
  const Matrix rows = toy_images(400, 30, 3);
  const Model model = fit(rows, options());
  const FitResult again = update(model, rows);
  const FitResult first = fit_transform(rows, options());
  EXPECT_TRUE(same_bytes(again.embedding, first.embedding));
  EXPECT_TRUE(same_bytes(again.map, first.map));
  EXPECT_EQ(again.labels, first.labels);
}

TEST(PoolFit, RefusesBadRowsOutsideThePool) {
  const Matrix bytes = toy_images(400, 30, 3);
  Matrix rows(400, 30);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < 30; ++j) rows.mutable_row<float>(i)[j] = bytes.at(i, j);
  }
  const Pool pool = draw_pool(rows, options());
  std::uint32_t outside = 0;
  while (std::ranges::find(pool.numbers, outside) != pool.numbers.end()) ++outside;
  rows.mutable_row<float>(outside)[4] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(fit(rows, options()), InvalidArgument);
}

TEST(PoolFit, PlansForThePool) {
  const Shape many{10'000'000, 20, ElementType::float32};
  const FitOptions wanted{.clusterings = 100, .decay = 0.5, .clusters = 10, .pool = 50'000};
  const Plan planned = plan(many, wanted);
  EXPECT_EQ(planned.layers[0].centroids, 25'000U);
  EXPECT_LT(planned.streaming_bytes, 1'500'000'000U);
  EXPECT_GT(planned.peak_bytes, planned.streaming_bytes + many.bytes());
  const Plan few = plan({50'000, 20, ElementType::float32}, wanted);
  EXPECT_EQ(few.streaming_bytes, few.peak_bytes);
  EXPECT_GT(planned.fit_seconds, few.fit_seconds);
}

}  // namespace
}  // namespace mbn
