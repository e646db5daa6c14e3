// SPDX-License-Identifier: Apache-2.0
//
// The safetensors layout itself, without models: what is written is read, and headers that lie are
// refused before any memory is taken for them.
#include "store/tensor_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include <mbn/error.hpp>

#include "store/hand_made.hpp"

namespace mbn {
namespace {

/// Opens the bytes as a file whose checksums are not looked at.
std::string open_error(const std::string& header, const std::string& data = "") {
  const auto bytes = hand_made::raw_file(header, data);
  return hand_made::format_error([&] { TensorReader(bytes, "t", Checksums::ignore); });
}

std::string tensor(const std::string& type, const std::string& shape, const std::string& offsets) {
  return R"({"a":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' lacks '" << part << "'";
}

TEST(TensorFile, WritesLargeElementsFirstAndReadsThemBack) {
  const hand_made::Folder folder;
  const auto path = folder.file("t.safetensors");
  const std::vector<std::uint8_t> small{1, 2, 3};
  const std::vector<double> large{0.5, -2};
  const std::vector<std::uint16_t> middle{65535};
  write_tensor_file(path, {{"who", "a \"quoted\" \u00e9 name"}},
                    {{"small", TensorType::u8, {3, 1}, small.data()},
                     {"empty", TensorType::u8, {0}, nullptr},
                     {"large", TensorType::f64, {2}, large.data()},
                     {"middle", TensorType::u16, {1}, middle.data()}},
                    false);
  const TensorReader file(path);
  EXPECT_EQ(file.metadata().at("who"), "a \"quoted\" \u00e9 name");
  EXPECT_EQ(file.tensors()[0].name, "large");
  EXPECT_EQ(file.tensors()[1].name, "middle");
  EXPECT_EQ(file.find("small")->shape, (std::vector<std::uint64_t>{3, 1}));
  EXPECT_EQ(file.find("other"), nullptr);
  std::vector<double> back(2);
  file.read(*file.find("large"), back.data());
  EXPECT_EQ(back, large);
  EXPECT_EQ(std::filesystem::file_size(path) % 8, (16 + 2 + 3) % 8U);
}

TEST(TensorFile, HeaderIsPaddedWithSpacesAndGuarded) {
  const std::string header = encode_header({.metadata = {{"k", "v"}}, .tensors = {}});
  EXPECT_EQ(header.size() % 8, 0U);
  const std::string text = header.substr(8);
  EXPECT_EQ(decode_header(text, "t").metadata.at("header_xxh3"), header_checksum(text));
  EXPECT_EQ(header_checksum("{}"), "");
  EXPECT_EQ(header_checksum(R"({"__metadata__":{"header_xxh3":"12"}})").size(), 0U);
}

TEST(TensorFile, ForeignFilesAreToldApart) {
  const auto error_of = [](const std::string& content) {
    const std::vector<std::uint8_t> bytes(content.begin(), content.end());
    return hand_made::format_error([&] { TensorReader(bytes, "f"); });
  };
  expect_contains(error_of(""), "f: not an mbn model: it has only 0 bytes");
  expect_contains(error_of("1,2,3\n"), "not an mbn model");
  expect_contains(error_of("1,2,3\n4,5,6\n7,8,9\n"), "not an mbn model");
  expect_contains(error_of(std::string("\x93NUMPY\x01\x00v\x00{'descr'", 18)), "not an mbn model");
  expect_contains(error_of(std::string("\x02\0\0\0\0\0\0\0[]", 10)), "not an mbn model");
  const auto other = hand_made::raw_file(R"({"__metadata__":{"format":"pt"}})");
  expect_contains(hand_made::format_error([&] { TensorReader(other, "f"); }), "not an mbn model");
}

TEST(TensorFile, LengthsThatLieAreRefused) {
  for (const std::uint64_t length :
       {std::uint64_t{3}, std::uint64_t{1000}, kMaxHeaderBytes, kMaxHeaderBytes + 1,
        std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{0} - 7}) {
    std::vector<std::uint8_t> bytes(10, ' ');
    std::memcpy(bytes.data(), &length, sizeof length);
    EXPECT_NE(hand_made::format_error([&] { TensorReader(bytes, "t", Checksums::ignore); }), "");
  }
}

TEST(TensorFile, TensorsThatLieAreRefused) {
  EXPECT_EQ(open_error(tensor("U8", "[4]", "[0,4]"), "abcd"), "");
  EXPECT_EQ(open_error(tensor("U8", "[]", "[0,1]"), "a"), "");
  const std::vector<std::pair<std::string, std::string>> lies = {
      {tensor("U8", "[5]", "[0,5]"), "cut short"},
      {tensor("U8", "[3]", "[0,3]"), "1 bytes follow the last tensor"},
      {tensor("U8", "[3]", "[1,4]"), "neither gaps nor overlaps"},
      {tensor("U8", "[4]", "[4,0]"), "neither gaps nor overlaps"},
      {tensor("U8", "[4]", "[-4,0]"), "-4 where it has no place"},
      {tensor("U8", "[-4]", "[0,4]"), "-4 where it has no place"},
      {tensor("U8", "[4.0]", "[0,4]"), "4.0 where it has no place"},
      {tensor("U8", "[4]", "[0,18446744073709551616]"), "no place"},
      {tensor("U8", "[4]", "[0,18446744073709551615]"), "cut short"},
      {tensor("U8", "[4]", "[0]"), "without two numbers"},
      {tensor("U8", "[4]", "[0,4,4]"), "no place"},
      {tensor("U8", "[3]", "[0,4]"), "not what its shape [3] of U8 needs"},
      {tensor("U16", "[4]", "[0,4]"), "not what its shape [4] of U16 needs"},
      {tensor("U8", "[4294967296,4294967296,4]", "[0,4]"), "not what its shape"},
      {tensor("F64", "[2305843009213693953]", "[0,4]"), "not what its shape"},
      {tensor("U8", "[1,1,1,1,1,1,1,1,4]", "[0,4]"), "no place"},
      {tensor("I8", "[4]", "[0,4]"), "the unknown dtype 'I8'"},
      {R"({"a":{"dtype":"U8","shape":[4]}})", "without dtype, shape or data_offsets"},
      {R"({"a":{"dtype":"U8","dtype":"U8"}})", "'dtype' for a second time"},
      {R"({"a":{"dtype":["U8"]}})", "a list where it has no place"},
      {R"({"a":{"colour":"red"}})", "the unknown field 'colour'"}};
  for (const auto& [header, part] : lies) expect_contains(open_error(header, "abcd"), part);
}

TEST(TensorFile, OverlapsAndRepeatedNamesAreRefused) {
  const std::string one = R"("a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]})";
  const std::string overlap = R"("b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]})";
  const std::string next = R"("b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]})";
  EXPECT_EQ(open_error("{" + next + "," + one + "}", "abcdef"), "");
  expect_contains(open_error("{" + one + "," + overlap + "}", "abcdef"), "overlaps");
  expect_contains(open_error("{" + one + "," + one + "}", "abcd"), "'a' for a second time");
  const std::string twice = R"({"__metadata__":{"k":"1","k":"2"}})";
  expect_contains(open_error(twice), "'k' for a second time");
  expect_contains(open_error(R"({"__metadata__":{},"__metadata__":{}})"), "for a second time");
}

