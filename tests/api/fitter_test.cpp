// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>
#include <mbn/fit.hpp>

#include "api/model_access.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

const FitOptions kOptions{.clusterings = 30,
                          .decay = 0.5,
                          .clusters = 4,
                          .scale = Scale::none,
                          .restarts = 5,
                          .seed = 42};

std::filesystem::path temporary(const char* name) {
  return std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name);
}

void expect_same(const FitResult& a, const FitResult& b) {
  const ModelData& x = ModelAccess::data(a.model);
  const ModelData& y = ModelAccess::data(b.model);
  EXPECT_EQ(x.bottom.draws, y.bottom.draws);
  EXPECT_TRUE(same_bytes(x.bottom.kept.dense(), y.bottom.kept.dense()));
  ASSERT_EQ(x.upper.size(), y.upper.size());
  for (std::size_t l = 0; l < x.upper.size(); ++l) {
    EXPECT_EQ(x.upper[l].draws, y.upper[l].draws);
    EXPECT_EQ(x.upper[l].kept, y.upper[l].kept);
  }
  EXPECT_EQ(x.projection, y.projection);
  EXPECT_TRUE(same_bytes(x.centres, y.centres));
  EXPECT_TRUE(same_bytes(a.embedding, b.embedding));
  EXPECT_EQ(a.labels, b.labels);
}

TEST(Fit, FindsGroupsThatAreThere) {
  const Matrix rows = toy_images(240, 30, 4);
  const FitResult result = fit_transform(rows, kOptions);
  EXPECT_EQ(result.embedding.shape(), (Shape{240, 4, ElementType::float32}));
  EXPECT_GT(normalized_mutual_information(result.labels, toy_groups(240, 4)), 0.95);
  const auto ratio = result.model.explained_variance_ratio();
  EXPECT_TRUE(std::is_sorted(ratio.rbegin(), ratio.rend()));
  EXPECT_GT(ratio[0], 0);
}

TEST(Fit, OneSeedOneAnswerOnAnyNumberOfThreads) {
  const Matrix rows = toy_images(240, 30, 4);
  const FitResult one = fit_transform(rows, kOptions, {.threads = 1});
  expect_same(one, fit_transform(rows, kOptions, {.threads = 3}));
  FitOptions other = kOptions;
  other.seed = 43;
  EXPECT_FALSE(same_bytes(one.embedding, fit_transform(rows, other).embedding));
}

