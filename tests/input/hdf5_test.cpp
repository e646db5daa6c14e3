// SPDX-License-Identifier: Apache-2.0
//
// HDF5 files that h5py wrote (fuzz/make_seeds.py), of every kind that is known. A build without
// libhdf5 refuses them all.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"
#include "input/hdf5_file.hpp"

namespace mbn {
namespace {

using files::expect_error;

using Names = std::vector<std::string>;

std::filesystem::path seed(const char* name) {
  return std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz" / "corpus" / "fuzz_hdf5" /
         name;
}

const Names kCells = {"AAA-1", "CCC-1", "GGG-1"};
const Names kGenes = {"CD4", "TBCE", "TBCE2", "MS4A1"};
const std::vector<std::vector<float>> kCounts = {{7, 1, 0, 0}, {0, 0, 0, 2}, {9, 0, 5, 0}};

float cell(const Table& table, std::size_t row, std::size_t column) {
  if (!table.rows.is_sparse()) return table.rows.dense().at(row, column);
  const SparseView rows = table.rows.sparse();
  for (std::size_t n = 0; n < rows.indices(row).size(); ++n) {
    if (rows.indices(row)[n] == column) return rows.values(row)[n];
  }
  return 0;
}

void expect_counts(const Table& table) {
  ASSERT_EQ(table.rows.rows(), kCounts.size());
  ASSERT_GE(table.rows.columns(), kCounts[0].size());
  for (std::size_t i = 0; i < kCounts.size(); ++i) {
    for (std::size_t j = 0; j < kCounts[i].size(); ++j) EXPECT_EQ(cell(table, i, j), kCounts[i][j]);
  }
}

class Hdf5 : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_hdf5()) GTEST_SKIP() << "this build has no libhdf5";
  }
};

TEST_F(Hdf5, AnnDataHasNamesOfCellsAndGenes) {
  for (const char* name : {"sparse.h5ad", "newer.h5ad"}) {
    const Table table = read_table(seed(name));
    EXPECT_TRUE(table.rows.is_sparse());
    EXPECT_EQ(table.ids, kCells);
    EXPECT_EQ(table.columns, kGenes);
    EXPECT_FLOAT_EQ(cell(table, 0, 0), std::log1p(7.0F));
    EXPECT_FALSE(table.gene_counts) << "logarithms are no counts";
  }
}

TEST_F(Hdf5, AnotherMatrixOfAnnData) {
  const Table counts = read_table(seed("sparse.h5ad"), {.array = "layers/counts"});
  expect_counts(counts);
  EXPECT_TRUE(counts.gene_counts);
  EXPECT_EQ(counts.columns, kGenes);
  const Table raw = read_table(seed("sparse.h5ad"), {.array = "raw/X"});
  expect_counts(raw);
  EXPECT_EQ(raw.columns.back(), "ACTB");
  const Table pca = read_table(seed("sparse.h5ad"), {.array = "obsm/X_pca"});
  EXPECT_EQ(pca.rows.dense().at(2, 1), 5.0F);
  EXPECT_EQ(pca.ids, kCells);
  EXPECT_TRUE(pca.columns.empty());
  EXPECT_FALSE(pca.gene_counts) << "whole numbers, but none of genes";
  expect_error<InvalidArgument>(
      [] { read_table(seed("sparse.h5ad"), {.array = "layers/none"}); },
      {"sparse.h5ad", "no matrix 'layers/none'", "X, raw/X, layers/counts, obsm/X_pca"});
}

TEST_F(Hdf5, DenseAndOldAnnData) {
  for (const char* name : {"dense.h5ad", "old.h5ad"}) {
    const Table table = read_table(seed(name));
    expect_counts(table);
    EXPECT_EQ(table.ids, kCells) << name;
    EXPECT_EQ(table.columns, kGenes) << name;
    EXPECT_TRUE(table.gene_counts) << name;
  }
}