TEST(TensorFile, MetadataIsTextOnly) {
  for (const std::string value : {"1", "-1", "1.5", "null", "true", "[]", "{}", "1e999"}) {
    EXPECT_NE(open_error(R"({"__metadata__":{"k":)" + value + "}}"), "") << value;
  }
}

TEST(TensorFile, BrokenJsonIsRefused) {
  expect_contains(open_error("{"), "not valid JSON");
  expect_contains(open_error("{} x"), "not valid JSON");
  expect_contains(open_error(std::string("{}\0\0", 4)), "a zero byte at 2");
  expect_contains(open_error("{\"\xff\":{}}"), "not valid JSON");
  expect_contains(open_error("{\"a\":1}"), "the number 1 where it has no place");
}

TEST(TensorFile, DeepJsonIsRefusedAtOnce) {
  const std::string deep(1'000'000, '[');
  expect_contains(open_error(R"({"a":)" + deep), "a list where it has no place");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  expect_contains(open_error(objects), "the unknown field 'a'");
}

TEST(TensorFile, NamesAreShortAndPlainInMessages) {
  EXPECT_EQ(in_quotes("a\x1b[2J\xc3\xa9 b"), "'a?[2J?? b'");
  EXPECT_EQ(in_quotes(std::string(1000, 'x')), "'" + std::string(60, 'x') + "...'");
}

}  // namespace
}  // namespace mbn
