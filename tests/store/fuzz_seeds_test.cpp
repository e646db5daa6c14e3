// SPDX-License-Identifier: Apache-2.0
//
// The seeds of fuzz/fuzz_model.cpp: hand-made models and checkpoints of both format versions, so
// small that a fuzzer soon reaches every check. Missing ones are written by
//
//   mbn-tests --gtest_also_run_disabled_tests --gtest_filter='FuzzSeeds.*'
#include <gtest/gtest.h>

#include "store/hand_made.hpp"
#include "store/model_file.hpp"
#include "store/model_reader.hpp"

namespace mbn {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::filesystem::path folder() {
  return std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz/corpus/fuzz_model";
}

TEST(FuzzSeeds, AreValid) {
  std::size_t seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    if (entry.path().extension() != ".mbn") continue;
    const Bytes bytes = hand_made::bytes_of_file(entry.path());
    const auto model = [&] { read_model(TensorReader(bytes, entry.path().filename())); };
    const auto checkpoint = [&] { read_checkpoint(TensorReader(bytes, entry.path().filename())); };
    EXPECT_TRUE(hand_made::format_error(model).empty() ||
                hand_made::format_error(checkpoint).empty())
        << hand_made::format_error(model) << '\n'
        << hand_made::format_error(checkpoint);
    ++seeds;
  }
  EXPECT_GE(seeds, 9U);
}

void write_if_missing(const std::string& name, const Bytes& bytes) {
  const auto path = folder() / name;
  if (!std::filesystem::exists(path)) hand_made::write_bytes(path, bytes);
}

TEST(FuzzSeeds, DISABLED_WriteMissing) {
  const hand_made::Recipe small{.clusterings = 2, .columns = 3, .centroids = {5, 2}};
  const hand_made::Recipe sparse{
      .sparse = true, .clusterings = 2, .columns = 4, .centroids = {3, 2}};
  // One feature of 20 inputs is a packed number, not a mask.
  const hand_made::Recipe few{.clusterings = 20,
                              .columns = 20,
                              .centroids = {3, 2},
                              .clusters = 0,
                              .components = 1,
                              .inputs_per_feature = 20};
  write_if_missing("packed.mbn", encode_model(hand_made::make_model(small)));
  write_if_missing("packed-few-features.mbn", encode_model(hand_made::make_model(few)));
  write_if_missing("packed-sparse.mbn", encode_model(hand_made::make_model(sparse)));
  write_if_missing("packed-checkpoint.mbn",
                   hand_made::file_bytes(hand_made::make_checkpoint(small)));
  write_if_missing("model-sparse.mbn", encode_model(hand_made::make_model(sparse), Packing::none));
}

}  // namespace
}  // namespace mbn
