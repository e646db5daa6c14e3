// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/model.hpp>

#include "api/model_access.hpp"
#include "rows/kinds.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

FitOptions with_all() {
  return {.clusterings = 25, .decay = 0.5, .clusters = 4, .restarts = 4, .map = 2};
}

struct Case {
  std::string name;
  FitOptions options;
  std::size_t columns = 24;
  bool sparse = false;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"plain", with_all()});
  all.push_back({"no_clusters", with_all()});
  all.back().options.clusters = Clusters::unknown;
  all.push_back({"no_map", with_all()});
  all.back().options.map = 0;
  all.push_back({"cosine_scaled", with_all()});
  all.back().options.metric = Metric::cosine;
  all.back().options.scale = Scale::standard;
  all.push_back({"directions", with_all()});
  all.back().options.directions = 8;
  all.push_back({"sparse", with_all(), 220, true});
  all.push_back({"pool", with_all()});
  all.back().options.pool = 60;
  all.push_back({"few_drawn", with_all()});
  all.back().options.clusterings = 3;
  all.back().options.centroids = 20;
  return all;
}

class UpdateOf : public testing::TestWithParam<Case> {
 public:
  UpdateOf()
      : dense_(toy_images(200, GetParam().columns, 4)),
        other_(toy_images(90, GetParam().columns, 4, 8)),
        rows_(GetParam().sparse ? as_sparse(dense_) : Rows::borrow(RowsView(dense_))),
        fitted_(fit_transform(rows_, GetParam().options)) {}

 protected:
  Matrix dense_;
  Matrix other_;
  Rows rows_;
  FitResult fitted_;
};

void expect_same_outputs(const FitResult& a, const FitResult& b) {
  EXPECT_TRUE(same_bytes(a.embedding, b.embedding));
  EXPECT_TRUE(same_bytes(a.map, b.map));
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.confidence, b.confidence);
}

TEST_P(UpdateOf, TheTrainingRowsGiveTheBytesOfTheFit) {
  const FitResult updated = update(fitted_.model, rows_);
  expect_same_outputs(updated, fitted_);
  const ModelData& a = ModelAccess::data(updated.model);
  const ModelData& b = ModelAccess::data(fitted_.model);
  EXPECT_EQ(a.projection, b.projection);
  EXPECT_TRUE(same_bytes(a.centres, b.centres));
  EXPECT_TRUE(same_bytes(a.votes, b.votes));
  EXPECT_TRUE(same_bytes(a.map.places, b.map.places));
  EXPECT_TRUE(same_bytes(a.map.components, b.map.components));
  EXPECT_EQ(a.map.space.projection, b.map.space.projection);
  EXPECT_TRUE(updated.notes.empty());
}

TEST_P(UpdateOf, TheLayersStayAndTheModelTellsOfTheUpdate) {
  const FitResult updated = update(fitted_.model, other_);
  const ModelData& a = ModelAccess::data(updated.model);
  const ModelData& b = ModelAccess::data(fitted_.model);
  EXPECT_EQ(a.bottom.draws, b.bottom.draws);
  EXPECT_EQ(updated.model.codes(other_), fitted_.model.codes(other_));
  EXPECT_FALSE(same_bytes(updated.embedding, fitted_.model.transform(other_)));
  EXPECT_EQ(updated.model.options(), fitted_.model.options());
  EXPECT_EQ(fitted_.model.updated_rows(), 0U);
  const Model loaded = Model::from_bytes(updated.model.to_bytes());
  const bool pool = GetParam().name == "pool";
  EXPECT_EQ(loaded.updated_rows(), pool ? 60U : 90U);
  EXPECT_EQ(loaded.training_rows(), pool ? 60U : 200U);
  EXPECT_EQ(loaded.to_bytes(), updated.model.to_bytes());
  EXPECT_NE(loaded.checksum(), fitted_.model.checksum());
}

