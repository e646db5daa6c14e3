// SPDX-License-Identifier: Apache-2.0
#include "store/model_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "api/model_access.hpp"
#include "rows/toy.hpp"
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
  model.bottom.settings = {.kind = BottomKind::walk,
                           .list_length = 6,
                           .tau = 0.4,
                           .margin = 3.5,
                           .recall = 0.997,
                           .excess = 0.0125};
  EXPECT_TRUE(hand_made::same(read_back(model), model));
  model.bottom.settings.directions = {.count = 2,
                                      .centre = {-7, 0, 3, 9000, -9000},
                                      .cells = {0, -16384, 0, 0, 0, 16384, 0, 0, 0, 0}};
  EXPECT_TRUE(hand_made::same(read_back(model), model));
}

// Coordinates along two directions stand in the place of five columns.
ModelData with_directions(Metric metric) {
  ModelData model = hand_made::make_model({.metric = metric, .columns = 2});
  model.columns = 5;
  model.options.directions = 2;
  Directions& directions = model.preparation.directions;
  directions.basis = Matrix(5, 2);
  directions.basis.mutable_row<float>(1)[0] = 1;
  directions.basis.mutable_row<float>(3)[1] = -1;
  if (metric == Metric::euclidean) directions.centre = {1, 2, 3, 4, 0.1F};
  directions.variance = {3.5, 1.25};
  directions.total_variance = 9;
  return model;
}

TEST(ModelFile, KeepsTheNamesOfColumns) {
  ModelData model = hand_made::make_model({});
  for (std::uint64_t i = 0; i < model.columns; ++i) {
    model.column_names.push_back("größe \"" + std::to_string(i));
  }
  EXPECT_EQ(read_back(model).column_names, model.column_names);
  model.column_names.back() = "\xff";
  EXPECT_EQ(read_back(model).column_names.back(), "\xef\xbf\xbd") << "not UTF-8";
  model.column_names.emplace_back("one too many");
  EXPECT_THROW(read_back(model), FormatError);
}

TEST(ModelFile, KeepsTheMeansOfColumns) {
  ModelData model = hand_made::make_model({});
  EXPECT_TRUE(read_back(model).column_means.empty());
  for (std::uint64_t i = 0; i < model.columns; ++i) {
    model.column_means.push_back(0.1 + 1e-17 * static_cast<double>(i));
  }
  EXPECT_EQ(read_back(model).column_means, model.column_means);
  model.column_means.back() = std::numeric_limits<double>::infinity();
  EXPECT_THROW(read_back(model), FormatError) << "JSON writes null";
  model.column_means.back() = 0;
  model.column_means.push_back(1);
  EXPECT_THROW(read_back(model), FormatError);
}

TEST(ModelFile, KeepsTheCodingOfColumns) {
  ModelData model = hand_made::make_model({});
  EXPECT_TRUE(read_back(model).coding.empty());
  const auto rest = static_cast<std::size_t>(model.columns) - 2;
  model.coding = {{"größe", ColumnKind::category, {"gro\"ß", "klein"}},
                  {"comment", ColumnKind::text, {}}};
  model.coding.resize(2 + rest);
  model.options.blocks = blocks_of(model.coding);
  EXPECT_EQ(read_back(model).coding, model.coding);
  EXPECT_EQ(read_back(model).options.blocks, model.options.blocks);
  const auto refused = [&](std::vector<std::string> levels) {
    model.coding[0].levels = std::move(levels);
    EXPECT_THROW(read_back(model), FormatError);
  };
  refused({"b", "a"});
  refused({"a", "a"});
  refused({"a", "b", "c"});
  refused({});
}

TEST(ModelFile, KeepsTheWordsOfAColumn) {
  ModelData model = hand_made::make_model({});
  TextCoding text{.texts = 9,
                  .words = {"gro\"ß", "klein"},
                  .texts_with = {9, 2},
                  .columns = 1,
                  .basis = {0.1F, -1 / 3.0F}};
  model.coding = {{"comment", ColumnKind::text, {}, text}};
  model.coding.resize(static_cast<std::size_t>(model.columns));
  model.options.blocks = blocks_of(model.coding);
  EXPECT_EQ(read_back(model).coding, model.coding);
  EXPECT_EQ(read_back(model).options.blocks, model.options.blocks);
  const auto refused = [&](const auto& spoil) {
    model.coding[0].text = text;
    spoil(*model.coding[0].text);
    EXPECT_THROW(read_back(model), FormatError);
  };
  refused([](TextCoding& t) { std::swap(t.words[0], t.words[1]); });
  refused([](TextCoding& t) { t.texts_with[0] = 10; });
  refused([](TextCoding& t) { t.texts_with[1] = 0; });
  refused([](TextCoding& t) { t.texts_with.pop_back(); });
  refused([](TextCoding& t) { t.basis.push_back(0); });
  refused([](TextCoding& t) { t.basis[0] = 2; });
  refused([](TextCoding& t) { t.basis[0] = std::numeric_limits<float>::quiet_NaN(); });
  refused([](TextCoding& t) { t.basis.clear(); });
}

TEST(ModelFile, KeepsDirections) {
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    ModelData model = with_directions(metric);
    EXPECT_TRUE(hand_made::same(read_back(model), model));
    model.preparation.sparse = true;
    EXPECT_TRUE(hand_made::same(read_back(model), model));
  }
}

