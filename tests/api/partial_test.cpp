// SPDX-License-Identifier: Apache-2.0
//
// Networks of rows with missing values, in both ways: compared on the columns that two rows have
// (tables), and completed along directions (many columns).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include <mbn/mbn.hpp>

#include "rows/toy.hpp"
#include "rows/with_holes.hpp"
#include "store/hand_made.hpp"
#include "store/model_file.hpp"

namespace mbn {
namespace {

constexpr std::uint32_t kGroups = 4;

struct Way {
  const char* name;
  std::size_t columns;
  DirectionCount directions;
};

class Partial : public testing::TestWithParam<Way> {
 public:
  static Matrix rows(std::size_t count = 300, std::uint32_t one_in = 4) {
    return with_holes(whole(count), one_in);
  }
  static Matrix whole(std::size_t count = 300) {
    return as_floats(toy_images(count, GetParam().columns, kGroups));
  }
  static FitOptions options() {
    return {.clusterings = 40,
            .decay = 0.5,
            .clusters = kGroups,
            .scale = Scale::none,
            .directions = GetParam().directions,
            .missing = MissingValues::partial,
            .restarts = 5,
            .map = 2};
  }
};

TEST_P(Partial, FindsTheGroups) {
  const FitResult result = fit_transform(rows(), options());
  EXPECT_GT(score_clusters(result.labels, toy_groups(300, kGroups)).accuracy, 0.95);
  EXPECT_EQ(result.model.directions().count, GetParam().directions.count_or(0));
}

TEST_P(Partial, ARowIsARow) {
  const Matrix data = rows();
  const FitResult result = fit_transform(data, options());
  const Model& model = result.model;
  EXPECT_TRUE(same_bytes(model.transform(data), result.embedding));
  EXPECT_TRUE(same_bytes(model.map(data), result.map));
  EXPECT_EQ(model.predict(data), result.labels);
  const std::vector<float> outliers = model.outlier_scores(data);
  for (const std::size_t i : {0U, 7U, 299U}) {
    const MatrixView row = data.view().slice(i, 1);
    EXPECT_TRUE(same_bytes(model.transform(row), result.embedding.view().slice(i, 1)));
    EXPECT_TRUE(same_bytes(model.map(row), result.map.view().slice(i, 1)));
    EXPECT_EQ(model.outlier_scores(row)[0], outliers[i]);
  }
}

TEST_P(Partial, IsTheSameForAnyNumberOfThreadsAndFromAFile) {
  const Matrix data = rows();
  const FitResult one = fit_transform(data, options(), {.threads = 1});
  const FitResult three = fit_transform(data, options(), {.threads = 3});
  EXPECT_EQ(one.model.checksum(), three.model.checksum());
  EXPECT_TRUE(same_bytes(one.embedding, three.embedding));
  EXPECT_TRUE(same_bytes(one.map, three.map));
  const hand_made::Folder folder;
  one.model.save(folder.file("m.mbn"));
  const Model read = Model::load(folder.file("m.mbn"));
  EXPECT_EQ(read.checksum(), one.model.checksum());
  EXPECT_EQ(read.options(), one.model.options());
  const Matrix others = with_holes(toy_images(50, GetParam().columns, kGroups, 1), 3, 9);
  EXPECT_TRUE(same_bytes(read.transform(others), one.model.transform(others)));
  EXPECT_TRUE(same_bytes(read.map(others), one.model.map(others)));
  EXPECT_EQ(read.outlier_scores(others), one.model.outlier_scores(others));
}

// The bits of NaN differ between programs.
TEST_P(Partial, AnyNanWillDo) {
  const Matrix data = rows();
  Matrix negative = Matrix::copy_of(data);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t j = 0; j < data.columns(); ++j) {
      float& cell = negative.mutable_row<float>(i)[j];
      if (std::isnan(cell)) cell = -std::numeric_limits<float>::quiet_NaN();
    }
  }
  EXPECT_EQ(fit(data, options()).checksum(), fit(negative, options()).checksum());
}

TEST_P(Partial, WholeRowsAreAsWithoutTheOption) {
  FitOptions usual = options();
  usual.missing = MissingValues::refuse;
  const FitResult expected = fit_transform(whole(), usual);
  const FitResult partial = fit_transform(whole(), options());
  EXPECT_TRUE(same_bytes(partial.embedding, expected.embedding));
  EXPECT_EQ(partial.labels, expected.labels);
  // New rows may have missing values all the same.
  const std::vector<std::int32_t> labels = partial.model.predict(rows());
  EXPECT_GT(score_clusters(labels, toy_groups(300, kGroups)).accuracy, 0.9);
}

TEST_P(Partial, AScaleIsThatOfTheValuesThatAreThere) {
  FitOptions scaled = options();
  for (const Scale scale : {Scale::standard, Scale::minmax}) {
    scaled.scale = scale;
    const FitResult result = fit_transform(rows(), scaled);
    EXPECT_GT(score_clusters(result.labels, toy_groups(300, kGroups)).accuracy, 0.95);
  }
}

TEST_P(Partial, GoesOnFromACheckpoint) {
  const Matrix data = rows();
  const hand_made::Folder folder;
  const std::filesystem::path path = folder.file("c.mbn");
  {
    Fitter fitter(data, options());
    fitter.add_layer();
    fitter.save_checkpoint(path);
  }
  Fitter fitter = Fitter::resume(path, data, options());
  EXPECT_EQ(fitter.layers_done(), 1U);
  while (!fitter.done()) fitter.add_layer();
  EXPECT_EQ(fitter.finish().model.checksum(), fit(data, options()).checksum());
}

