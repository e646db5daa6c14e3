// SPDX-License-Identifier: Apache-2.0
//
// Counts of genes in cells, in the three files of 10x Genomics.
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;

using Names = std::vector<std::string>;

const char* const kMatrix =
    "%%MatrixMarket matrix coordinate integer general\n4 3 5\n1 1 7\n2 1 1\n4 2 2\n3 3 5\n1 3 9\n";

void write_files(const Folder& folder, const std::string& before = "") {
  folder.put(before + "matrix.mtx", kMatrix);
  folder.put(before + "barcodes.tsv", "AAA-1\nCCC-1\nGGG-1\n");
  folder.put(before + "features.tsv",
             "E1\tCD4\tGene Expression\nE2\tTBCE\tGene Expression\nE3\tTBCE\tGene\nE4\n");
}

void expect_cells(const Table& table) {
  ASSERT_TRUE(table.rows.is_sparse());
  EXPECT_EQ(table.rows.rows(), 3U);
  EXPECT_EQ(table.ids, (Names{"AAA-1", "CCC-1", "GGG-1"}));
  EXPECT_EQ(table.columns, (Names{"CD4", "E2", "E3", "E4"}))
      << "symbols, or ids where they differ not";
  const SparseMatrix& cells = table.rows.sparse();
  EXPECT_EQ(cells.starts, (std::vector<std::uint64_t>{0, 2, 3, 5}));
  EXPECT_EQ(cells.indices, (std::vector<std::uint32_t>{0, 1, 3, 0, 2}));
  EXPECT_EQ(cells.values, (std::vector<float>{7, 1, 2, 9, 5}));
}

TEST(TenX, AFolderHasCellsAsRows) {
  const Folder folder;
  write_files(folder);
  expect_cells(read_table(folder.path()));
}

TEST(TenX, SoHasTheMatrixBesideItsNames) {
  const Folder folder;
  write_files(folder, "GSM1_");
  expect_cells(read_table(folder / "GSM1_matrix.mtx"));
  expect_error<IoError>([&] { read_table(folder.path()); }, {});
}

TEST(TenX, OldFilesCallTheGenesSo) {
  const Folder folder;
  write_files(folder);
  std::filesystem::rename(folder / "features.tsv", folder / "genes.tsv");
  expect_cells(read_table(folder.path()));
}

TEST(TenX, TransposeMakesGenesRows) {
  const Folder folder;
  write_files(folder);
  const Table table = read_table(folder.path(), {.transpose = true});
  EXPECT_EQ(table.rows.rows(), 4U);
  EXPECT_EQ(table.ids[0], "CD4");
  EXPECT_EQ(table.columns[2], "GGG-1");
}

TEST(TenX, GenesCanBeChosen) {
  const Folder folder;
  write_files(folder);
  const Table table = read_table(folder.path(), {.drop = {"CD*", "E2"}});
  EXPECT_EQ(table.columns, (Names{"E3", "E4"}));
  EXPECT_EQ(table.rows.sparse().starts, (std::vector<std::uint64_t>{0, 0, 1, 2}));
}

TEST(TenX, NamesMustFitTheMatrix) {
  const Folder folder;
  write_files(folder);
  folder.put("barcodes.tsv", "AAA-1\nCCC-1\n");
  expect_error<FormatError>([&] { read_table(folder.path()); },
                            {"barcodes.tsv has 2 lines", "3 columns"});
}

TEST(TenX, OtherMatricesAreTurnedOnRequest) {
  const Folder folder;
  folder.put("counts.mtx", kMatrix);
  EXPECT_EQ(read_table(folder / "counts.mtx").rows.rows(), 4U);
  EXPECT_EQ(read_table(folder / "counts.mtx", {.transpose = true}).rows.rows(), 3U);
  folder.put("tall.mtx", "%%MatrixMarket matrix coordinate real general\n9 2 1\n1 1 7\n");
  const Table tall = read_table(folder / "tall.mtx");
  ASSERT_EQ(tall.notes.size(), 1U);
  EXPECT_NE(tall.notes[0].message.text().find("transpose"), std::string::npos);
  // A small file must not ask for much memory.
  folder.put("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 4000000000 1\n1 1 7\n");
  expect_error<FormatError>([&] { read_table(folder / "wide.mtx", {.transpose = true}); },
                            {"nonzeros"});
  expect_error<FormatError>([&] { read_table(folder / "wide.mtx", {.drop = {"1"}}); },
                            {"nonzeros"});
}

}  // namespace
}  // namespace mbn
