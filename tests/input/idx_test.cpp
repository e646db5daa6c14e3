// SPDX-License-Identifier: Apache-2.0
#include "input/idx.hpp"

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;
using files::gzip;
using files::idx;
using files::swapped_bytes_of;

Matrix read_bytes(const std::string& bytes) {
  const Folder folder;
  return read_matrix(folder.put("images-idx3-ubyte", bytes));
}

TEST(Idx, ReadsImagesAsBytes) {
  for (const bool packed : {false, true}) {
    const std::string bytes = idx(0x08, {2, 2, 2}, "abcdefgh");
    const Matrix matrix = read_bytes(packed ? gzip(bytes) : bytes);
    EXPECT_EQ(matrix.shape(), (Shape{2, 4, ElementType::uint8}));
    EXPECT_EQ(matrix.at(1, 3), 'h');
  }
}

template <class T>
void expect_converted(int type) {
  const Matrix matrix =
      read_bytes(idx(type, {2, 2}, swapped_bytes_of(std::vector<T>{T(1), T(2), T(3), T(100)})));
  EXPECT_EQ(matrix.shape(), (Shape{2, 2}));
  EXPECT_EQ(matrix.at(0, 1), 2);
  EXPECT_EQ(matrix.at(1, 1), 100);
}

TEST(Idx, ConvertsOtherNumbers) {
  expect_converted<std::int8_t>(0x09);
  expect_converted<std::int16_t>(0x0b);
  expect_converted<std::int32_t>(0x0c);
  expect_converted<float>(0x0d);
  expect_converted<double>(0x0e);
}

TEST(Idx, OneIndexIsOneColumn) {
  EXPECT_EQ(read_bytes(idx(0x08, {3}, "abc")).shape(), (Shape{3, 1, ElementType::uint8}));
}

TEST(Idx, ReadsLabels) {
  const Folder folder;
  const auto path = folder.put("y.gz", gzip(idx(0x08, {3}, std::string("\x05\x00\x09", 3))));
  EXPECT_EQ(read_labels(path).values, (std::vector<std::int32_t>{5, 0, 9}));
  const auto images = folder.put("x", idx(0x08, {1, 3}, "abc"));
  expect_error<FormatError>([&] { read_labels(images); }, {"one column"});
}

TEST(Idx, RefusesFilesThatAreCutAnywhere) {
  const std::string whole = idx(0x08, {2, 2, 2}, "abcdefgh");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(read_bytes(whole.substr(0, length)), FormatError) << length;
    EXPECT_THROW(read_bytes(gzip(whole.substr(0, length))), FormatError) << length;
  }
  const std::string packed = gzip(whole);
  for (std::size_t length = 0; length < packed.size(); ++length) {
    EXPECT_THROW(read_bytes(packed.substr(0, length)), FormatError) << length;
  }
}

TEST(Idx, DoesNotBelieveItsHeader) {
  const std::string liar = idx(0x0e, {4294967295U, 4294967295U, 4294967295U}, "abc");
  expect_error<FormatError>([&] { read_bytes(liar); }, {"at most 3 bytes follow"});
  expect_error<FormatError>([&] { read_bytes(gzip(liar)); }, {"the header declares"});
  expect_error<FormatError>([] { read_bytes(idx(0x08, {2}, "abc")); },
                            {"more bytes after the array"});
  expect_error<FormatError>([] { read_bytes(idx(0x08, {0}, "")); }, {"no rows"});
}

TEST(Idx, RefusesUnknownTypes) {
  expect_error<FormatError>([] { read_bytes(idx(0x0a, {1}, "a")); },
                            {"does not begin like an IDX file"});
}

TEST(Gzip, RefusesDamageAndReadsJoinedMembers) {
  const Folder folder;
  const auto read = [&](const std::string& bytes) {
    return read_matrix(folder.put("x.csv.gz", bytes));
  };
  EXPECT_EQ(read(gzip("1,2\n") + gzip("3,4\n")).rows(), 2u);
  EXPECT_EQ(read(gzip("1,2\n") + std::string(10, '\0')).rows(), 1u);
  expect_error<FormatError>([&] { read(gzip("1,2\n") + "junk"); }, {"something else follows"});
  std::string damaged = gzip("1,2\n3,4\n5,6\n");
  damaged[damaged.size() - 8] = static_cast<char>(damaged[damaged.size() - 8] ^ 1);
  expect_error<FormatError>([&] { read(damaged); }, {"gzip data cannot be read", "gzip -t"});
  const std::string whole = gzip("1,2\n3,4\n5,6\n");
  for (std::size_t length = 2; length < whole.size(); ++length) {
    EXPECT_THROW(read(whole.substr(0, length)), FormatError) << length;
  }
}

}  // namespace
}  // namespace mbn
