// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;

std::filesystem::path seed(const char* name) {
  return std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz" / "corpus" / "fuzz_vecs" /
         name;
}

TEST(Vecs, EveryKindOfNumber) {
  const Matrix floats = read_matrix(seed("good.fvecs"));
  ASSERT_EQ(floats.shape(), (Shape{2, 3, ElementType::float32}));
  EXPECT_EQ(floats.at(0, 1), -2.0F);
  EXPECT_EQ(floats.at(1, 2), 6.25F);
  const Matrix bytes = read_matrix(seed("good.bvecs"));
  ASSERT_EQ(bytes.shape(), (Shape{2, 3, ElementType::uint8}));
  EXPECT_EQ(bytes.at(1, 2), 255.0F);
  EXPECT_EQ(read_matrix(seed("good.ivecs")).at(0, 1), -2.0F);
}

TEST(Vecs, AllVectorsAreAsLong) {
  expect_error<FormatError>([] { read_matrix(seed("ragged.bvecs")); },
                            {"vector 2 has 2 numbers", "the first has 3"});
  const files::Folder folder;
  folder.put("cut.fvecs", std::string("\2\0\0\0\0\0\0\0\0\0", 10));
  expect_error<FormatError>([&] { read_matrix(folder / "cut.fvecs"); }, {"10 bytes"});
  folder.put("empty.fvecs", "abc");
  expect_error<FormatError>([&] { read_matrix(folder / "empty.fvecs"); }, {"there is no vector"});
  folder.put("none.fvecs", std::string(8, '\0'));
  expect_error<FormatError>([&] { read_matrix(folder / "none.fvecs"); }, {"0 numbers"});
}

}  // namespace
}  // namespace mbn
