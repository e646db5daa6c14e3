// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/model.hpp>

#include "network/toy.hpp"

namespace mbn {
namespace {

struct Case {
  Metric metric;
  Scale scale;
};

class ModelOf : public testing::TestWithParam<Case> {
 public:
  ModelOf()
      : rows_(toy_images(200, 24, 4)),
        result_(fit_transform(rows_, {.clusterings = 25,
                                      .clusters = 4,
                                      .metric = GetParam().metric,
                                      .scale = GetParam().scale,
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

INSTANTIATE_TEST_SUITE_P(MetricsAndScales, ModelOf,
                         testing::Values(Case{Metric::euclidean, Scale::none},
                                         Case{Metric::euclidean, Scale::standard},
                                         Case{Metric::euclidean, Scale::minmax},
                                         Case{Metric::cosine, Scale::none},
                                         Case{Metric::cosine, Scale::standard}));

TEST(Model, RefusesRowsOfAnotherWidthAndMissingClusters) {
  const Matrix rows = toy_images(40, 10, 2);
  const Model model = fit(rows, {.clusterings = 10});
  const Matrix narrow = toy_images(5, 9, 2);
  try {
    model.transform(narrow);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "the rows have 9 columns, but the model was trained on 10");
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
