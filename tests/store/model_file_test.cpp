// SPDX-License-Identifier: Apache-2.0
#include "store/model_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include <mbn/error.hpp>

#include "store/hand_made.hpp"
#include "store/model_reader.hpp"

namespace mbn {
namespace {

using hand_made::Recipe;

ModelData read_back(const ModelData& model) {
  const auto bytes = hand_made::file_bytes(model);
  return read_model(TensorReader(bytes, "m.mbn"));
}

struct NamedRecipe {
  const char* name;
  Recipe recipe;
};

class RoundTrip : public testing::TestWithParam<NamedRecipe> {};

TEST_P(RoundTrip, ModelIsTheSame) {
  const ModelData model = hand_made::make_model(GetParam().recipe);
  const hand_made::Folder folder;
  write_model_file(folder.file("m.mbn"), model, false);
  EXPECT_TRUE(hand_made::same(read_model_file(folder.file("m.mbn")), model));
}

TEST_P(RoundTrip, CheckpointIsTheSame) {
  const Checkpoint checkpoint = hand_made::make_checkpoint(GetParam().recipe);
  const hand_made::Folder folder;
  write_checkpoint_file(folder.file("c.mbn"), checkpoint);
  EXPECT_TRUE(hand_made::same(read_checkpoint_file(folder.file("c.mbn")), checkpoint));
}

TEST(ModelFile, KeepsHowTheBottomIsSearched) {
  ModelData model = hand_made::make_model({});
  model.bottom.settings = {
      .kind = BottomKind::walk, .list_length = 6, .tau = 0.4, .margin = 3.5, .recall = 0.997};
  EXPECT_TRUE(hand_made::same(read_back(model), model));
  model.bottom.settings.directions = {.count = 2,
                                      .centre = {-7, 0, 3, 9000, -9000},
                                      .cells = {0, -16384, 0, 0, 0, 16384, 0, 0, 0, 0}};
  EXPECT_TRUE(hand_made::same(read_back(model), model));
}

INSTANTIATE_TEST_SUITE_P(
    Store, RoundTrip,
    testing::Values(
        NamedRecipe{"three_layers", {}}, NamedRecipe{"bytes", {.type = ElementType::uint8}},
        NamedRecipe{"cosine", {.metric = Metric::cosine}},
        NamedRecipe{"standard", {.scale = Scale::standard}},
        NamedRecipe{"minmax_cosine", {.metric = Metric::cosine, .scale = Scale::minmax}},
        NamedRecipe{"sparse", {.sparse = true}},
        NamedRecipe{"sparse_cosine", {.sparse = true, .metric = Metric::cosine}},
        NamedRecipe{"sparse_of_zeros", {.sparse = true, .clusterings = 1, .centroids = {1}}},
        NamedRecipe{"one_layer", {.centroids = {6}}},
        NamedRecipe{"two_layers", {.centroids = {6, 3}}},
        NamedRecipe{"one_clustering", {.clusterings = 1}},
        NamedRecipe{"one_of_each",
                    {.clusterings = 1, .columns = 1, .centroids = {1, 1}, .components = 1}},
        NamedRecipe{"codes_of_16_bits", {.centroids = {300, 257, 256, 20}}},
        NamedRecipe{"codes_of_32_bits",
                    {.clusterings = 1, .columns = 1, .centroids = {70000, 65537, 65536, 2}}},
        NamedRecipe{"no_clusters", {.clusters = 0}}),
    [](const auto& test) { return test.param.name; });

TEST(ModelFile, AnyRecipeSurvives) {
  const bool passed = rc::check("a model that is written is read back", [] {
    Recipe recipe;
    recipe.type = *rc::gen::element(ElementType::uint8, ElementType::float32);
    if (recipe.type == ElementType::float32) {
      recipe.metric = *rc::gen::element(Metric::euclidean, Metric::cosine);
      recipe.scale = *rc::gen::element(Scale::none, Scale::standard, Scale::minmax);
    }
    recipe.clusterings = *rc::gen::inRange(1U, 9U);
    recipe.columns = *rc::gen::inRange(1U, 20U);
    recipe.centroids = *rc::gen::nonEmpty(rc::gen::resize(
        4, rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(1U, 400U))));
    recipe.clusters = *rc::gen::inRange(0U, 5U);
    recipe.components = *rc::gen::inRange(1U, 6U);
    ModelData model = hand_made::make_model(recipe);
    // A hand-made model has as many training rows as its bottom layer asks for.
    model.training_rows = 1000;
    model.options.seed = *rc::gen::arbitrary<std::uint64_t>();
    RC_ASSERT(hand_made::same(read_back(model), model));
  });
  EXPECT_TRUE(passed);
}

TEST(ModelFile, SixtyFourBitNumbersAreExact) {
  Checkpoint checkpoint = hand_made::make_checkpoint({});
  for (const std::uint64_t value : {std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max(),
                                    (std::uint64_t{1} << 53) + 1}) {
    checkpoint.model.options.seed = value;
    checkpoint.data_hash = value;
    const auto bytes = hand_made::file_bytes(checkpoint);
    const Checkpoint back = read_checkpoint(TensorReader(bytes, "c.mbn"));
    EXPECT_EQ(back.model.options.seed, value);
    EXPECT_EQ(back.data_hash, value);
  }
}

TEST(ModelFile, RowsWithAStrideAreWrittenPacked) {
  ModelData model = hand_made::make_model({});
  const Matrix packed = Matrix::copy_of(model.bottom.kept.dense());
  const auto wide = std::make_shared<std::vector<float>>(packed.rows() * 8, -1.0F);
  for (std::size_t i = 0; i < packed.rows(); ++i) {
    std::copy_n(packed.row<float>(i), packed.columns(), wide->data() + i * 8);
  }
  model.bottom.kept = Matrix(wide, MatrixView(wide->data(), packed.rows(), packed.columns(), 8));
  EXPECT_TRUE(hand_made::same(read_back(model).bottom.kept.dense(), packed));
}

TEST(ModelFile, ExistingFileIsKept) {
  const hand_made::Folder folder;
  const auto path = folder.file("m.mbn");
  const ModelData first = hand_made::make_model({});
  const ModelData second = hand_made::make_model({.centroids = {6}});
  write_model_file(path, first, false);
  EXPECT_THROW(write_model_file(path, second, false), IoError);
  EXPECT_TRUE(hand_made::same(read_model_file(path), first));
  write_model_file(path, second, true);
  EXPECT_TRUE(hand_made::same(read_model_file(path), second));
}

TEST(ModelFile, CheckpointReplacesAnOlderOne) {
  const hand_made::Folder folder;
  const auto path = folder.file("c.mbn");
  write_checkpoint_file(path, hand_made::make_checkpoint({.centroids = {6}}));
  const Checkpoint newer = hand_made::make_checkpoint({.centroids = {6, 3}});
  write_checkpoint_file(path, newer);
  EXPECT_TRUE(hand_made::same(read_checkpoint_file(path), newer));
}

TEST(ModelFile, ModelAndCheckpointAreNotMistaken) {
  const auto model = hand_made::file_bytes(hand_made::make_model({}));
  const auto checkpoint = hand_made::file_bytes(hand_made::make_checkpoint({}));
  EXPECT_EQ(hand_made::format_error([&] { read_model(TensorReader(checkpoint, "c.mbn")); }),
            "c.mbn: a checkpoint of an unfinished fit, not a model; resume the fit and save its "
            "model");
  EXPECT_EQ(hand_made::format_error([&] { read_checkpoint(TensorReader(model, "m.mbn")); }),
            "m.mbn: a finished model, not a checkpoint that can be resumed");
}

TEST(ModelFile, SystemErrorsNameTheFile) {
  const hand_made::Folder folder;
  EXPECT_THROW(read_model_file(folder.file("missing.mbn")), IoError);
  EXPECT_THROW(read_model_file(folder.path()), IoError);
  EXPECT_THROW(
      write_model_file(folder.file("no/such/folder.mbn"), hand_made::make_model({}), false),
      IoError);
}

TEST(ModelFile, TensorsAreAligned) {
  const auto bytes = hand_made::file_bytes(
      hand_made::make_model({.scale = Scale::standard, .centroids = {301, 255, 3}}));
  const TensorReader file(bytes, "m.mbn");
  EXPECT_GT(file.tensors().size(), 10U);
  for (const TensorInfo& tensor : file.tensors()) {
    EXPECT_EQ(tensor.begin % element_bytes(tensor.type), 0U) << tensor.name;
  }
}

}  // namespace
}  // namespace mbn
