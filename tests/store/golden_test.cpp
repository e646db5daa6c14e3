// SPDX-License-Identifier: Apache-2.0
//
// Files that a released version wrote must be readable for ever, and what this version writes must
// not drift from them. Each version has two files with the same hand-made models, which have every
// kind of tensor. They are never written anew: a new format version gets new files beside them,
// made by
//
//   mbn-tests --gtest_also_run_disabled_tests --gtest_filter='*WriteMissingFiles'
#include <gtest/gtest.h>

#include "store/hand_made.hpp"
#include "store/model_file.hpp"

namespace mbn {
namespace {

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(MBN_TESTS_DIR) / "golden" / name;
}

ModelData golden_model() {
  return hand_made::make_model({.metric = Metric::cosine,
                                .scale = Scale::standard,
                                .clusterings = 4,
                                .columns = 3,
                                .centroids = {300, 9, 4},
                                .clusters = 3});
}

Checkpoint golden_checkpoint() {
  return hand_made::make_checkpoint({.type = ElementType::uint8, .centroids = {9, 4}});
}

/// What must not drift: the data, and the metadata without what names the writer. The options are
/// left out as well, because they may grow; that old ones are read is tested above.
struct Content {
  Metadata metadata;
  std::vector<std::uint8_t> data;
};

Content content_of(const std::vector<std::uint8_t>& bytes) {
  const TensorReader file(bytes, "golden");
  Content content{.metadata = file.metadata(), .data = {}};
  content.metadata.erase("library_version");
  content.metadata.erase("options");
  content.metadata.erase("header_xxh3");
  const auto size = static_cast<std::ptrdiff_t>(file.tensors().back().end);
  content.data.assign(bytes.end() - size, bytes.end());
  return content;
}

void expect_same_content(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  EXPECT_EQ(content_of(a).metadata, content_of(b).metadata);
  EXPECT_EQ(content_of(a).data, content_of(b).data);
  const TensorReader first(a, "a");
  const TensorReader second(b, "b");
  ASSERT_EQ(first.tensors().size(), second.tensors().size());
  for (std::size_t i = 0; i < first.tensors().size(); ++i) {
    EXPECT_EQ(first.tensors()[i].name, second.tensors()[i].name);
    EXPECT_EQ(first.tensors()[i].shape, second.tensors()[i].shape);
  }
}

TEST(Golden, ModelOfFormat1IsRead) {
  EXPECT_TRUE(hand_made::same(read_model_file(golden("format-1.mbn")), golden_model()));
}

TEST(Golden, CheckpointOfFormat1IsRead) {
  EXPECT_TRUE(hand_made::same(read_checkpoint_file(golden("format-1-checkpoint.mbn")),
                              golden_checkpoint()));
}

TEST(Golden, ModelOfFormat2IsRead) {
  ModelData expected = golden_model();
  expected.options.recall = 0.995;
  EXPECT_TRUE(hand_made::same(read_model_file(golden("format-2.mbn")), expected));
}

TEST(Golden, CheckpointOfFormat2IsRead) {
  Checkpoint expected = golden_checkpoint();
  expected.model.options.recall = 0.995;
  EXPECT_TRUE(hand_made::same(read_checkpoint_file(golden("format-2-checkpoint.mbn")), expected));
}

TEST(Golden, WhatIsWrittenTodayIsTheSame) {
  expect_same_content(hand_made::file_bytes(golden_model()),
                      hand_made::bytes_of_file(golden("format-2.mbn")));
  expect_same_content(hand_made::file_bytes(golden_checkpoint()),
                      hand_made::bytes_of_file(golden("format-2-checkpoint.mbn")));
}

TEST(Golden, WithoutPackingItIsFormat1) {
  expect_same_content(encode_model(golden_model(), Packing::none),
                      hand_made::bytes_of_file(golden("format-1.mbn")));
}

TEST(Golden, WritingTwiceGivesTheSameBytes) {
  EXPECT_EQ(hand_made::file_bytes(golden_model()), hand_made::file_bytes(golden_model()));
}

TEST(Golden, DISABLED_WriteMissingFiles) {
  const auto model = golden("format-2.mbn");
  if (!std::filesystem::exists(model)) write_model_file(model, golden_model(), false);
  const auto checkpoint = golden("format-2-checkpoint.mbn");
  if (!std::filesystem::exists(checkpoint)) write_checkpoint_file(checkpoint, golden_checkpoint());
}

}  // namespace
}  // namespace mbn
