// SPDX-License-Identifier: Apache-2.0
#include <mbn/file_kind.hpp>

#include <gtest/gtest.h>

#include <string>

#include <mbn/mbn.hpp>

#include "store/hand_made.hpp"

namespace mbn {
namespace {

using hand_made::Folder;

const std::vector<std::string> kTexts = {"cats sleep", "a cat sleeps", "dogs bark", "a dog barks"};

Table moons() {
  return generate({.kind = ToyKind::moons, .rows = 60, .seed = 1});
}

const FitOptions kOptions{.clusterings = 10, .decay = 0.7, .clusters = 2, .scale = Scale::none};

TEST(FileKind, IsToldOfEveryFileOfOurs) {
  const Folder folder;
  const Table table = moons();
  Fitter fitter(table.data(), kOptions);
  fitter.add_layer();
  fitter.save_checkpoint(folder.file("checkpoint"));
  const Model model = fit(table.data(), kOptions);
  model.save(folder.file("model"));
  compress(model, table.data(), {.hidden = {4}, .epochs = 1}).student.save(folder.file("student"));
  Lsa::fit(table.data(), {.components = 2}).save(folder.file("lsa"));
  const IndexOptions options{.method = Method::lsa, .fit = {.components = 2}};
  Index::build({kTexts, {}}, options).save(folder.file("index"));
  Vectorizer::fit(kTexts).save(folder.file("vocabulary"));
  for (const std::string_view name : enum_names<FileKind>()) {
    if (name == "other") continue;
    EXPECT_EQ(name_of(file_kind(folder.file(std::string(name)))), name);
  }
}

TEST(FileKind, OfFilesThatAreNoneOfOurs) {
  const Folder folder;
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("hello"), std::string("{\"format\": \"x\"}"),
        std::string("\x93NUMPY and more than nine bytes")}) {
    write_text(folder.file("x"), text, {.overwrite = true, .columns = {}, .ids = {}});
    EXPECT_EQ(file_kind(folder.file("x")), FileKind::other) << text;
  }
  EXPECT_THROW(file_kind(folder.file("none")), IoError);
  EXPECT_THROW(file_kind(folder.path()), IoError);
}

TEST(FileKind, ADamagedHeaderIsRefusedAndDamageBehindItIsNotSeen) {
  const Folder folder;
  const Model model = fit(moons().data(), kOptions);
  auto bytes = model.to_bytes();
  bytes.back() ^= 1;
  hand_made::write_bytes(folder.file("behind"), bytes);
  EXPECT_EQ(file_kind(folder.file("behind")), FileKind::model);
  EXPECT_THROW(Model::load(folder.file("behind")), FormatError);
  bytes[20] ^= 1;
  hand_made::write_bytes(folder.file("header"), bytes);
  EXPECT_THROW(file_kind(folder.file("header")), FormatError);
  bytes.resize(40);
  hand_made::write_bytes(folder.file("short"), bytes);
  EXPECT_THROW(file_kind(folder.file("short")), FormatError);
}

TEST(FileKind, TheHeaderOfACheckpointTellsTheFit) {
  const Folder folder;
  const Table table = moons();
  Fitter fitter(table.data(), kOptions);
  fitter.add_layer();
  fitter.add_layer();
  fitter.save_checkpoint(folder.file("c"));
  const CheckpointInfo info = checkpoint_info(folder.file("c"));
  FitOptions settled = kOptions;
  settled.feature_fraction = 1;
  settled.directions = DirectionCount::none;
  EXPECT_EQ(info.options, settled);
  EXPECT_EQ(info.training_rows, 60U);
  EXPECT_EQ(info.columns, 2U);
  EXPECT_EQ(info.layers_done, 2U);
  fit(table.data(), kOptions).save(folder.file("m"));
  EXPECT_THROW(checkpoint_info(folder.file("m")), FormatError);
}

}  // namespace
}  // namespace mbn
