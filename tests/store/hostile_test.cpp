// SPDX-License-Identifier: Apache-2.0
//
// Files whose checksums are right but whose numbers are not: written by a faulty program or by
// somebody who wants the reader to step outside its memory. Each test spoils one thing of a valid
// model, writes it, and expects the reader to name it. The files are of format version 1, which can
// hold any number; packed ones are in hostile_packed_test.cpp.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include <mbn/error.hpp>

#include "store/hand_made.hpp"
#include "store/model_file.hpp"
#include "store/model_reader.hpp"
#include "store/options_json.hpp"

namespace mbn {
namespace {

using hand_made::Recipe;

void expect_refused(const Recipe& recipe, const std::function<void(ModelData&)>& spoil,
                    const std::string& part) {
  ModelData model = hand_made::make_model(recipe);
  spoil(model);
  const auto bytes = encode_model(model, Packing::none);
  const std::string message =
      hand_made::format_error([&] { read_model(TensorReader(bytes, "m.mbn")); });
  EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' lacks '" << part << "'";
  EXPECT_TRUE(message.starts_with("m.mbn: ")) << message;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Hostile, DrawnRowsOutsideThePool) {
  expect_refused(
      {}, [](ModelData& m) { m.bottom.draws.rows[3] = 10; },
      "'bottom.rows' names kept row 10 in clustering 0, but there are only 10 kept rows");
  expect_refused(
      {}, [](ModelData& m) { m.upper[0].draws.rows[11] = 0xffffffff; },
      "'layer2.rows' names kept row 4294967295");
}

TEST(Hostile, DrawnRowsTwiceOrNever) {
  expect_refused(
      {}, [](ModelData& m) { m.bottom.draws.rows[1] = m.bottom.draws.rows[0]; },
      "'bottom.rows' names kept row 0 twice in clustering 0");
  expect_refused(
      {.clusterings = 1, .centroids = {4}},
      [](ModelData& m) { m.bottom.kept = Matrix(5, m.columns); },
      "'bottom.pool' has a row 4 that no clustering drew");
}

TEST(Hostile, HowTheBottomIsSearched) {
  const BottomSettings walk{.kind = BottomKind::walk,
                            .list_length = 6,
                            .tau = 0.4,
                            .margin = 3.5,
                            .recall = 0.997,
                            .directions = {.count = 2,
                                           .centre = {-7, 0, 3, 9000, -9000},
                                           .cells = {0, -16384, 0, 0, 0, 16384, 0, 0, 0, 0}}};
  const auto expect = [&](const std::function<void(BottomSettings&)>& spoil,
                          const std::string& part) {
    expect_refused(
        {}, [&](ModelData& m) { spoil(m.bottom.settings = walk); }, part);
  };
  expect([](BottomSettings& s) { s.list_length = 11; }, "a list length from 1 to 10");
  expect([](BottomSettings& s) { s.recall = 1.5; }, "a share");
  // RankingDirections that are not orthogonal, too long, or an odd number could overflow sums.
  expect([](BottomSettings& s) { s.directions.cells[5] = s.directions.cells[6] = 16000; },
         "'bottom.directions' does not hold orthogonal directions");
  expect([](BottomSettings& s) { s.directions.cells[1] = -32768; }, "'bottom.directions'");
  expect([](BottomSettings& s) { s.directions.centre[3] = 32767; }, "'bottom.directions'");
  expect(
      [](BottomSettings& s) {
        s.directions.count = 1;
        s.directions.cells.resize(5);
      },
      "'bottom.directions'");
  expect(
      [](BottomSettings& s) {
        s.directions.centre.resize(4);
        s.directions.cells.resize(8);
      },
      "'bottom.directions' has 4 columns; it must have 5");
}

TEST(Hostile, DrawnColumns) {
  expect_refused(
      {}, [](ModelData& m) { m.bottom.draws.columns[1] = 5; },
      "'bottom.columns' names column 5 in clustering 0");
  expect_refused(
      {}, [](ModelData& m) { m.bottom.draws.columns[1] = 0; },
      "'bottom.columns' does not ascend at column 0");
  expect_refused(
      {}, [](ModelData& m) { m.upper[1].draws.columns[0] = 3; }, "'layer3.columns' names column 3");
}

TEST(Hostile, CodesBeyondTheLayerBelow) {
  expect_refused(
      {}, [](ModelData& m) { m.upper[0].kept.visit([](auto* cells) { cells[4] = 8; }); },
      "tensor 'layer2.pool' has the code 8 in row 1, but its layer has 8 centroids");
}

TEST(Hostile, CodesOfAnotherWidth) {
  expect_refused(
      {}, [](ModelData& m) { m.upper[0].kept = CodeMatrix(6, 3, 1000); },
      "tensor 'layer2.pool' is U16; codes of 8 centroids must be U8");
  expect_refused(
      {}, [](ModelData& m) { m.upper[0].kept = CodeMatrix(6, 2, 8); },
      "tensor 'layer2.pool' has 2 columns; it must have 3");
}

TEST(Hostile, ClusteringsThatDoNotFitTheOptions) {
  expect_refused(
      {}, [](ModelData& m) { m.options.clusterings = 4; },
      "tensor 'bottom.rows' has 3 rows; it must have 4");
}

TEST(Hostile, NumbersThatAreNotFinite) {
  expect_refused(
      {}, [](ModelData& m) { m.bottom.kept.dense().mutable_row<float>(1)[2] = kNan; },
      "tensor 'bottom.pool' has the value nan at element 7");
  expect_refused(
      {}, [](ModelData& m) { m.projection.loadings[0] = kInfinity; },
      "'projection.loadings' has the value inf");
  expect_refused(
      {}, [](ModelData& m) { m.projection.offset[1] = -kInfinity; },
      "'projection.offset' has the value -inf");
  expect_refused(
      {}, [](ModelData& m) { m.projection.variance[0] = kNan; }, "'projection.variance'");
  expect_refused(
      {}, [](ModelData& m) { m.projection.total_variance = kNan; }, "'projection.total_variance'");
  expect_refused(
      {}, [](ModelData& m) { m.centres.mutable_row<float>(0)[0] = kNan; }, "'centres'");
  const Recipe scaled{.scale = Scale::standard};
  expect_refused(
      scaled, [](ModelData& m) { m.preparation.scaler.shift[0] = kNan; }, "'scaler.shift'");
  expect_refused(
      scaled, [](ModelData& m) { m.preparation.scaler.factor[4] = kInfinity; }, "'scaler.factor'");
}

TEST(Hostile, ScalerThatDoesNotFit) {
  const Recipe scaled{.scale = Scale::standard};
  expect_refused(
      scaled, [](ModelData& m) { m.preparation.scaler.shift.clear(); },
      "the tensor 'scaler.shift' is missing");
  expect_refused(
      scaled, [](ModelData& m) { m.preparation.scaler.factor.pop_back(); },
      "tensor 'scaler.factor' has 4 elements; it must have 5");
  expect_refused(
      scaled, [](ModelData& m) { m.options.scale = Scale::none; },
      "the tensor 'scaler.shift' has no place in this model");
  expect_refused(
      {.type = ElementType::uint8}, [](ModelData& m) { m.options.metric = Metric::cosine; },
      "tensor 'bottom.pool' is U8");
}

TEST(Hostile, ProjectionThatDoesNotFit) {
  expect_refused(
      {},
      [](ModelData& m) {
        m.projection.centroids = 1;
        m.projection.loadings.resize(6);
      },
      "tensor 'projection.loadings' has 3 rows; it must have 6");
  expect_refused(
      {}, [](ModelData& m) { m.projection.variance.pop_back(); },
      "tensor 'projection.variance' has 1 elements; it must have 2");
}

TEST(Hostile, CentresThatDoNotFit) {
  expect_refused(
      {}, [](ModelData& m) { m.centres = Matrix(2, 3); },
      "tensor 'centres' has 2 rows and 3 columns");
  expect_refused(
      {}, [](ModelData& m) { m.options.clusters = 3; },
      "but the model has 3 clusters and 2 components");
  expect_refused(
      {}, [](ModelData& m) { m.options.clusters = Clusters::unknown; },
      "the tensor 'centres' has no place");
  expect_refused(
      {}, [](ModelData& m) { m.centres = Matrix(); }, "the tensor 'centres' is missing");
}

TEST(Hostile, SparsePools) {
  const Recipe recipe{.sparse = true};
  expect_refused(
      recipe, [](ModelData& m) { m.bottom.kept.sparse().indices[0] = 5; },
      "'bottom.pool.indices' names column 5 in row 1, but there are 5 columns");
  expect_refused(
      recipe, [](ModelData& m) { m.bottom.kept.sparse().indices[1] = 1; },
      "'bottom.pool.indices' does not ascend at column 1 in row 1");
  expect_refused(
      recipe, [](ModelData& m) { m.bottom.kept.sparse().values[2] = kNan; },
      "tensor 'bottom.pool.values' has the value nan at element 2");
  expect_refused(
      recipe, [](ModelData& m) { m.bottom.kept.sparse().values.pop_back(); },
      "tensor 'bottom.pool.values' has");
  expect_refused(
      recipe, [](ModelData& m) { m.bottom.kept.sparse().starts.back() += 0xffffffff; },
      "tensor 'bottom.pool.indices' has");
  expect_refused(
      recipe,
      [](ModelData& m) {
        m.bottom.kept.sparse().starts.push_back(m.bottom.kept.sparse().starts.back());
      },
      "'bottom.pool' has a row 10 that no clustering drew");
  expect_refused(
      {.sparse = true, .scale = Scale::standard}, [](ModelData&) {},
      "tensor 'bottom.pool.lengths' has no place in a model with a scale");
}

TEST(Hostile, ShapesThatDoNotFit) {
  expect_refused(
      {}, [](ModelData& m) { m.columns = 6; },
      "tensor 'bottom.pool' has 5 columns; it must have 6");
  expect_refused(
      {}, [](ModelData& m) { m.columns = std::uint64_t{1} << 32; },
      "'columns' in the metadata is '4294967296'");
  expect_refused(
      {}, [](ModelData& m) { m.training_rows = 9; },
      "tensor 'bottom.pool' has 10 rows, but there were only 9 training rows");
  expect_refused(
      {}, [](ModelData& m) { m.training_rows = 0; }, "'training_rows'");
  expect_refused(
      {}, [](ModelData& m) { m.updated_rows = std::uint64_t{1} << 32; },
      "'updated_rows' in the metadata is '4294967296'");
  expect_refused(
      {},
      [](ModelData& m) {
        m.bottom.draws.columns.clear();
        m.bottom.draws.features = 0;
      },
      "tensor 'bottom.columns' has the shape [3, 0]");
}

TEST(Hostile, CheckpointThatDoesNotFit) {
  const auto error_of = [](const std::function<void(Checkpoint&)>& spoil) {
    Checkpoint checkpoint = hand_made::make_checkpoint({.centroids = {8, 3}});
    spoil(checkpoint);
    const auto bytes = hand_made::file_bytes(checkpoint);
    return hand_made::format_error([&] { read_checkpoint(TensorReader(bytes, "c.mbn")); });
  };
  EXPECT_EQ(error_of([](Checkpoint&) {}), "");
  EXPECT_EQ(error_of([](Checkpoint& c) { c.model.training_rows = 17; }),
            "c.mbn: tensor 'codes' has 18 rows, but there are 17 training rows");
  EXPECT_NE(error_of([](Checkpoint& c) { c.codes = CodeMatrix(18, 20, 3); }), "");
  EXPECT_NE(error_of([](Checkpoint& c) { c.codes.visit([](auto* cells) { cells[0] = 3; }); }), "");
}

/// A file with this metadata and no tensors, the header's checksum included.
std::string metadata_error(const Metadata& metadata) {
  const std::string header = encode_header({.metadata = metadata, .tensors = {}});
  const auto bytes = hand_made::raw_file(header.substr(8));
  return hand_made::format_error([&] { read_model(TensorReader(bytes, "m.mbn")); });
}

TEST(Hostile, MetadataThatIsMissingOrWrong) {
  EXPECT_EQ(metadata_error({{"format", "pt"}}),
            "m.mbn: not an mbn model: a safetensors file of something else");
  EXPECT_EQ(metadata_error({{"format", "mbn"}, {"format_version", "3"}})
                .find("m.mbn: the file has format version 3, and this build (mbn "),
            0U);
  for (const char* version : {"", "0", "-1", "+1", " 1", "1.0", "one", "18446744073709551616"}) {
    EXPECT_NE(metadata_error({{"format", "mbn"}, {"format_version", version}})
                  .find("'format_version' in the metadata is"),
              std::string::npos)
        << version;
  }
  Metadata metadata{{"format", "mbn"}, {"format_version", "1"}, {"kind", "soup"}};
  EXPECT_EQ(metadata_error(metadata), "m.mbn: its kind is 'soup', and a model was asked for");
  metadata["kind"] = "model";
  EXPECT_EQ(metadata_error(metadata),
            "m.mbn: the metadata lacks 'options'; the file is not one that mbn wrote");
  metadata["options"] = "{}";
  metadata["training_rows"] = "10";
  metadata["columns"] = "2";
  metadata["layers"] = "4000000000";
  EXPECT_EQ(metadata_error(metadata), "m.mbn: the tensor 'bottom.pool' is missing");
}

std::string options_error(const std::string& text) {
  return hand_made::format_error([&] { options_from_json(text, "m.mbn"); });
}

TEST(StoredOptions, AllSurvive) {
  const FitOptions options{.clusterings = 7,
                           .feature_fraction = 0.1,
                           .decay = 1.0 / 3,
                           .centroids = 2147483647,
                           .clusters = 3,
                           .components = 65535,
                           .metric = Metric::cosine,
                           .scale = Scale::minmax,
                           .solver = Solver::em,
                           .restarts = 1,
                           .seed = std::numeric_limits<std::uint64_t>::max()};
  EXPECT_EQ(options_from_json(options_to_json(options), "m"), options);
  EXPECT_EQ(options_from_json(options_to_json({}), "m"), FitOptions{});
}

TEST(StoredOptions, EveryMetricIsReadBack) {
  for (const std::string_view name : enum_names<Metric>()) {
    const FitOptions options{.metric = *value_named<Metric>(name)};
    EXPECT_EQ(options_from_json(options_to_json(options), "m"), options);
  }
}

// The defaults of the time before directions, when nothing was chosen unless asked for.
FitOptions former() {
  return {.clusterings = 400,
          .feature_fraction = 0.5,
          .decay = 0.5,
          .scale = Scale::none,
          .directions = DirectionCount::none};
}

TEST(StoredOptions, MissingOnesAreFormerDefaults) {
  EXPECT_EQ(options_from_json("{}", "m"), former());
  FitOptions four = former();
  four.clusters = 4;
  EXPECT_EQ(options_from_json(R"({"clusters":4})", "m"), four);
}

TEST(StoredOptions, AreReadBack) {
  for (const FitOptions& options :
       {FitOptions{}, FitOptions::paper(),
        FitOptions{.weighting = Weighting::log_tfidf, .directions = 40, .recall = 0.5},
        FitOptions{.decay = std::nullopt, .clusters = Clusters::find, .pool = 9},
        FitOptions{.decay = 0.25, .centroids = 7, .clusters = 4, .components = 3}}) {
    EXPECT_EQ(options_from_json(options_to_json(options), "m"), options);
  }
  const std::string text = options_to_json({.clusters = Clusters::find});
  EXPECT_NE(text.find(R"("clusters":"find")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("centroids":"auto")"), std::string::npos) << text;
  EXPECT_NE(options_to_json({}).find(R"("clusters":"unknown")"), std::string::npos);
}

TEST(StoredOptions, OfEarlierVersionsHaveZeroForWhatIsNotGiven) {
  // As version 0.1.0 wrote it before options had words for that.
  const std::string text =
      R"({"clusterings":400,"feature_fraction":0.5,"decay":DECAY,"centroids":0,"clusters":CLUSTERS,)"
      R"("most_clusters":MOST,"components":0,"metric":"euclidean","scale":"none","search":"auto",)"
      R"("agreement":0.995,"pool":0,"solver":"auto","restarts":50,"seed":"0"})";
  const auto read = [&](const char* decay, const char* clusters, const char* most) {
    std::string filled = text;
    filled.replace(filled.find("DECAY"), 5, decay);
    filled.replace(filled.find("CLUSTERS"), 8, clusters);
    filled.replace(filled.find("MOST"), 4, most);
    return options_from_json(filled, "m");
  };
  FitOptions expected = former();
  expected.recall = 0.995;
  EXPECT_EQ(read("0.5", "0", "0"), expected);
  expected.decay = std::nullopt;
  expected.clusters = 3;
  EXPECT_EQ(read("0", "3", "0"), expected);
  expected.most_clusters = 20;
  EXPECT_EQ(read("0.0", "3", "20"), expected);
  expected.decay = 0.5;
  expected.clusters = Clusters::find;
  expected.most_clusters = 8;
  EXPECT_EQ(read("0.5", "0", "8"), expected);
  EXPECT_EQ(options_from_json(R"({"most_clusters":8})", "m").clusters, Clusters::find);
}

TEST(StoredOptions, OfStudentsAreReadBack) {
  for (const CompressOptions& options :
       {CompressOptions{}, CompressOptions{.dropout = 0.25, .augment_strength = 2}}) {
    EXPECT_EQ(compress_options_from_json(compress_options_to_json(options), "m"), options);
  }
  EXPECT_EQ(compress_options_from_json(R"({"dropout":0.0,"augment_strength":0.0})", "m"),
            CompressOptions{});
}

TEST(StoredOptions, UnknownOnesAreFromANewerVersion) {
  EXPECT_EQ(options_error(R"({"temperature":1})"),
            "m.mbn: this version does not know the option 'temperature'; read the file with a "
            "newer version of mbn");
  EXPECT_EQ(options_error(R"({"metric":"minkowski"})"),
            "m.mbn: the option metric has the value '\"minkowski\"', which this version does not "
            "know; read the file with a newer version of mbn");
}

TEST(StoredOptions, WrongValuesAreRefused) {
  EXPECT_EQ(options_error(R"({"decay":1.5})"),
            "m.mbn: the stored option decay is 1.5; it must be above 0 and below 1, or auto "
            "(chosen from "
            "0.1, 0.2, 0.3, 0.5, 0.7 and 0.9; 0.5 when clusters are unknown)");
  for (const char* text : {"",
                           "[]",
                           "1",
                           "null",
                           "{",
                           R"({"decay":{}})",
                           R"({"decay":[0.5]})",
                           R"({"clusters":1,"clusters":1})",
                           R"({"clusters":-1})",
                           R"({"clusters":1.5})",
                           R"({"clusters":4294967297})",
                           R"({"clusters":"1"})",
                           R"({"clusters":"auto"})",
                           R"({"clusters":""})",
                           R"({"centroids":"find"})",
                           R"({"most_clusters":"auto"})",
                           R"({"seed":7})",
                           R"({"seed":"-7"})",
                           R"({"seed":"18446744073709551616"})",
                           R"({"seed":""})",
                           R"({"metric":0})",
                           R"({"decay":"0.5"})",
                           R"({"decay":null})",
                           R"({"directions":-1})",
                           R"({"directions":"many"})",
                           R"({"weighting":"idf"})",
                           R"({"excess":"auto"})",
                           R"({"feature_fraction":1.5})"}) {
    EXPECT_NE(options_error(text), "") << text;
  }
  EXPECT_NE(options_error(R"({"decay":)" + std::string(60000, '[')), "");
  EXPECT_NE(options_error("{" + std::string(100000, ' ') + "}"), "");
}

}  // namespace
}  // namespace mbn