TEST_P(UpdateOf, TheSameBytesOnAnyNumberOfThreadsAndInAnyBatches) {
  const FitResult one = update(fitted_.model, other_, {.threads = 1});
  const FitResult three = update(fitted_.model, other_, {.threads = 3});
  expect_same_outputs(one, three);
  EXPECT_EQ(one.model.to_bytes(), three.model.to_bytes());
  const FitResult twice = update(one.model, other_);
  EXPECT_EQ(twice.model.to_bytes(), one.model.to_bytes());
}

TEST_P(UpdateOf, ARowIsARow) {
  const FitResult updated = update(fitted_.model, other_);
  const Model& model = updated.model;
  EXPECT_TRUE(same_bytes(model.transform(other_), updated.embedding));
  const RowsView alone = RowsView(other_).slice(7, 1);
  EXPECT_TRUE(same_bytes(model.transform(alone), updated.embedding.view().slice(7, 1)));
  if (!updated.labels.empty()) {
    const Assignment assigned = model.assign(other_);
    EXPECT_EQ(assigned.labels, updated.labels);
    EXPECT_EQ(assigned.confidence, updated.confidence);
  }
  if (updated.map.rows() == 0) return;
  EXPECT_TRUE(same_bytes(model.map(other_), updated.map));
  EXPECT_TRUE(same_bytes(model.map(alone), updated.map.view().slice(7, 1)));
}

TEST_P(UpdateOf, WhatTheFitGaveIsMadeAgainFromTheKeptRows) {
  const Model loaded = Model::from_bytes(fitted_.model.to_bytes());
  const bool all = loaded.layers().front().kept_rows == 200;
  EXPECT_EQ(all, GetParam().name != "pool" && GetParam().name != "few_drawn");
  ASSERT_EQ(loaded.holds_training_rows(), all);
  if (!all) {
    EXPECT_THROW(loaded.training_output(), InvalidArgument);
    return;
  }
  const TrainingOutput output = loaded.training_output({.threads = 2, .memory_limit = 40000});
  EXPECT_TRUE(same_bytes(output.embedding, fitted_.embedding));
  EXPECT_TRUE(same_bytes(output.map, fitted_.map));
  EXPECT_EQ(output.labels, fitted_.labels);
  EXPECT_EQ(output.confidence, fitted_.confidence);
}

INSTANTIATE_TEST_SUITE_P(Update, UpdateOf, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

// Toy images as floats, all of them brighter by as much.
Matrix brighter(float by) {
  const Matrix images = toy_images(100, 8, 4);
  Matrix rows(images.rows(), images.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      rows.mutable_row<float>(i)[j] = images.view().at(i, j) + by;
    }
  }
  return rows;
}

TEST(Update, AnUpdatedModelDoesNotHoldItsRows) {
  const Matrix rows = toy_images(100, 8, 4);
  const Model model = update(fit(rows, with_all()), rows).model;
  EXPECT_FALSE(model.holds_training_rows());
  try {
    model.training_output();
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("updated on 100 rows"), std::string::npos);
  }
}

TEST(Update, RefusesRowsThatCannotBeUpdatedOn) {
  const Model model = fit(toy_images(100, 8, 4), with_all());
  EXPECT_THROW(update(model, toy_images(3, 8, 2)), InvalidArgument);    // of 4 clusters
  EXPECT_THROW(update(model, toy_images(100, 9, 4)), InvalidArgument);  // columns
  EXPECT_THROW(update(model, toy_images(100, 8, 4), {.memory_limit = 1000}), MemoryLimitExceeded);
  Matrix hole = brighter(0);
  hole.mutable_row<float>(3)[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(update(model, hole), InvalidArgument);
}

TEST(Update, TellsOfRowsThatTheNetworkHardlyKnows) {
  const Model model = fit(brighter(0), with_all());
  std::vector<Note> told;
  const auto tell = [&](const Note& note) { told.push_back(note); };
  EXPECT_TRUE(update(model, brighter(0.01F), {.note = tell}).notes.empty());
  const FitResult updated = update(model, brighter(1000), {.note = tell});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().code, NoteCode::rows_unlike);
  EXPECT_EQ(updated.notes, told);
}

}  // namespace
}  // namespace mbn
