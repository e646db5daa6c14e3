// SPDX-License-Identifier: Apache-2.0
//
// Networks of distances: rows have a column for each training row.
#include <gtest/gtest.h>

#include <cmath>

#include <mbn/compress.hpp>
#include <mbn/describe.hpp>
#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>
#include <mbn/fit.hpp>
#include <mbn/model.hpp>

#include "api/model_access.hpp"
#include "network/model_data.hpp"
#include "rows/toy.hpp"
#include "store/model_file.hpp"

namespace mbn {
namespace {

Matrix euclidean_distances(MatrixView from, MatrixView to) {
  Matrix distances(from.rows(), to.rows());
  for (std::size_t i = 0; i < from.rows(); ++i) {
    for (std::size_t j = 0; j < to.rows(); ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < from.columns(); ++c) {
        const double difference = double{from.at(i, c)} - to.at(j, c);
        sum += difference * difference;
      }
      distances.mutable_row<float>(i)[j] = static_cast<float>(std::sqrt(sum));
    }
  }
  return distances;
}

SparseMatrix nearest_of(MatrixView distances, std::size_t count) {
  SparseMatrix graph;
  graph.columns = distances.columns();
  for (std::size_t i = 0; i < distances.rows(); ++i) {
    const float* row = distances.row<float>(i);
    std::vector<float> sorted(row, row + graph.columns);
    std::ranges::sort(sorted);
    for (std::uint32_t j = 0; j < graph.columns; ++j) {
      if (row[j] > sorted[count - 1]) continue;
      graph.indices.push_back(j);
      graph.values.push_back(row[j]);
    }
    graph.starts.push_back(graph.indices.size());
  }
  return graph;
}

constexpr std::uint32_t kGroups = 4;

struct Data {
  Matrix rows = toy_images(200, 30, kGroups);
  Matrix distances = euclidean_distances(rows, rows);
  FitOptions options{
      .clusterings = 50, .decay = 0.5, .clusters = kGroups, .metric = Metric::precomputed};
};

TEST(Precomputed, FindsTheGroupsOnAnyNumberOfThreads) {
  const Data data;
  const FitResult one = fit_transform(data.distances, data.options, {.threads = 1});
  EXPECT_DOUBLE_EQ(score_clusters(one.labels, toy_groups(200, kGroups)).accuracy, 1);
  const FitResult three = fit_transform(data.distances, data.options, {.threads = 3});
  EXPECT_TRUE(same_bytes(one.embedding, three.embedding));
  EXPECT_EQ(one.model.checksum(), three.model.checksum());
  EXPECT_EQ(one.model.columns(), 200U);
}

TEST(Precomputed, ARowIsARow) {
  const Data data;
  for (const bool sparse : {false, true}) {
    const SparseMatrix graph = nearest_of(data.distances, 20);
    const RowsView given = sparse ? RowsView(graph) : RowsView(data.distances);
    FitOptions options = data.options;
    options.map = 2;
    const FitResult fitted = fit_transform(given, options);
    const Model back = Model::from_bytes(fitted.model.to_bytes());
    EXPECT_EQ(back.checksum(), fitted.model.checksum());
    EXPECT_TRUE(same_bytes(back.transform(given), fitted.embedding));
    EXPECT_TRUE(same_bytes(back.map(given), fitted.map));
    EXPECT_TRUE(same_bytes(back.transform(given.slice(7, 1)), fitted.embedding.view().slice(7, 1)));
    EXPECT_EQ(back.predict(given), fitted.labels);
    EXPECT_EQ(back.outlier_scores(given).size(), 200U);
  }
}

TEST(Precomputed, NewRowsGoByTheirDistancesToTheTrainingRows) {
  const Data data;
  const Model model = fit(data.distances, data.options);
  const Matrix others = toy_images(240, 30, kGroups);
  const Matrix distances = euclidean_distances(others, data.rows);
  EXPECT_DOUBLE_EQ(score_clusters(model.predict(distances), toy_groups(240, kGroups)).accuracy, 1);
  EXPECT_THROW(model.predict(others), InvalidArgument) << "other columns";
  Matrix below = Matrix::copy_of(distances);
  below.mutable_row<float>(0)[0] = -1;
  EXPECT_THROW(model.predict(below), InvalidArgument);
}

TEST(Precomputed, ManyNeighboursAreAllOfThem) {
  const Data data;
  const FitResult dense = fit_transform(data.distances, data.options);
  const FitResult sparse = fit_transform(nearest_of(data.distances, 200), data.options);
  EXPECT_TRUE(same_bytes(dense.embedding, sparse.embedding));
  // With few there are codes that are not known.
  const FitResult few = fit_transform(nearest_of(data.distances, 6), data.options);
  EXPECT_GT(score_clusters(few.labels, toy_groups(200, kGroups)).accuracy, 0.95);
  EXPECT_THROW(fit_transform(nearest_of(data.distances, 2), data.options), InvalidArgument);
}

TEST(Precomputed, WhatIsForColumnsIsRefused) {
  const Data data;
  const auto refused = [&](const auto& change) {
    FitOptions options = data.options;
    change(options);
    EXPECT_THROW(fit(data.distances, options), InvalidArgument);
  };
  refused([](FitOptions& options) { options.scale = Scale::standard; });
  refused([](FitOptions& options) { options.directions = 5; });
  refused([](FitOptions& options) { options.weighting = Weighting::logarithm; });
  refused([](FitOptions& options) { options.missing = MissingValues::partial; });
  EXPECT_THROW(fit(data.rows, data.options), InvalidArgument) << "not square";
  EXPECT_THROW(score_map(data.distances, data.rows, {.metric = Metric::precomputed}),
               InvalidArgument);
}

TEST(Precomputed, OptionsCanBeChosen) {
  const Data data;
  FitOptions options = data.options;
  options.clusters = Clusters::find;
  options.decay = std::nullopt;
  const FitResult found = fit_transform(data.distances, options);
  EXPECT_EQ(found.model.options().clusters, Clusters(kGroups));
}

TEST(Precomputed, ClustersHaveExemplarsAndNoColumns) {
  const Data data;
  const Model model = fit(data.distances, data.options);
  for (const ClusterDescription& cluster : describe_clusters(model, data.distances)) {
    EXPECT_TRUE(cluster.marks.empty());
    EXPECT_EQ(cluster.exemplars.size(), 5U);
  }
}

TEST(Precomputed, FilesThatAreNotSoundAreRefused) {
  const Data data;
  const Model model = fit(data.distances, data.options);
  for (const Packing packing : {Packing::bits, Packing::none}) {
    const auto read_back = [&](const auto& spoil) {
      ModelData spoiled = decode_model(encode_model(ModelAccess::data(model), packing));
      spoil(spoiled.preparation.drawn);
      return decode_model(encode_model(spoiled, packing));
    };
    EXPECT_EQ(read_back([](DrawnColumns&) {}).preparation.drawn,
              ModelAccess::data(model).preparation.drawn);
    EXPECT_THROW(read_back([](DrawnColumns& drawn) { drawn.columns[1] = drawn.columns[0]; }),
                 FormatError);
    EXPECT_THROW(read_back([](DrawnColumns& drawn) { drawn.columns[0] = 200; }), FormatError);
    EXPECT_THROW(read_back([](DrawnColumns& drawn) { drawn.clusterings /= 2; }), FormatError);
    EXPECT_THROW(read_back([](DrawnColumns& drawn) { drawn = {}; }), FormatError);
  }
}

TEST(Precomputed, PlansKnowTheCodes) {
  const Data data;
  const Plan planned = plan(data.distances, data.options);
  const Model model = fit(data.distances, data.options);
  // Of the rows of upper layers not all are drawn.
  EXPECT_GE(planned.model_bytes, model.memory_bytes());
  EXPECT_LE(planned.model_bytes, model.memory_bytes() * 21 / 20);
}

}  // namespace
}  // namespace mbn