TEST(Fit, AMemoryLimitChangesTheBatchAndNothingElse) {
  const Matrix rows = toy_images(600, 30, 4);
  const Plan free = plan(rows.shape(), kOptions, {.threads = 1});
  RunOptions tight{.threads = 1, .memory_limit = free.peak_bytes - 100'000};
  ASSERT_LT(plan(rows.shape(), kOptions, tight).batch_rows, free.batch_rows);
  expect_same(fit_transform(rows, kOptions, {.threads = 1}), fit_transform(rows, kOptions, tight));
}

TEST(Fit, BytesAndFloatsGiveTheSameNetwork) {
  const Matrix bytes = toy_images(150, 20, 3);
  const Matrix floats = as_floats(bytes);
  EXPECT_TRUE(same_bytes(fit_transform(bytes, kOptions).embedding,
                         fit_transform(floats, kOptions).embedding));
}

TEST(Fit, TheOrderOfRowsInTheFileIsNotAFeature) {
  // Sorted by group or interleaved: the groups are found either way.
  const Matrix rows = toy_images(200, 30, 4);
  Matrix sorted(200, 30, ElementType::uint8);
  std::vector<std::int32_t> truth;
  for (std::size_t i = 0; i < 200; ++i) {
    const std::size_t source = (i % 50) * 4 + i / 50;
    std::copy_n(rows.row<std::uint8_t>(source), 30, sorted.mutable_row<std::uint8_t>(i));
    truth.push_back(static_cast<std::int32_t>(i / 50));
  }
  EXPECT_GT(normalized_mutual_information(fit_transform(sorted, kOptions).labels, truth), 0.95);
}

TEST(Fitter, LayerByLayerIsTheWholeFit) {
  const Matrix rows = toy_images(160, 25, 4);
  Fitter fitter(rows, kOptions);
  std::uint32_t layers = 0;
  while (!fitter.done()) {
    EXPECT_THROW(fitter.finish(), InvalidArgument);
    fitter.add_layer();
    EXPECT_EQ(fitter.layers_done(), ++layers);
    EXPECT_EQ(fitter.codes().centroids(), fitter.plan().layers[layers - 1].centroids);
  }
  EXPECT_THROW(fitter.add_layer(), InvalidArgument);
  expect_same(fitter.finish(), fit_transform(rows, kOptions));
}

TEST(Fitter, GoesOnFromACheckpointAsIfNothingHadHappened) {
  const Matrix rows = toy_images(160, 25, 4);
  const auto path = temporary("checkpoint");
  {
    Fitter fitter(rows, kOptions);
    fitter.save_checkpoint(path);
    EXPECT_EQ(Fitter::resume(path, rows, kOptions).layers_done(), 0U);
    fitter.add_layer();
    fitter.save_checkpoint(path);
    fitter.add_layer();
    fitter.save_checkpoint(path);
  }
  Fitter fitter = Fitter::resume(path, rows, kOptions);
  EXPECT_EQ(fitter.layers_done(), 2U);
  while (!fitter.done()) fitter.add_layer();
  expect_same(fitter.finish(), fit_transform(rows, kOptions));

  FitOptions other = kOptions;
  other.seed = 1;
  EXPECT_THROW(Fitter::resume(path, rows, other), InvalidArgument);
  const Matrix strangers = toy_images(160, 25, 4, 9);
  EXPECT_THROW(Fitter::resume(path, strangers, kOptions), InvalidArgument);
  std::filesystem::remove(path);
}

TEST(Fit, CanBeCancelled) {
  const Matrix rows = toy_images(160, 25, 4);
  std::atomic<bool> cancel{false};
  RunOptions run{.progress = [&](const Progress& p) { cancel = p.layer == 2; }, .cancel = &cancel};
  EXPECT_THROW(fit(rows, kOptions, run), Cancelled);
}

TEST(Fit, ProgressReachesTheEndInOrder) {
  const Matrix rows = toy_images(160, 25, 4);
  double last = 0;
  bool rising = true;
  RunOptions run{.threads = 2, .progress = [&](const Progress& p) {
                   rising = rising && p.overall >= last;
                   last = p.overall;
                 }};
  fit(rows, kOptions, run);
  EXPECT_TRUE(rising);
  EXPECT_GT(last, 0.5);
}

TEST(Fit, NotesADominatingColumn) {
  Matrix rows = as_floats(toy_images(100, 12, 3));
  for (std::size_t i = 0; i < 100; ++i) rows.mutable_row<float>(i)[4] *= 1000;
  EXPECT_EQ(fit_transform(rows, kOptions).notes.size(), 1U);
  FitOptions scaled = kOptions;
  scaled.scale = Scale::standard;
  EXPECT_TRUE(fit_transform(rows, scaled).notes.empty());
}

TEST(Fit, TinyAndDegenerateDataHaveAnAnswer) {
  const FitOptions small{.clusterings = 10, .restarts = 3};
  for (const std::size_t rows : {2UL, 3UL, 20UL}) {
    const FitResult result = fit_transform(toy_images(rows, 5, 2), small);
    EXPECT_EQ(result.embedding.rows(), rows);
  }
  // One column; constant columns; all rows equal.
  EXPECT_EQ(fit_transform(toy_images(30, 1, 2), small).embedding.columns(), 2U);
  const Matrix equal(40, 6);
  const FitResult flat =
      fit_transform(equal, {.clusterings = 10, .decay = 0.5, .clusters = 3, .restarts = 3});
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(flat.embedding.at(i, j), 0);
    EXPECT_EQ(flat.labels[i], 0);
  }
}

TEST(Fit, RefusesBadInput) {
  Matrix rows = as_floats(toy_images(30, 4, 2));
  EXPECT_THROW(fit(rows, {.clusters = 31}), InvalidArgument);
  EXPECT_THROW(fit(rows, {.centroids = 31}), InvalidArgument);
  EXPECT_THROW(fit(rows.view().slice(0, 1)), InvalidArgument);
  rows.mutable_row<float>(3)[3] = INFINITY;
  EXPECT_THROW(fit(rows), InvalidArgument);
}

}  // namespace
}  // namespace mbn
