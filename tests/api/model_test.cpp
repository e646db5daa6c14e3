// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/model.hpp>

#include "rows/toy.hpp"

namespace mbn {
namespace {

TEST(Model, KeepsTheNamesOfColumns) {
  const Matrix rows = toy_images(60, 3, 2);
  const FitOptions options{.clusterings = 5};
  const std::vector<std::string> names = {"a", "b", "c"};
  const FitResult named = fit_transform(rows, options, {}, {}, {.names = names});
  EXPECT_EQ(named.model.column_names(), names);
  EXPECT_EQ(Model::from_bytes(named.model.to_bytes()).column_names(), names);
  const FitResult bare = fit_transform(rows, options);
  EXPECT_TRUE(bare.model.column_names().empty());
  EXPECT_TRUE(same_bytes(bare.embedding, named.embedding));
  EXPECT_THROW(fit_transform(rows, options, {}, {}, {.names = {"a"}}), InvalidArgument);
}

TEST(Model, KeepsTheCodingOfColumns) {
  const Matrix rows = toy_images(60, 4, 2);
  const TableCoding coding = {{"size", ColumnKind::number, {}},
                              {"colour", ColumnKind::category, {"blue", "green", "red"}},
                              {"comment", ColumnKind::text, {}}};
  const FitOptions options{.clusterings = 5, .scale = Scale::standard, .blocks = blocks_of(coding)};
  const FitResult with = fit_transform(rows, options, {}, {}, {.coding = coding});
  const Model back = Model::from_bytes(with.model.to_bytes());
  EXPECT_EQ(back.coding(), coding);
  EXPECT_EQ(back.options(), with.model.options());
  EXPECT_TRUE(same_bytes(back.transform(rows), with.embedding));
  EXPECT_THROW(fit_transform(rows, {.clusterings = 5}, {}, {}, {.coding = coding}), InvalidArgument)
      << "the blocks are missing";
  EXPECT_THROW(fit_transform(rows, options, {}, {}, {.coding = {coding[0]}}), InvalidArgument);
}

TEST(Model, KeepsTheMeansOfColumns) {
  const Matrix rows = toy_images(60, 3, 2);
  const auto fitted = [&](const std::vector<double>& means) {
    Fitter fitter = begin_fit(rows, {.clusterings = 5});
    fitter.keep_means(means);
    while (!fitter.done()) fitter.add_layer();
    return fitter.finish();
  };
  const std::vector<double> means = {0.5, -1, 1.0 / 3};
  const FitResult with = fitted(means);
  EXPECT_EQ(with.model.column_means(), means);
  EXPECT_EQ(Model::from_bytes(with.model.to_bytes()).column_means(), means);
  EXPECT_TRUE(fitted({}).model.column_means().empty());
  EXPECT_TRUE(same_bytes(fitted({}).embedding, with.embedding));
  EXPECT_THROW(fitted({1, 2}), InvalidArgument);
}

struct Case {
  Metric metric;
  Scale scale;
  Weighting weighting = Weighting::counts;
  DirectionCount directions = DirectionCount::none;
};

class ModelOf : public testing::TestWithParam<Case> {
 public:
  ModelOf()
      : rows_(toy_images(200, 24, 4)),
        result_(fit_transform(rows_, {.clusterings = 25,
                                      .decay = 0.5,
                                      .clusters = 4,
                                      .metric = GetParam().metric,
                                      .weighting = GetParam().weighting,
                                      .scale = GetParam().scale,
                                      .directions = GetParam().directions,
                                      .restarts = 4})) {}

