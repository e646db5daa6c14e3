// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/model.hpp>
#include <mbn/plan.hpp>

#include "rows/kinds.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

FitOptions with_map() {
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
  all.push_back({"plain", with_map()});
  all.push_back({"three_dimensions", with_map()});
  all.back().options.map = 3;
  all.push_back({"one_dimension", with_map()});
  all.back().options.map = 1;
  all.push_back({"own_components", with_map()});
  all.back().options.clusters = Clusters::unknown;
  all.push_back({"cosine", with_map()});
  all.back().options.metric = Metric::cosine;
  all.push_back({"directions", with_map()});
  all.back().options.directions = 8;
  all.push_back({"many_columns", with_map(), 220});
  all.back().options.directions = DirectionCount::none;
  all.push_back({"sparse", with_map(), 220, true});
  all.push_back({"pool", with_map()});
  all.back().options.pool = 60;
  all.push_back({"few_drawn", with_map()});
  all.back().options.clusterings = 3;
  all.back().options.centroids = 20;
  return all;
}

class MapOf : public testing::TestWithParam<Case> {
 public:
  MapOf()
      : dense_(toy_images(200, GetParam().columns, 4)),
        rows_(GetParam().sparse ? as_sparse(dense_) : Rows::borrow(RowsView(dense_))),
        result_(fit_transform(rows_, GetParam().options)) {}

 protected:
  Matrix dense_;
  Rows rows_;
  FitResult result_;
};

TEST_P(MapOf, TrainingRowsHaveThePlacesThatTheFitGaveThem) {
  ASSERT_EQ(result_.map.rows(), 200U);
  ASSERT_EQ(result_.map.columns(), GetParam().options.map);
  EXPECT_TRUE(same_bytes(result_.model.map(rows_), result_.map));
}

TEST_P(MapOf, ARowHasItsPlaceAloneInABatchAndInAnotherOrder) {
  const Matrix strangers = toy_images(40, GetParam().columns, 4, 8);
  const Matrix batch = result_.model.map(strangers);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_TRUE(
        same_bytes(result_.model.map(strangers.view().slice(i, 1)), batch.view().slice(i, 1)));
  }
  EXPECT_TRUE(
      same_bytes(result_.model.map(strangers, {.threads = 3, .memory_limit = 2000}), batch));
}

TEST_P(MapOf, IsTheSameForAnyNumberOfThreads) {
  for (const std::uint32_t threads : {1U, 3U}) {
    const FitResult again = fit_transform(rows_, GetParam().options, {.threads = threads});
    EXPECT_TRUE(same_bytes(again.map, result_.map));
  }
}

TEST_P(MapOf, SurvivesItsFile) {
  const Matrix strangers = toy_images(40, GetParam().columns, 4, 8);
  const Model loaded = Model::from_bytes(result_.model.to_bytes());
  EXPECT_EQ(loaded.checksum(), result_.model.checksum());
  EXPECT_EQ(loaded.memory_bytes(), result_.model.memory_bytes());
  EXPECT_TRUE(same_bytes(loaded.map(strangers), result_.model.map(strangers)));
  EXPECT_LE(result_.model.memory_bytes(), plan(rows_.view(), GetParam().options).model_bytes);
}

TEST_P(MapOf, DoesNotChangeTheEmbedding) {
  FitOptions without = GetParam().options;
  without.map = 0;
  const FitResult plain = fit_transform(rows_, without);
  EXPECT_TRUE(same_bytes(plain.embedding, result_.embedding));
  EXPECT_EQ(plain.labels, result_.labels);
  EXPECT_EQ(plain.map.rows(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MapOf, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(MapOf, AfterTheTopLayerItIsTheMapOfTheNetwork) {
  const auto top = static_cast<std::uint32_t>(result_.model.layers().size());
  const Matrix after_top = result_.model.map_layer(rows_, top);
  EXPECT_EQ(after_top.shape(), result_.map.shape());
  EXPECT_TRUE(same_bytes(result_.model.map_layer(rows_, 1, {.threads = 3}),
                         result_.model.map_layer(rows_, 1, {.threads = 1})));
  // Laid out anew from the same rows, unless some of them were not kept.
  if (result_.model.layers()[0].kept_rows == 200) {
    EXPECT_TRUE(same_bytes(after_top, result_.map));
  }
}

TEST(Map, EqualRowsHaveEqualPlaces) {
  Matrix rows = as_floats(toy_images(60, 5, 3));
  for (std::size_t c = 0; c < 5; ++c) {
    for (std::size_t i = 40; i < 60; ++i) {
      rows.mutable_row<float>(i)[c] = rows.view().at(3, c);
    }
  }
  const FitResult result = fit_transform(rows, with_map());
  for (std::size_t i = 40; i < 60; ++i) {
    EXPECT_TRUE(same_bytes(result.map.view().slice(i, 1), result.map.view().slice(3, 1)));
  }
}

TEST(Map, OfAlmostNothing) {
  for (const std::size_t count : {2UL, 3UL}) {
    const Matrix rows = toy_images(count, 4, 1);
    const FitResult result =
        fit_transform(rows, {.clusterings = 3, .directions = DirectionCount::none, .map = 2});
    EXPECT_TRUE(same_bytes(result.model.map(rows), result.map));
    for (std::size_t i = 0; i < count; ++i) EXPECT_TRUE(std::isfinite(result.map.view().at(i, 0)));
  }
  const Matrix constant(20, 4);
  const FitResult same = fit_transform(constant, {.clusterings = 3, .map = 2});
  EXPECT_TRUE(same_bytes(same.map.view().slice(0, 1), same.map.view().slice(19, 1)));
}

TEST(Map, AColumnOfOneHugeNumberChangesNothing) {
  const Matrix plain = as_floats(toy_images(80, 4, 3));
  Matrix filled(80, 5);
  for (std::size_t i = 0; i < 80; ++i) {
    std::copy_n(plain.view().row<float>(i), 4, filled.mutable_row<float>(i));
    filled.mutable_row<float>(i)[4] = 3e38F;
  }
  // All columns are drawn, so the network is the same.
  const FitOptions options{.clusterings = 20, .feature_fraction = 1, .map = 2};
  EXPECT_TRUE(same_bytes(fit_transform(filled, options).map, fit_transform(plain, options).map));
}

TEST(Map, IsRefusedInPlainWords) {
  const Matrix rows = toy_images(60, 5, 3);
  const Model model = fit(rows, {.clusterings = 5});
  try {
    model.map(rows);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.code(), ErrorCode::no_map);
  }
  EXPECT_THROW(fit(rows, {.clusterings = 5, .map = 4}), InvalidArgument);
}

TEST(Map, GoesOnFromACheckpoint) {
  const Matrix rows = toy_images(120, 5, 3);
  const FitResult whole = fit_transform(rows, with_map());
  const auto path = std::filesystem::path(testing::TempDir()) / "map-checkpoint.mbn";
  std::filesystem::remove(path);
  Fitter fitter = begin_fit(rows, with_map());
  fitter.add_layer();
  fitter.save_checkpoint(path);
  const FitResult resumed = fit_transform(rows, with_map(), {}, path);
  EXPECT_TRUE(same_bytes(resumed.map, whole.map));
  // Layers do not depend on the map: it may be asked for later.
  FitOptions without = with_map();
  without.map = 0;
  Fitter plain = begin_fit(rows, without);
  plain.add_layer();
  plain.save_checkpoint(path);
  EXPECT_TRUE(same_bytes(fit_transform(rows, with_map(), {}, path).map, whole.map));
}

}  // namespace
}  // namespace mbn
