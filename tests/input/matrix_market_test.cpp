// SPDX-License-Identifier: Apache-2.0
#include "input/matrix_market.hpp"

#include <mbn/error.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;

const std::string kReal = "%%MatrixMarket matrix coordinate real general\n";

SparseMatrix read(const std::string& text) {
  const Folder folder;
  return std::move(read_table(folder.put("x.mtx", text)).rows.sparse());
}

TEST(MatrixMarket, ReadsCellsInAnyOrder) {
  const SparseMatrix rows =
      read(kReal + "% a comment\n\n3 4 4\n3 2 5\n1 4 -1.5\n1 1 2e0\r\n3 1 0\n");
  EXPECT_EQ(rows.columns, 4u);
  EXPECT_EQ(rows.starts, (std::vector<std::uint64_t>{0, 2, 2, 3}));
  EXPECT_EQ(rows.indices, (std::vector<std::uint32_t>{0, 3, 1}));
  EXPECT_EQ(rows.values, (std::vector<float>{2, -1.5F, 5}));
}

TEST(MatrixMarket, PatternsAndSymmetry) {
  const SparseMatrix pattern =
      read("%%MatrixMarket MATRIX Coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n");
  EXPECT_EQ(pattern.indices, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(pattern.values, (std::vector<float>{1, 1, 1}));
  const SparseMatrix skew =
      read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n");
  EXPECT_EQ(skew.values, (std::vector<float>{-3, 3}));
}

TEST(MatrixMarket, IsReadFromGzip) {
  const Folder folder;
  const auto path = folder.put("x.mtx.gz", files::gzip(kReal + "1 2 1\n1 2 7\n"));
  EXPECT_EQ(read_table(path).rows.sparse().values, (std::vector<float>{7}));
}

TEST(MatrixMarket, HasOneAnswerForEveryWrongFile) {
  expect_error<FormatError>([] { read(kReal + "2 2 2\n1 1 1\n1 1 2\n"); },
                            {"row 1, column 1", "twice"});
  expect_error<FormatError>([] { read(kReal + "2 2 1\n3 1 1\n"); }, {"x.mtx:3", "row 3", "1 to 2"});
  expect_error<FormatError>([] { read(kReal + "2 2 1\n1 0 1\n"); }, {"column 0", "1 to 2"});
  expect_error<FormatError>([] { read(kReal + "2 2 1\n1 -1 1\n"); }, {"'-1'", "whole number"});
  expect_error<FormatError>([] { read(kReal + "2 2 1\n1 1 nan\n"); }, {"'nan'", "finite"});
  expect_error<FormatError>([] { read(kReal + "2 2 1\n1 1\n"); }, {"finite"});
  expect_error<FormatError>([] { read(kReal + "2 2 1\n1 1 1 1\n"); }, {"one word too many"});
  expect_error<FormatError>([] { read(kReal + "2 2 2\n1 1 1\n"); }, {"cut short"});
  expect_error<FormatError>([] { read(kReal + "2 2 1\n1 1 1\n1 2 1\n"); }, {"more nonzeros"});
  expect_error<FormatError>([] { read(kReal); }, {"rows, columns and nonzeros is missing"});
  expect_error<FormatError>([] { read(kReal + "0 2 0\n"); }, {"0 rows"});
  expect_error<FormatError>([] { read("%%MatrixMarket matrix array real general\n1 1\n1\n"); },
                            {"'matrix array' is not read"});
  expect_error<FormatError>([] { read("%%MatrixMarket matrix coordinate complex general\n"); },
                            {"'complex general' is not read"});
  expect_error<FormatError>(
      [] { read("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"); }, {"2 rows and 3"});
  expect_error<FormatError>([] { read("1 1 1\n"); }, {"does not begin like a Matrix Market file"});
}

TEST(MatrixMarket, ClaimsAreHeldAgainstTheFileBeforeMemoryIsTaken) {
  expect_error<FormatError>([] { read(kReal + "4000000000 2 1\n1 1 1\n"); }, {"4000000000 rows"});
  expect_error<FormatError>([] { read(kReal + "9999999999 2 1\n1 1 1\n"); }, {"from 1 to"});
  expect_error<FormatError>([] { read(kReal + "2 2 18446744073709551615\n1 1 1\n"); },
                            {"nonzeros are declared"});
}

}  // namespace
}  // namespace mbn
