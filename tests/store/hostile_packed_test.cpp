// SPDX-License-Identifier: Apache-2.0
//
// Files of format version 2 whose checksums are right but whose packed codes and draws are not.
// Each test spoils the tensors or the metadata of a valid file and expects the reader to name the
// fault.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include <mbn/error.hpp>

#include "store/hand_made.hpp"
#include "store/model_file.hpp"
#include "store/model_reader.hpp"

namespace mbn {
namespace {

using Bytes = std::vector<std::uint8_t>;
using hand_made::Recipe;

struct Tensor {
  TensorType type;
  std::vector<std::uint64_t> shape;
  Bytes bytes;
};

/// A file taken apart, and put together again with right checksums.
struct Parts {
  Metadata metadata;
  std::map<std::string, Tensor> tensors;
};

Parts parts_of(const Bytes& bytes) {
  const TensorReader file(bytes, "whole");
  Parts parts{.metadata = file.metadata(), .tensors = {}};
  for (const TensorInfo& info : file.tensors()) {
    Tensor& tensor = parts.tensors[info.name];
    tensor = {info.type, info.shape, Bytes(info.end - info.begin)};
    file.read(info, tensor.bytes.data());
  }
  return parts;
}

Bytes together(const Parts& parts) {
  std::vector<TensorSource> sources;
  for (const auto& [name, tensor] : parts.tensors) {
    sources.push_back({name, tensor.type, tensor.shape, tensor.bytes.data()});
  }
  Metadata metadata = parts.metadata;
  metadata.erase("header_xxh3");
  return encode_tensors(std::move(metadata), std::move(sources));
}

std::string error_of(const Recipe& recipe, const std::function<void(Parts&)>& spoil) {
  Parts parts = parts_of(encode_model(hand_made::make_model(recipe)));
  spoil(parts);
  const Bytes bytes = together(parts);
  return hand_made::format_error([&] { read_model(TensorReader(bytes, "m.mbn")); });
}

void expect_refused(const Recipe& recipe, const std::function<void(Parts&)>& spoil,
                    const std::string& part) {
  const std::string message = error_of(recipe, spoil);
  EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' lacks '" << part << "'";
  EXPECT_TRUE(message.starts_with("m.mbn: ")) << message;
}

// Three clusterings; the bottom has 10 kept rows of 5 columns and draws 8 rows of 4 bits (4 bytes)
// and 2 columns; layer 2 has 6 kept rows, 3 codes of 3 bits (2 bytes), and draws 4 rows of 3 bits
// (2 bytes) and 1 column.

TEST(HostilePacked, TakenApartAndPutTogetherItIsStillValid) {
  EXPECT_EQ(error_of({}, [](Parts&) {}), "");
}

TEST(HostilePacked, DrawnRows) {
  expect_refused(
      {}, [](Parts& p) { p.tensors["bottom.rows"].bytes[1] = 0x3a; },
      "'bottom.rows' names kept row 10 in clustering 0, but there are only 10 kept rows");
  expect_refused(
      {}, [](Parts& p) { p.tensors["bottom.rows"].bytes[0] = 0x11; },
      "'bottom.rows' names kept row 1 twice in clustering 0");
  expect_refused(
      {}, [](Parts& p) { p.tensors["layer2.rows"].bytes[3] |= 0x80; },
      "tensor 'layer2.rows' has bits after the last number of a row that are not zero");
}

TEST(HostilePacked, DrawnColumns) {
  expect_refused(
      {}, [](Parts& p) { p.tensors["bottom.columns"].bytes[0] = 0b00111; },
      "tensor 'bottom.columns' has a row with 3 bits set; it must have 2");
  expect_refused(
      {}, [](Parts& p) { p.tensors["bottom.columns"].bytes[2] = 0; },
      "tensor 'bottom.columns' has a row with 0 bits set; it must have 2");
  expect_refused(
      {}, [](Parts& p) { p.tensors["bottom.columns"].bytes[1] = 0b100001; },
      "tensor 'bottom.columns' has bits after the last number of a row that are not zero");
  // One feature of 20 is a number of 5 bits, not a mask of 3 bytes.
  const Recipe few{.clusterings = 20};
  const auto with_one_feature = [](Parts& p, std::uint8_t column) {
    p.metadata["layer2.features"] = "1";
    p.tensors["layer2.columns"] = {TensorType::u8, {20, 1}, Bytes(20, column)};
  };
  EXPECT_EQ(error_of(few, [&](Parts& p) { with_one_feature(p, 19); }), "");
  expect_refused(
      few, [&](Parts& p) { with_one_feature(p, 20); },
      "'layer2.columns' names column 20 in clustering 0, but the layer's input has 20 columns");
  expect_refused(
      few, [&](Parts& p) { with_one_feature(p, 0x21); },
      "tensor 'layer2.columns' has bits after the last number of a row that are not zero");
  expect_refused(
      few,
      [&](Parts& p) {
        p.metadata["layer2.features"] = "2";
        p.tensors["layer2.columns"] = {TensorType::u8, {20, 2}, Bytes(40, 0)};
      },
      "'layer2.columns' does not ascend at column 0 in clustering 0");
}

TEST(HostilePacked, Codes) {
  // Nine centroids take four bits, which hold up to 15.
  expect_refused(
      {.centroids = {9, 4}}, [](Parts& p) { p.tensors["layer2.pool"].bytes[2] = 0x19; },
      "tensor 'layer2.pool' has the code 9 in row 1, but its layer has 9 centroids");
  expect_refused(
      {}, [](Parts& p) { p.tensors["layer2.pool"].bytes[1] |= 2; },
      "tensor 'layer2.pool' has bits after the last number of a row that are not zero");
}

TEST(HostilePacked, CountsThatDoNotFit) {
  for (const char* tensor : {"bottom.centroids", "bottom.features", "layer3.features"}) {
    for (const char* value : {"0", "", "-1", "11", "4294967296", "18446744073709551615"}) {
      expect_refused(
          {}, [&](Parts& p) { p.metadata[tensor] = value; },
          std::string("'") + tensor + "' in the metadata is");
    }
    expect_refused(
        {}, [&](Parts& p) { p.metadata.erase(tensor); },
        std::string("the metadata lacks '") + tensor);
  }
  expect_refused(
      {}, [](Parts& p) { p.metadata["bottom.centroids"] = "9"; },
      "tensor 'bottom.rows' has 4 bytes in a row; it must have 5");
  expect_refused(
      {}, [](Parts& p) { p.metadata["bottom.features"] = "3"; },
      "tensor 'bottom.columns' has a row with 2 bits set; it must have 3");
}

TEST(HostilePacked, ShapesThatDoNotFit) {
  const auto reshape = [](const char* name, std::vector<std::uint64_t> shape, TensorType type) {
    return [=](Parts& p) {
      Tensor& tensor = p.tensors[name];
      std::uint64_t bytes = element_bytes(type);
      for (const std::uint64_t extent : shape) bytes *= extent;
      tensor = {type, shape, Bytes(bytes)};
    };
  };
  expect_refused({}, reshape("layer2.pool", {6, 3}, TensorType::u8),
                 "tensor 'layer2.pool' has 3 bytes in a row; it must have 2");
  expect_refused({}, reshape("layer2.pool", {6, 2}, TensorType::u16),
                 "tensor 'layer2.pool' is U16; it must be U8");
  expect_refused({}, reshape("layer2.pool", {12}, TensorType::u8), "it must have 2 extents");
  expect_refused({}, reshape("layer2.pool", {0, 2}, TensorType::u8), "extents from 1 to");
  // Many rows of few bytes must not become much memory.
  expect_refused({}, reshape("layer2.pool", {1000000, 1}, TensorType::u8),
                 "tensor 'layer2.pool' has 1 bytes in a row; it must have 2");
  expect_refused({}, reshape("bottom.rows", {2, 4}, TensorType::u8),
                 "tensor 'bottom.rows' has 2 rows; it must have 3");
  expect_refused({}, reshape("bottom.rows", {3, 8}, TensorType::u32),
                 "tensor 'bottom.rows' is U32; it must be U8");
  expect_refused({}, reshape("bottom.columns", {4, 1}, TensorType::u8),
                 "tensor 'bottom.columns' has 4 rows; it must have 3");
  expect_refused({}, reshape("bottom.columns", {3, 2}, TensorType::u8),
                 "tensor 'bottom.columns' has 2 bytes in a row; it must have 1");
}

TEST(HostilePacked, DamageIsCalledDamage) {
  // Also where the damaged numbers make no sense.
  for (const char* name : {"bottom.rows", "bottom.columns", "layer2.pool"}) {
    Bytes bytes = encode_model(hand_made::make_model({}));
    const TensorReader file(bytes, "m.mbn");
    const std::size_t data = bytes.size() - file.tensors().back().end;
    bytes[data + file.find(name)->begin] ^= 0xff;
    EXPECT_EQ(hand_made::format_error([&] { read_model(TensorReader(bytes, "m.mbn")); }),
              std::string("m.mbn: tensor '") + name +
                  "' does not match its checksum; the file is damaged: copy or write it again");
  }
}

}  // namespace
}  // namespace mbn
