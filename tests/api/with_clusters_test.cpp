// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/model.hpp>

#include "input/files.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

const FitOptions kOptions{.clusterings = 25, .decay = 0.5, .clusters = 4, .restarts = 4, .map = 2};

TEST(WithClusters, IsTheFitForThatNumberWhereTheLayersAreTheSame) {
  const Matrix rows = toy_images(200, 24, 4);
  const FitResult four = fit_transform(rows, kOptions);
  FitOptions options = kOptions;
  options.clusters = 3;
  const FitResult three = fit_transform(rows, options);
  ASSERT_EQ(four.model.layers().size(), three.model.layers().size());
  const FitResult cut = with_clusters(four.model, 3);
  EXPECT_EQ(cut.labels, three.labels);
  EXPECT_EQ(cut.confidence, three.confidence);
  EXPECT_EQ(cut.model.predict(rows), three.labels);
  EXPECT_EQ(cut.model.options().clusters.count(), 3U);
  EXPECT_EQ(cut.model.components(), 3U);
  EXPECT_TRUE(cut.model.holds_training_rows());
  EXPECT_EQ(four.model.options().clusters.count(), 4U);
}

TEST(WithClusters, TheMapStays) {
  const Matrix rows = toy_images(200, 24, 4);
  const FitResult four = fit_transform(rows, kOptions);
  const FitResult cut = with_clusters(four.model, 7);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    EXPECT_EQ(cut.map.row<float>(i)[0], four.map.row<float>(i)[0]);
  }
  const Matrix other = toy_images(20, 24, 4, 8);
  const Matrix before = four.model.map(other);
  const Matrix after = Model::from_bytes(cut.model.to_bytes()).map(other);
  for (std::size_t i = 0; i < other.rows(); ++i) {
    EXPECT_EQ(after.row<float>(i)[1], before.row<float>(i)[1]);
  }
}

TEST(WithClusters, AModelWithoutClustersGetsSome) {
  FitOptions options = kOptions;
  options.clusters = Clusters::unknown;
  const Matrix rows = toy_images(200, 24, 4);
  const FitResult cut = with_clusters(fit(rows, options), 3);
  EXPECT_EQ(cut.model.cluster_centres().rows(), 3U);
  EXPECT_EQ(cut.labels.size(), 200U);
}

TEST(WithClusters, Refuses) {
  const Matrix rows = toy_images(200, 24, 4);
  const Model model = fit(rows, kOptions);
  files::expect_error<InvalidArgument>([&] { with_clusters(model, 0); }, {"there are 200 rows"});
  files::expect_error<InvalidArgument>([&] { with_clusters(model, 201); }, {"there are 200 rows"});
  FitOptions few = kOptions;
  few.pool = 50;
  files::expect_error<InvalidArgument>([&] { with_clusters(fit(rows, few), 3); },
                                       {"does not hold all its training rows"});
}

TEST(ModelTree, IsOfAllLayersAndTheSameOnAnyNumberOfThreads) {
  const Matrix rows = toy_images(120, 24, 4);
  const Model model = fit(rows, kOptions);
  const Tree tree = model.tree(rows, {.threads = 1});
  EXPECT_EQ(tree.rows.size(), 120U);
  EXPECT_EQ(tree.merges.size(), 119U);
  EXPECT_EQ(tree, model.tree(rows, {.threads = 3}));
  const std::string json = to_json(tree);
  for (const char* name : {"\"rows\"", "\"merges\"", "\"cuts\"", "\"branches\""}) {
    EXPECT_NE(json.find(name), std::string::npos);
  }
}

TEST(ModelTree, Refuses) {
  const Matrix rows = toy_images(120, 24, 4);
  const Model model = fit(rows, kOptions);
  files::expect_error<InvalidArgument>([&] { model.tree(rows.view().slice(0, 1)); },
                                       {"at least 2 rows"});
  files::expect_error<MemoryLimitExceeded>(
      [&] { model.tree(rows, RunOptions{.memory_limit = 20000}); }, {"a tree of 120 rows needs"});
}

}  // namespace
}  // namespace mbn
