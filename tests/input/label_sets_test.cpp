// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using Starts = std::vector<std::uint64_t>;
using Indices = std::vector<std::uint32_t>;

SparseMatrix read(const char* name, const std::string& bytes) {
  const auto path = std::filesystem::path(::testing::TempDir()) / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return read_label_sets(path);
}

TEST(LabelSets, TextHasALinePerRow) {
  const SparseMatrix sets = read("sets.txt", "red,blue\n\nblue blue\r\ngreen;red\n");
  EXPECT_EQ(sets.starts, (Starts{0, 2, 2, 3, 5}));
  EXPECT_EQ(sets.indices, (Indices{0, 1, 1, 0, 2}));
  EXPECT_EQ(sets.columns, 3u);
}

TEST(LabelSets, OneLabelPerRowWithNegativeAsNone) {
  const std::string cells = files::bytes_of(std::vector<std::int32_t>{7, -1, 3, 7});
  const SparseMatrix sets = read("sets.npy", files::npy("<i4", "(4,)", cells));
  EXPECT_EQ(sets.starts, (Starts{0, 1, 1, 2, 3}));
  EXPECT_EQ(sets.indices, (Indices{1, 0, 1}));
  EXPECT_EQ(sets.columns, 2u);
}

TEST(LabelSets, CompressedRows) {
  SparseMatrix rows;
  rows.columns = 4;
  rows.starts = {0, 1, 1};
  rows.indices = {2};
  rows.values = {1};
  const auto path = std::filesystem::path(::testing::TempDir()) / "sets.npz";
  write_sparse(path, rows, {.overwrite = true, .columns = {}, .ids = {}});
  EXPECT_EQ(read_label_sets(path), rows);
}

}  // namespace
}  // namespace mbn
