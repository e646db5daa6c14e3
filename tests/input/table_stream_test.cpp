// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/stream.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;
using files::slurp;

const std::vector<float> kCells = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
const ReadOptions kNumbers{.coding = TableCoding()};

std::vector<float> cells_of(const Table& table) {
  std::vector<float> cells;
  const MatrixView rows = table.data().dense();
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) cells.push_back(rows.at(i, j));
  }
  return cells;
}

std::vector<float> read_in_batches(const std::vector<std::filesystem::path>& paths,
                                   std::size_t most) {
  TableStream stream(paths, kNumbers);
  std::vector<float> all;
  while (true) {
    const Table batch = stream.next(most);
    if (batch.data().rows() == 0) return all;
    EXPECT_LE(batch.data().rows(), most);
    const std::vector<float> cells = cells_of(batch);
    all.insert(all.end(), cells.begin(), cells.end());
  }
}

struct Sources {
  Folder folder;
  std::vector<std::filesystem::path> arrays, texts;

  Sources() {
    write_matrix(folder / "a.npy", MatrixView(kCells.data(), 2, 2));
    write_matrix(folder / "b.npy", MatrixView(kCells.data() + 4, 3, 2));
    arrays = {folder / "a.npy", folder / "b.npy"};
    texts = {folder.put("a.csv", "x,y\n1,2\n3,4\n"), folder.put("b.csv", "x,y\n5,6\n7,8\n9,10")};
  }
};

TEST(TableStream, GivesAllRowsInBatchesOfAnySize) {
  const Sources sources;
  for (const std::size_t most : {1U, 2U, 3U, 100U}) {
    EXPECT_EQ(read_in_batches(sources.arrays, most), kCells);
    EXPECT_EQ(read_in_batches(sources.texts, most), kCells);
  }
  EXPECT_EQ(cells_of(read_table(sources.arrays, kNumbers)), kCells);
  EXPECT_EQ(cells_of(read_table(sources.texts, kNumbers)), kCells);
}

TEST(TableStream, CountsSkipsAndPicks) {
  const Sources sources;
  for (const auto& paths : {sources.arrays, sources.texts}) {
    EXPECT_EQ(count_rows(paths, kNumbers), 5U);
    EXPECT_EQ(cells_of(read_rows(paths, {0, 2, 4}, kNumbers)),
              (std::vector<float>{1, 2, 5, 6, 9, 10}));
    TableStream stream(paths, kNumbers);
    EXPECT_EQ(stream.skip(3), 3U);
    EXPECT_EQ(cells_of(stream.next(1)), (std::vector<float>{7, 8}));
    EXPECT_EQ(stream.skip(9), 1U);
    EXPECT_EQ(stream.next(1).data().rows(), 0U);
  }
  EXPECT_EQ(TableStream(sources.arrays).rows(), 5U);
  EXPECT_EQ(TableStream(sources.texts).rows(), std::nullopt);
}

TEST(TableStream, LevelsAreThoseOfTheRowsThatArePicked) {
  const Folder folder;
  const auto path = folder.put("x.csv", "size,colour\n1,red\n2,blue\n3,violet\n4,red\n");
  const Table picked = read_rows({path}, {0, 1, 3}, {});
  EXPECT_EQ(picked.columns, (std::vector<std::string>{"size", "colour = blue", "colour = red"}));
}

TEST(TableStream, RefusesFilesThatAreNotAlike) {
  const Sources sources;
  const auto other = sources.folder.put("c.csv", "y,x\n1,2\n");
  expect_error<FormatError>(
      [&] {
        read_table({sources.texts[0], other}, kNumbers);
      },
      {"c.csv:1", "same names"});
  expect_error<InvalidArgument>(
      [&] {
        read_table({sources.texts[0], sources.arrays[0]});
      },
      {"a.npy", "no CSV"});
  write_matrix(sources.folder / "wide.npy", MatrixView(kCells.data(), 2, 5));
  expect_error<InvalidArgument>(
      [&] {
        read_table({sources.arrays[0], sources.folder / "wide.npy"});
      },
      {"wide.npy", "5 columns"});
}

TEST(DataFiles, AreThoseOfAFolderAPatternOrThePathItself) {
  const Sources sources;
  EXPECT_EQ(data_files(sources.folder / "*.npy"), sources.arrays);
  EXPECT_EQ(data_files(sources.arrays[0]), (std::vector{sources.arrays[0]}));
  EXPECT_EQ(data_files(sources.folder.path()).size(), 4U);
  sources.folder.put("readme.md", "no table");
  EXPECT_EQ(data_files(sources.folder.path()), (std::vector{sources.folder.path()}));
  EXPECT_THROW(data_files(sources.folder / "none-*.npy"), IoError);
}

TEST(TableWriter, WritesWhatIsWrittenAtOnce) {
  const Folder folder;
  for (const char* const ending : {".npy", ".csv"}) {
    const auto whole = folder / (std::string("whole") + ending);
    const auto parts = folder / (std::string("parts") + ending);
    write_matrix(whole, MatrixView(kCells.data(), 5, 2), {.columns = {"x", "y"}});
    TableWriter writer(parts, {.columns = {"x", "y"}});
    writer.add(MatrixView(kCells.data(), 1, 2));
    writer.add(MatrixView(kCells.data() + 2, 4, 2));
    EXPECT_THROW(writer.add(MatrixView(kCells.data(), 1, 3)), InvalidArgument);
    EXPECT_FALSE(std::filesystem::exists(parts));
    writer.commit();
    EXPECT_EQ(slurp(parts), slurp(whole));
  }
}

TEST(TableWriter, GoesOnFromAPartFile) {
  const Folder folder;
  for (const char* const ending : {".npy", ".csv"}) {
    const auto whole = folder / (std::string("whole") + ending);
    const auto target = folder / (std::string("target") + ending);
    write_matrix(whole, MatrixView(kCells.data(), 5, 2));
    PartFile safe{folder / (std::string("part") + ending)};
    {
      TableWriter writer(target, {}, safe);
      writer.add(MatrixView(kCells.data(), 2, 2));
      safe = writer.save();
      writer.add(MatrixView(kCells.data(), 2, 2));
      writer.save();
    }
    EXPECT_FALSE(std::filesystem::exists(target));
    TableWriter writer(target, {}, safe);
    writer.add(MatrixView(kCells.data() + 4, 3, 2));
    writer.commit();
    EXPECT_EQ(slurp(target), slurp(whole));
    EXPECT_FALSE(std::filesystem::exists(safe.path));
    safe.bytes = 100'000;
    expect_error<IoError>([&] { TableWriter(folder / "x.npy", {}, safe); }, {"remove"});
  }
}

TEST(Concatenate, JoinsArraysAndTexts) {
  const Sources sources;
  const Folder& folder = sources.folder;
  write_matrix(folder / "whole.npy", MatrixView(kCells.data(), 5, 2));
  EXPECT_EQ(concatenate(folder / "joined.npy", sources.arrays, true), 5U);
  EXPECT_EQ(slurp(folder / "joined.npy"), slurp(folder / "whole.npy"));
  EXPECT_EQ(concatenate(folder / "joined.csv", sources.texts, true), 5U);
  EXPECT_EQ(slurp(folder / "joined.csv"), "x,y\n1,2\n3,4\n5,6\n7,8\n9,10\n");
  EXPECT_THROW(concatenate(folder / "no.npy", sources.texts, true), FormatError);
  EXPECT_FALSE(std::filesystem::exists(folder / "no.npy"));
}

}  // namespace
}  // namespace mbn
