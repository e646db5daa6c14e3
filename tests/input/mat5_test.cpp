// SPDX-License-Identifier: Apache-2.0
//
// MATLAB files that SciPy wrote (fuzz/make_seeds.py), and one made by hand as MATLAB packs numbers.
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;

std::filesystem::path seed(const char* name) {
  return std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz" / "corpus" / "fuzz_mat5" /
         name;
}

TEST(Mat5, RowsAreRows) {
  for (const char* name : {"plain.mat", "packed.mat"}) {
    const Table table = read_table(seed(name));
    const MatrixView rows = table.rows.dense();
    ASSERT_EQ(rows.rows(), 3U) << name;
    ASSERT_EQ(rows.columns(), 4U) << name;
    EXPECT_EQ(rows.type(), ElementType::float32);
    EXPECT_EQ(rows.at(0, 0), 7.0F);
    EXPECT_EQ(rows.at(1, 3), 2.0F);
    EXPECT_EQ(rows.at(2, 2), 5.0F);
  }
}

TEST(Mat5, SparseOnesStaySparse) {
  for (const char* name : {"plain.mat", "packed.mat"}) {
    const Table table = read_table(seed(name), {.array = "S"});
    ASSERT_TRUE(table.rows.is_sparse()) << name;
    EXPECT_EQ(table.rows.sparse().starts, (std::vector<std::uint64_t>{0, 2, 3, 5}));
    EXPECT_EQ(table.rows.sparse().indices, (std::vector<std::uint32_t>{0, 1, 3, 0, 2}));
    EXPECT_EQ(table.rows.sparse().values, (std::vector<float>{7, 1, 2, 9, 5}));
  }
}

TEST(Mat5, BytesStayBytesAndPackedDoublesDoNot) {
  EXPECT_EQ(read_table(seed("pixels.mat")).rows.dense().type(), ElementType::uint8);
  const Table table = read_table(seed("big_endian.mat"));
  EXPECT_EQ(table.rows.dense().type(), ElementType::float32);
  EXPECT_EQ(table.rows.dense().rows(), 3U);
  EXPECT_EQ(table.rows.dense().at(2, 1), 255.0F);
  EXPECT_EQ(table.rows.dense().at(1, 0), 2.0F);
}

TEST(Mat5, TheChoiceIsTold) {
  expect_error<InvalidArgument>([] { read_table(seed("plain.mat"), {.array = "name"}); },
                                {"plain.mat", "no matrix 'name'", "X, y, S"});
  expect_error<FormatError>([] { read_table(seed("cut.mat")); }, {"cut.mat"});
  expect_error<FormatError>([] { read_labels(seed("plain.mat")); }, {"labels are not read"});
}

}  // namespace
}  // namespace mbn