TEST(ModelFile, RefusesDirectionsThatDoNotFit) {
  const auto refuse = [](const auto& spoil, const std::string& words) {
    ModelData model = with_directions(Metric::euclidean);
    spoil(model);
    try {
      read_back(model);
      ADD_FAILURE() << "accepted: " << words;
    } catch (const FormatError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refuse([](ModelData& m) { m.columns = 6; }, "'directions.basis' has 5 rows");
  refuse([](ModelData& m) { m.preparation.directions.centre.pop_back(); }, "'directions.centre'");
  refuse([](ModelData& m) { m.preparation.directions.variance.push_back(1); },
         "'directions.variance'");
  refuse(
      [](ModelData& m) {
        m.preparation.directions.basis.mutable_row<float>(0)[0] =
            std::numeric_limits<float>::quiet_NaN();
      },
      "'directions.basis'");
  refuse([](ModelData& m) { m.preparation.directions.centre.clear(); }, "'directions.centre'");
}

TEST(ModelFile, RefusesAMapThatDoesNotFit) {
  const Model sound =
      fit(toy_images(60, 220, 3), {.clusterings = 6, .directions = DirectionCount::none, .map = 2});
  ASSERT_EQ(ModelAccess::data(sound).map.space.input.directions.count(), 50U);
  const auto refuses = [&](const auto& change) {
    ModelData data = decode_model(sound.to_bytes());
    change(data);
    EXPECT_THROW(decode_model(encode_model(data)), FormatError);
  };
  refuses([](ModelData& data) { data.map = {}; });
  refuses([](ModelData& data) { data.options.map = 0; });
  refuses([](ModelData& data) { data.options.map = 3; });
  refuses([](ModelData& data) { data.map.space.input_factor = 1e300; });
  refuses([](ModelData& data) { data.map.space.network_factor = -1; });
  refuses([](ModelData& data) { data.map.places = Matrix(59, 2); });
  refuses([](ModelData& data) { data.map.components = Matrix(60, 3); });
  refuses([](ModelData& data) {
    Directions& directions = data.map.space.input.directions;
    directions.basis = Matrix(220, 51);
    directions.variance.resize(51);
  });
}

TEST(ModelFile, KeepsTheWeightsOfCounts) {
  ModelData model = hand_made::make_model({.sparse = true});
  model.options.weighting = Weighting::log_tfidf;
  model.preparation.weights = {Weighting::log_tfidf, {1, 2.5, 1.0 / 3, 4, 5}, 0};
  EXPECT_TRUE(hand_made::same(read_back(model), model));
  model.options.weighting = Weighting::cells;
  model.preparation.weights = {Weighting::cells, {}, 1234.5};
  EXPECT_TRUE(hand_made::same(read_back(model), model));
  model.preparation.weights.size = 0;
  EXPECT_THROW(read_back(model), FormatError);
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
        NamedRecipe{"few_features", {.clusterings = 40, .columns = 50, .inputs_per_feature = 20}},
        NamedRecipe{"all_features", {.inputs_per_feature = 1}},
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
    recipe.inputs_per_feature = *rc::gen::inRange(1U, 12U);
    ModelData model = hand_made::make_model(recipe);
    // A hand-made model has as many training rows as its bottom layer asks for.
    model.training_rows = 1000;
    model.options.seed = *rc::gen::arbitrary<std::uint64_t>();
    RC_ASSERT(hand_made::same(read_back(model), model));
    RC_ASSERT(hand_made::same(decode_model(encode_model(model, Packing::none)), model));
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

TEST(ModelFile, CodesAndDrawsArePacked) {
  const ModelData model =
      hand_made::make_model({.clusterings = 40, .columns = 100, .centroids = {300, 9}});
  const auto bytes = hand_made::file_bytes(model);
  const TensorReader file(bytes, "m.mbn");
  using Extents = std::vector<std::uint64_t>;
  EXPECT_EQ(file.find("bottom.rows")->shape, (Extents{40, (300 * 9 + 7) / 8}));  // of 302
  EXPECT_EQ(file.find("bottom.columns")->shape, (Extents{40, (100 + 7) / 8}));
  EXPECT_EQ(file.find("layer2.pool")->shape, (Extents{11, 40 * 9 / 8}));       // below 300
  EXPECT_EQ(file.find("layer2.rows")->shape, (Extents{40, (9 * 4 + 7) / 8}));  // of 11
  EXPECT_EQ(file.find("layer2.columns")->shape, (Extents{40, 5}));
}

TEST(ModelFile, ManyPiecesAreTheSameAsOne) {
  // Rows of 150 kB: a piece of a quarter of a megabyte holds one.
  const ModelData model = hand_made::make_model(
      {.clusterings = 5, .columns = 2, .centroids = {70000, 50000}, .clusters = 0});
  EXPECT_TRUE(hand_made::same(read_back(model), model));
}

TEST(ModelFile, ChecksumDoesNotDependOnPacking) {
  const ModelData model = hand_made::make_model({});
  EXPECT_EQ(model_checksum(read_back(model)), model_checksum(model));
  EXPECT_EQ(model_checksum(decode_model(encode_model(model, Packing::none))),
            model_checksum(model));
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