 protected:
  Matrix rows_;
  FitResult result_;
};

TEST_P(ModelOf, TransformOfTheTrainingRowsIsTheFitsEmbedding) {
  EXPECT_TRUE(same_bytes(result_.model.transform(rows_), result_.embedding));
  EXPECT_EQ(result_.model.predict(rows_), result_.labels);
}

TEST_P(ModelOf, ARowAloneIsThatRowInTheBatch) {
  const Matrix strangers = toy_images(50, 24, 4, 8);
  const Matrix batch = result_.model.transform(strangers);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_TRUE(same_bytes(result_.model.transform(strangers.view().slice(i, 1)),
                           batch.view().slice(i, 1)));
  }
}

TEST_P(ModelOf, ATinyMemoryLimitAndThreadsChangeNothing) {
  const Matrix strangers = toy_images(50, 24, 4, 8);
  const Matrix expected = result_.model.transform(strangers);
  EXPECT_TRUE(same_bytes(result_.model.transform(strangers, {.threads = 3, .memory_limit = 2000}),
                         expected));
  for (std::uint32_t layer = 1; layer <= result_.model.layers().size(); ++layer) {
    EXPECT_EQ(result_.model.codes(strangers, layer, {.threads = 2, .memory_limit = 2000}),
              result_.model.codes(strangers, layer));
  }
}

TEST_P(ModelOf, HasAMapAfterEveryLayer) {
  const auto layers = static_cast<std::uint32_t>(result_.model.layers().size());
  ASSERT_GE(layers, 3U);
  for (std::uint32_t layer = 1; layer <= layers; ++layer) {
    const Matrix map = result_.model.transform_layer(rows_, layer);
    EXPECT_EQ(map.shape(), result_.embedding.shape());
    EXPECT_TRUE(same_bytes(result_.model.transform_layer(rows_.view().slice(7, 1), layer),
                           map.view().slice(7, 1)));
  }
  EXPECT_TRUE(same_bytes(result_.model.transform_layer(rows_, layers), result_.embedding));
  EXPECT_THROW(result_.model.transform_layer(rows_, layers + 1), InvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(
    MetricsAndScales, ModelOf,
    testing::Values(Case{Metric::euclidean, Scale::none}, Case{Metric::euclidean, Scale::standard},
                    Case{Metric::euclidean, Scale::minmax}, Case{Metric::cosine, Scale::none},
                    Case{Metric::cosine, Scale::standard},
                    Case{Metric::euclidean, Scale::none, Weighting::log_tfidf},
                    Case{Metric::euclidean, Scale::none, Weighting::counts, 10},
                    Case{Metric::cosine, Scale::none, Weighting::counts, 10},
                    Case{Metric::euclidean, Scale::minmax, Weighting::cells, 9}));

// Large enough that the search over neighbour lists is chosen: the same laws hold for it.
TEST(Model, TheWalkObeysTheSameLaws) {
  const Matrix rows = toy_images(3000, 200, 12);
  const FitOptions options{.clusterings = 40,
                           .decay = 0.5,
                           .clusters = 12,
                           .directions = DirectionCount::none,
                           .restarts = 4};
  const FitResult result = fit_transform(rows, options, {.threads = 1});
  ASSERT_EQ(result.model.engine().name, "walk");
  EXPECT_LE(result.model.engine().excess, options.excess);
  EXPECT_TRUE(same_bytes(fit_transform(rows, options, {.threads = 3}).embedding, result.embedding));
  EXPECT_TRUE(same_bytes(result.model.transform(rows), result.embedding));
  const Plan free = plan(rows.shape(), options, {.threads = 2});
  const RunOptions tight{.threads = 2, .memory_limit = free.peak_bytes - 200'000};
  EXPECT_TRUE(same_bytes(fit_transform(rows, options, tight).embedding, result.embedding));
  const Matrix strangers = toy_images(40, 200, 12, 8);
  const Matrix batch = result.model.transform(strangers);
  for (const std::size_t i : {0UL, 17UL, 39UL}) {
    EXPECT_TRUE(
        same_bytes(result.model.transform(strangers.view().slice(i, 1)), batch.view().slice(i, 1)));
  }
}

TEST(Model, ManyColumnsAreBroughtToDirectionsAndTheModelIsSmaller) {
  const Matrix rows = toy_images(300, 400, 4);
  const FitOptions options{.clusterings = 20, .decay = 0.5, .clusters = 4, .restarts = 4};
  const Model model = fit(rows, options);
  EXPECT_EQ(model.directions().count, 64U);
  EXPECT_GT(model.directions().variance, 0.3);
  EXPECT_LE(model.directions().variance, 1 + 1e-6);
  EXPECT_EQ(model.options().directions, DirectionCount(64));
  EXPECT_EQ(model.columns(), 400U);
  EXPECT_EQ(model.layers()[0].features, 32U);
  FitOptions plain = options;
  plain.directions = DirectionCount::none;
  EXPECT_EQ(fit(rows, plain).directions().count, 0U);
  const Model few = fit(toy_images(300, 199, 4), options);
  EXPECT_EQ(few.directions().count, 0U);
  EXPECT_EQ(few.options().directions, DirectionCount::none);
}

TEST(Model, RowsWithoutVarianceHaveNoDirections) {
  const Matrix same(30, 250);
  const Model model = fit(same, {.clusterings = 5});
  EXPECT_EQ(model.directions().count, 0U);
  EXPECT_TRUE(same_bytes(model.transform(same), fit_transform(same, {.clusterings = 5}).embedding));
}

TEST(Model, MoreDirectionsThanColumnsAreRefused) {
  try {
    fit(toy_images(60, 12, 3), {.clusterings = 5, .directions = 13});
    ADD_FAILURE();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.option(), "directions");
    EXPECT_NE(std::string(error.what()).find("only 12 columns"), std::string::npos);
  }
}

TEST(Model, CountsBelowZeroAreRefusedWhereCountsAreWeighted) {
  Matrix rows = as_floats(toy_images(60, 12, 3));
  const Model model = fit(rows, {.clusterings = 5, .weighting = Weighting::cells});
  rows.mutable_row<float>(7)[3] = -1;
  const auto refused = [](const auto& work) {
    try {
      work();
      ADD_FAILURE();
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find("row 8, column 4"), std::string::npos);
    }
  };
  refused([&] { model.transform(rows); });
  refused([&] { fit(rows, {.clusterings = 5, .weighting = Weighting::log_tfidf}); });
}

TEST(Model, ThePapersSettingIsColumnsAndFourHundredClusterings) {
  FitOptions options = FitOptions::paper();
  options.clusters = 3;
  const Model model = fit(toy_images(60, 260, 3), options);
  EXPECT_EQ(model.directions().count, 0U);
  EXPECT_EQ(model.options().clusterings, 400U);
  EXPECT_EQ(model.options().decay, 0.5);
}

TEST(Model, ExactSearchIsThereForTheAsking) {
  const Matrix rows = toy_images(3000, 200, 12);
  const Model model =
      fit(rows, {.clusterings = 40, .decay = 0.5, .clusters = 12, .engine = Engine::exact});
  EXPECT_EQ(model.engine().name, "exact");
}

TEST(Model, APoolLimitsWhoIsDrawn) {
  const Matrix rows = toy_images(500, 24, 4);
  const FitResult result = fit_transform(
      rows, {.clusterings = 30, .decay = 0.5, .clusters = 4, .pool = 100, .restarts = 4});
  EXPECT_EQ(result.model.layers()[0].centroids, 50U);
  for (const LayerInfo& layer : result.model.layers()) EXPECT_LE(layer.kept_rows, 100U);
  EXPECT_TRUE(same_bytes(result.model.transform(rows), result.embedding));
  EXPECT_THROW(fit(rows, {.centroids = 101, .pool = 100}), InvalidArgument);
}

TEST(Model, RefusesRowsOfAnotherWidthAndMissingClusters) {
  const Matrix rows = toy_images(40, 10, 2);
  const Model model = fit(rows, {.clusterings = 10});
  const Matrix narrow = toy_images(5, 9, 2);
  try {
    model.transform(narrow);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(),
                 "the rows have 9 columns, but the model was trained on 10; give rows with the "
                 "same columns");
  }
  EXPECT_THROW(model.predict(rows), InvalidArgument);
}

TEST(Model, TransformsNoRowsToNoRows) {
  const Matrix rows = toy_images(40, 10, 2);
  const Model model = fit(rows, {.clusterings = 10});
  EXPECT_EQ(model.transform(rows.view().slice(0, 0)).rows(), 0U);
}

}  // namespace
}  // namespace mbn