TEST_P(Partial, OptionsAreChosen) {
  FitOptions open = options();
  open.clusters = Clusters::find;
  open.decay = std::nullopt;
  open.scale = Scale::automatic;
  open.most_clusters = 6;
  const FitResult result = fit_transform(rows(), open);
  EXPECT_EQ(result.model.options().clusters.count(), kGroups);
}

TEST_P(Partial, ThePlanHoldsAndAPoolToo) {
  const Matrix data = rows();
  FitOptions pooled = options();
  pooled.pool = 150;
  EXPECT_GT(plan(RowsView(data), pooled).peak_bytes, data.shape().bytes());
  const FitResult result = fit_transform(data, pooled);
  EXPECT_TRUE(same_bytes(result.model.transform(data), result.embedding));
  EXPECT_TRUE(same_bytes(result.model.map(data), result.map));
}

TEST_P(Partial, ClustersAreDescribed) {
  const Matrix data = rows();
  const FitResult result = fit_transform(data, options());
  const auto clusters = describe_clusters(result.model, data);
  ASSERT_EQ(clusters.size(), kGroups);
  for (const ClusterDescription& cluster : clusters) {
    ASSERT_FALSE(cluster.marks.empty());
    for (const Mark& mark : cluster.marks) {
      EXPECT_TRUE(std::isfinite(mark.effect) && std::isfinite(mark.inside));
    }
  }
  for (const std::uint32_t layer : {1U, 2U}) {
    EXPECT_TRUE(std::isfinite(layer_correlation(result.model, data, layer).error_ratio));
    const Matrix places = result.model.map_layer(data, layer);
    for (std::size_t i = 0; i < places.rows(); ++i) EXPECT_TRUE(std::isfinite(places.at(i, 0)));
  }
  if (has_report_page()) {
    EXPECT_NE(report_page(result, data, {}).find("<html"), std::string::npos);
  }
}

TEST_P(Partial, FarRowsHaveHighScores) {
  const Matrix data = rows();
  const Model model = fit(data, options());
  Matrix far = Matrix::copy_of(data);
  for (std::size_t j = 0; j < far.columns(); ++j) {
    if (!std::isnan(far.at(3, j))) far.mutable_row<float>(3)[j] = j % 2 == 0 ? 2000.0F : -1000.0F;
  }
  const std::vector<float> scores = model.outlier_scores(RowsView(far.view()));
  EXPECT_GT(scores[3], 3);
  EXPECT_LT(scores[4], 3);
}

INSTANTIATE_TEST_SUITE_P(Ways, Partial,
                         testing::Values(Way{"table", 12, DirectionCount::none},
                                         Way{"columns", 230, DirectionCount::none},
                                         Way{"directions", 230, DirectionCount(10)}),
                         [](const auto& way) { return std::string(way.param.name); });

std::string refusal(RowsView rows, const FitOptions& options) {
  try {
    fit(rows, options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

TEST(PartialRows, WhatDoesNotGoTogetherIsRefused) {
  const Matrix rows = with_holes(toy_images(50, 6, 2), 4);
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  FitOptions options{.clusterings = 10};
  EXPECT_TRUE(has(refusal(rows, options), "missing = partial"));
  options.missing = MissingValues::partial;
  EXPECT_EQ(refusal(rows, options), "");
  options.metric = Metric::cosine;
  EXPECT_TRUE(has(refusal(rows, options), "compares rows by Euclidean distance"));
  options.metric = Metric::euclidean;
  options.weighting = Weighting::logarithm;
  EXPECT_TRUE(has(refusal(rows, options), "for values as they are"));
  options.weighting = Weighting::counts;
  SparseMatrix sparse;
  sparse.columns = 6;
  sparse.starts = {0, 0, 0};
  EXPECT_TRUE(has(refusal(sparse, options), "a cell that is not there is zero"));
  // A model that was trained without refuses them.
  const Model usual = fit(toy_images(50, 6, 2), {.clusterings = 10});
  EXPECT_THROW(usual.transform(rows), InvalidArgument);
  const Model partial = fit(rows, options);
  Matrix empty = Matrix::copy_of(rows);
  for (std::size_t j = 0; j < 6; ++j) {
    empty.mutable_row<float>(2)[j] = std::numeric_limits<float>::quiet_NaN();
  }
  EXPECT_THROW(partial.transform(empty), InvalidArgument);
}

TEST(PartialRows, TheKeptRowsOfAFileAreChecked) {
  const Matrix rows = with_holes(toy_images(50, 6, 2), 4);
  const Model model = fit(rows, {.clusterings = 10, .missing = MissingValues::partial});
  ModelData data = decode_model(model.to_bytes());
  EXPECT_NO_THROW(decode_model(encode_model(data)));
  // Missing cells in a model that says nothing of them.
  ModelData other = decode_model(model.to_bytes());
  other.options.missing = MissingValues::refuse;
  EXPECT_THROW(decode_model(encode_model(other)), FormatError);
  float* row = data.bottom.kept.dense().mutable_row<float>(1);
  const float cell = row[0];
  row[0] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(decode_model(encode_model(data)), FormatError);
  row[0] = cell;
  for (std::size_t j = 0; j < 6; ++j) row[j] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(decode_model(encode_model(data)), FormatError);
}

}  // namespace
}  // namespace mbn
