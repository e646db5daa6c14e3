// SPDX-License-Identifier: Apache-2.0
#include "network/settle_options.hpp"

#include <gtest/gtest.h>

#include <mbn/error.hpp>

namespace mbn {
namespace {

FitOptions settle(std::uint64_t rows, std::uint64_t columns, const FitOptions& options = {}) {
  return settle_options(options, size_of(Shape{rows, columns, ElementType::float32}));
}

TEST(SettleOptions, DirectionsAreForManyColumns) {
  EXPECT_EQ(settle(1000, 784).directions, DirectionCount(64));
  EXPECT_EQ(settle(1000, 199).directions, DirectionCount::none);
  EXPECT_EQ(settle(50, 7129).directions, DirectionCount(49));
  EXPECT_EQ(settle(1000, 784, {.directions = 50}).directions, DirectionCount(50));
  EXPECT_EQ(settle(1000, 784, {.directions = DirectionCount::none}).directions,
            DirectionCount::none);
  EXPECT_THROW(settle(1000, 40, {.directions = 50}), InvalidArgument);
}

TEST(SettleOptions, DirectionsAndScalesAreForMetricsThatAllowThem) {
  for (const Metric metric :
       {Metric::manhattan, Metric::chi_squared, Metric::hamming, Metric::jaccard}) {
    EXPECT_EQ(settle(1000, 784, {.metric = metric}).directions, DirectionCount::none);
    EXPECT_THROW(settle(1000, 784, {.metric = metric, .directions = 50}), InvalidArgument);
  }
  for (const Metric metric : {Metric::cosine, Metric::correlation, Metric::hellinger}) {
    EXPECT_EQ(settle(1000, 784, {.metric = metric}).directions, DirectionCount(64));
  }
  for (const Metric metric :
       {Metric::chi_squared, Metric::hellinger, Metric::hamming, Metric::jaccard}) {
    EXPECT_THROW(settle(1000, 9, {.metric = metric, .scale = Scale::minmax}), InvalidArgument);
    EXPECT_NO_THROW(settle(1000, 9, {.metric = metric, .scale = Scale::automatic}));
  }
  EXPECT_NO_THROW(settle(1000, 9, {.metric = Metric::manhattan, .scale = Scale::standard}));
  EXPECT_NO_THROW(settle(1000, 9, {.metric = Metric::correlation, .scale = Scale::standard}));
}

TEST(SettleOptions, FewColumnsAreAllSeen) {
  EXPECT_EQ(settle(1000, 2).feature_fraction, 1.0);
  EXPECT_EQ(settle(1000, 3).feature_fraction, 1.0);
  EXPECT_EQ(settle(1000, 4).feature_fraction, 0.5);
  EXPECT_EQ(settle(1000, 784).feature_fraction, 0.5);
  EXPECT_EQ(settle(1000, 2, {.feature_fraction = 0.5}).feature_fraction, 0.5);
  EXPECT_EQ(settle(1000, 784, {.directions = 2}).feature_fraction, 0.5);
  // A category or a text is a block, which says something without the other columns.
  EXPECT_EQ(settle(1000, 20, {.blocks = {{0, 18}}}).feature_fraction, 0.5);
}

TEST(SettleOptions, ADecayIsChosenForANumberOfClustersOnly) {
  EXPECT_EQ(settle(1000, 9).decay, 0.5);
  EXPECT_EQ(settle(1000, 9, {.clusters = 3}).decay, std::nullopt);
  EXPECT_EQ(settle(1000, 9, {.clusters = Clusters::find}).decay, std::nullopt);
  EXPECT_EQ(settle(1000, 9, {.decay = 0.3, .clusters = 3}).decay, 0.3);
}

TEST(SettleOptions, AScaleIsChosenForTablesOnly) {
  EXPECT_EQ(settle(1000, 9).scale, Scale::automatic);
  EXPECT_EQ(settle(1000, 201).scale, Scale::none);
  EXPECT_EQ(settle(1000, 9, {.metric = Metric::cosine}).scale, Scale::none);
  EXPECT_EQ(settle(1000, 9, {.weighting = Weighting::logarithm}).scale, Scale::none);
  EXPECT_EQ(settle_options({}, size_of(Shape{1000, 9, ElementType::uint8})).scale, Scale::none);
}

TEST(SettleOptions, SparseCountsNeedAWeightingForDirections) {
  DataSize size = size_of(Shape{1000, 5000, ElementType::float32});
  size.is_sparse = true;
  EXPECT_EQ(settle_options({}, size).directions, DirectionCount::none);
  EXPECT_EQ(settle_options({.weighting = Weighting::log_tfidf}, size).directions,
            DirectionCount(100));
}

TEST(SettleOptions, ManyRowsHaveFewerClusteringsAndALimitedPool) {
  EXPECT_EQ(settle(10'000, 10).clusterings, 400U);
  EXPECT_EQ(settle(10'001, 10).clusterings, 200U);
  EXPECT_EQ(settle(10'001, 10, {.clusterings = 30}).clusterings, 30U);
  EXPECT_EQ(settle(20'000, 10, {.weighting = Weighting::log_tfidf}).clusterings, 400U);
  EXPECT_EQ(settle(20'001, 10, {.weighting = Weighting::log_tfidf}).clusterings, 150U);
  EXPECT_EQ(settle(20'000, 10).clusterings, 200U);
  EXPECT_EQ(settle(20'001, 10).clusterings, 150U);
  EXPECT_EQ(settle(100'000, 10).pool, std::nullopt);
  EXPECT_EQ(settle(100'001, 10).pool, kMostPoolRows);
  EXPECT_EQ(settle(100'001, 10, {.pool = 100'001}).pool, 100'001U);
  const FitOptions once = settle(200'000, 784);
  EXPECT_EQ(settle(200'000, 784, once), once);
}

}  // namespace
}  // namespace mbn