TEST_F(Hdf5, TenXHasCellsAsRows) {
  const Table table = read_table(seed("ten_x.h5"));
  expect_counts(table);
  EXPECT_EQ(table.ids, kCells);
  EXPECT_EQ(table.columns, (Names{"CD4", "E2", "E3", "MS4A1"}));
  EXPECT_TRUE(table.gene_counts);
  EXPECT_FALSE(read_table(seed("ten_x.h5"), {.transpose = true}).gene_counts);
  expect_error<InvalidArgument>([] { read_table(seed("two_genomes.h5")); }, {"hg19, mm10"});
  expect_counts(read_table(seed("two_genomes.h5"), {.array = "mm10"}));
}

TEST_F(Hdf5, MatlabHasItsColumnsFirst) {
  const Table table = read_table(seed("new.mat"));
  expect_counts(table);
  EXPECT_EQ(table.rows.columns(), 4U);
  expect_counts(read_table(seed("new.mat"), {.array = "S"}));
  EXPECT_EQ(read_table(seed("new.mat"), {.array = "y"}).rows.rows(), 3U);
  expect_error<InvalidArgument>([] { read_table(seed("new.mat"), {.array = "words"}); },
                                {"no matrix 'words'", "S, X, y"});
}

TEST_F(Hdf5, AnyArrayByItsPath) {
  expect_error<InvalidArgument>([] { read_table(seed("plain.h5")); },
                                {"several arrays", "flags", "train/images"});
  const Table images = read_table(seed("plain.h5"), {.array = "train/images"});
  EXPECT_EQ(images.rows.dense().type(), ElementType::uint8);
  EXPECT_EQ(images.pictures, (PictureShape{3, 4, 1}));
  EXPECT_EQ(images.rows.dense().at(1, 11), 23.0F);
  const Table half = read_table(seed("plain.h5"), {.array = "/train/half"});
  EXPECT_EQ(half.rows.dense().at(2, 1), 5.0F);
  EXPECT_EQ(read_table(seed("plain.h5"), {.array = "flags"}).rows.dense().at(1, 1), 1.0F);
  expect_error<InvalidArgument>([] { read_table(seed("plain.h5"), {.array = "words"}); },
                                {"no array 'words'"});
  expect_error<FormatError>([] { read_table(seed("plain.h5"), {.array = "single"}); },
                            {"single number"});
}

TEST_F(Hdf5, OtherFilesAreNotOpened) {
  EXPECT_EQ(read_table(seed("elsewhere.h5")).rows.rows(), 3U) << "'data', as X is a link";
  for (const char* link : {"X", "soft"}) {
    expect_error<InvalidArgument>([&] { read_table(seed("elsewhere.h5"), {.array = link}); },
                                  {"there is no array"});
  }
  for (const char* outside : {"outside", "virtual"}) {
    expect_error<FormatError>([&] { read_table(seed("elsewhere.h5"), {.array = outside}); },
                              {"in other files"});
  }
}

TEST_F(Hdf5, WhatCannotBeReadIsRefused) {
  expect_error<FormatError>([] { read_table(seed("lzf.h5")); }, {"filter 32000", "gzip"});
  expect_error<FormatError>([] { read_table(seed("huge.h5")); }, {"0 bytes are stored"});
  expect_error<FormatError>([] { read_table(seed("cut.h5ad")); }, {"cut.h5ad", "damaged"});
  const files::Folder folder;
  folder.put("text.h5ad", "a,b\n1,2\n");
  expect_error<FormatError>([&] { read_table(folder / "text.h5ad"); }, {"like an HDF5 file"});
}

TEST_F(Hdf5, SeveralThreadsReadAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 5; ++round) expect_counts(read_table(seed("dense.h5ad")));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(WithoutHdf5, TheLineThatConvertsIsTold) {
  if (has_hdf5()) GTEST_SKIP() << "this build has libhdf5";
  expect_error<FormatError>([] { read_table(seed("sparse.h5ad")); },
                            {"libhdf5-dev", "python3 -c", "sparse.h5ad"});
}

}  // namespace
}  // namespace mbn
