// SPDX-License-Identifier: Apache-2.0
#include "store/kind.hpp"

#include <gtest/gtest.h>

#include <mbn/error.hpp>

#include "store/hand_made.hpp"
#include "store/index_file.hpp"
#include "store/lsa_file.hpp"

namespace mbn {
namespace {

const std::vector<float> kCells = {1, 2, 3, 4, 5, 6};

std::vector<std::uint8_t> small_file(Metadata metadata) {
  return encode_tensors(std::move(metadata), {{"cells", TensorType::f32, {2, 3}, kCells.data()}});
}

// What `ask` complains about, asked of a file with one tensor and this metadata.
template <class Ask>
std::string complaint(const Metadata& metadata, Ask&& ask) {
  const std::vector<std::uint8_t> bytes = small_file(metadata);
  return hand_made::format_error([&] { ask(TensorReader(bytes, "f.mbn")); });
}

TEST(Kind, FilesOfAnotherKindAreNamed) {
  const Metadata lsa = common_metadata("lsa");
  EXPECT_EQ(complaint(lsa, [](const TensorReader& file) { read_index(file); }),
            "f.mbn: its kind is 'lsa', and an index was asked for");
  EXPECT_EQ(complaint(common_metadata("index"), [](const TensorReader& file) { read_lsa(file); }),
            "f.mbn: its kind is 'index', and an LSA was asked for");
  const std::vector<std::uint8_t> bytes = small_file(lsa);
  const TensorReader file(bytes, "f.mbn");
  EXPECT_EQ(read_kind(file), "lsa");
  EXPECT_NO_THROW(check_kind(file, "lsa", "an LSA"));
}

TEST(Kind, NewerVersionsAndStrangersAreRefused) {
  Metadata metadata = common_metadata("lsa");
  metadata["format_version"] = "3";
  EXPECT_NE(complaint(metadata, [](const TensorReader& file) { read_kind(file); })
                .find("the file has format version 3"),
            std::string::npos);
  // An index has versions of its own.
  Metadata index = common_metadata("index", kIndexVersion);
  EXPECT_EQ(complaint(index, [](const TensorReader& file) { read_kind(file); }), "");
  index["format_version"] = "4";
  EXPECT_NE(complaint(index, [](const TensorReader& file) { read_kind(file); })
                .find("the file has format version 4"),
            std::string::npos);
  metadata["format"] = "pt";
  EXPECT_EQ(complaint(metadata, [](const TensorReader& file) { read_kind(file); }),
            "f.mbn: not an mbn model: a safetensors file of something else");
}

TEST(Kind, NumbersHaveARange) {
  Metadata metadata = common_metadata("lsa");
  metadata["seed"] = "7";
  const std::vector<std::uint8_t> bytes = small_file(metadata);
  EXPECT_EQ(read_number(TensorReader(bytes, "f.mbn"), "seed", 7, 7), 7U);
  EXPECT_EQ(complaint(metadata, [](const TensorReader& file) { read_number(file, "seed", 0, 6); }),
            "f.mbn: 'seed' in the metadata is '7'; it must be a number from 0 to 6");
  EXPECT_EQ(complaint(metadata, [](const TensorReader& file) { read_number(file, "rows", 0, 6); }),
            "f.mbn: the metadata lacks 'rows'; the file is not one that mbn wrote");
}

TEST(Kind, TensorsAreHeldAgainstTypeAndRank) {
  const Metadata lsa = common_metadata("lsa");
  const std::vector<std::uint8_t> bytes = small_file(lsa);
  EXPECT_EQ(find_tensor(TensorReader(bytes, "f.mbn"), "cells", TensorType::f32, 2).shape[1], 3U);
  EXPECT_EQ(complaint(lsa, [](const TensorReader& file) { find_tensor(file, "rows", 2); }),
            "f.mbn: the tensor 'rows' is missing");
  EXPECT_EQ(complaint(lsa, [](const TensorReader& file) { find_tensor(file, "cells", 1); }),
            "f.mbn: tensor 'cells' has the shape [2, 3]; it must have 1 extents");
  EXPECT_EQ(
      complaint(lsa,
                [](const TensorReader& file) { find_tensor(file, "cells", TensorType::f64, 2); }),
      "f.mbn: tensor 'cells' is F32; it must be F64");
}

}  // namespace
}  // namespace mbn
