// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <bit>
#include <cmath>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;
using files::slurp;

const std::vector<float> kCells = {1, -2.5F, 0.1F, 1e-30F, 3e38F, 0};

TEST(Writer, WritesNpyAsNumPyDoes) {
  const Folder folder;
  write_matrix(folder / "x.npy", MatrixView(kCells.data(), 2, 3));
  EXPECT_EQ(slurp(folder / "x.npy"), files::npy("<f4", "(2, 3)", files::bytes_of(kCells)));
  const std::vector<std::uint8_t> bytes = {1, 2, 3};
  write_matrix(folder / "b.npy", MatrixView(bytes.data(), 1, 3));
  EXPECT_EQ(slurp(folder / "b.npy"), files::npy("|u1", "(1, 3)", files::bytes_of(bytes)));
  const std::vector<std::int32_t> labels = {4, -1};
  write_labels(folder / "y.npy", labels);
  EXPECT_EQ(slurp(folder / "y.npy"), files::npy("<i4", "(2,)", files::bytes_of(labels)));
}

TEST(Writer, WritesTextWithTheFewestDigits) {
  const Folder folder;
  write_matrix(folder / "x.csv", MatrixView(kCells.data(), 2, 3));
  EXPECT_EQ(slurp(folder / "x.csv"), "1,-2.5,0.1\n1e-30,3e+38,0\n");
  write_matrix(folder / "x.tsv", MatrixView(kCells.data(), 2, 3));
  EXPECT_EQ(slurp(folder / "x.tsv"), "1\t-2.5\t0.1\n1e-30\t3e+38\t0\n");
  write_matrix(folder / "x.txt", MatrixView(kCells.data(), 2, 3));
  EXPECT_EQ(slurp(folder / "x.txt"), slurp(folder / "x.tsv"));
  const std::vector<std::uint8_t> bytes = {1, 200};
  write_matrix(folder / "b.csv", MatrixView(bytes.data(), 1, 2));
  EXPECT_EQ(slurp(folder / "b.csv"), "1,200\n");
  write_labels(folder / "y.txt", std::vector<std::int32_t>{4, -1});
  EXPECT_EQ(slurp(folder / "y.txt"), "4\n-1\n");
}

TEST(Writer, WritesRowsWithAStride) {
  const Folder folder;
  const MatrixView view(kCells.data(), 2, 2, 3);
  write_matrix(folder / "x.csv", view);
  EXPECT_EQ(slurp(folder / "x.csv"), "1,-2.5\n1e-30,3e+38\n");
  write_matrix(folder / "x.npy", view);
  EXPECT_EQ(read_matrix(folder / "x.npy").at(1, 1), 3e38F);
}

TEST(Writer, WritesNamesAndIds) {
  const Folder folder;
  write_matrix(folder / "x.csv", MatrixView(kCells.data(), 2, 1),
               {.columns = {"who", "a \"b\""}, .ids = {"ann, the first", "bob"}});
  EXPECT_EQ(slurp(folder / "x.csv"), "who,\"a \"\"b\"\"\"\n\"ann, the first\",1\nbob,-2.5\n");
  const Table table = read_table(folder / "x.csv", {.id_column = {"who"}});
  EXPECT_EQ(table.ids, (std::vector<std::string>{"ann, the first", "bob"}));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"a \"b\""}));
  write_labels(folder / "y.csv", std::vector<std::int32_t>{1},
               {.columns = {"id", "label"}, .ids = {"ann"}});
  EXPECT_EQ(slurp(folder / "y.csv"), "id,label\nann,1\n");
}

TEST(Writer, RefusesNamesThatDoNotFit) {
  const Folder folder;
  const MatrixView view(kCells.data(), 2, 3);
  expect_error<InvalidArgument>([&] { write_matrix(folder / "x.csv", view, {.columns = {"a"}}); },
                                {"1 column names for 3 columns"});
  expect_error<InvalidArgument>([&] { write_matrix(folder / "x.csv", view, {.ids = {"a"}}); },
                                {"1 ids for 2 rows"});
  EXPECT_EQ(folder.count(), 0u);
}

template <class T>
void expect_codes(std::size_t centroids, const std::string& type) {
  const Folder folder;
  CodeMatrix codes(2, 2, centroids);
  const std::vector<T> cells = {0, 1, static_cast<T>(centroids - 1), 2};
  codes.visit([&](auto* to) {
    for (std::size_t i = 0; i < 4; ++i) {
      to[i] = static_cast<std::remove_pointer_t<decltype(to)>>(cells[i]);
    }
  });
  write_codes(folder / "c.npy", codes);
  EXPECT_EQ(slurp(folder / "c.npy"), files::npy(type, "(2, 2)", files::bytes_of(cells)));
  write_codes(folder / "c.csv", codes);
  EXPECT_EQ(slurp(folder / "c.csv"), "0,1\n" + std::to_string(centroids - 1) + ",2\n");
}

TEST(Writer, WritesCodesInTheirOwnType) {
  expect_codes<std::uint8_t>(256, "|u1");
  expect_codes<std::uint16_t>(65536, "<u2");
  expect_codes<std::uint32_t>(65537, "<u4");
}

TEST(Writer, RefusesUnknownEndings) {
  const Folder folder;
  for (const char* name : {"x.parquet", "x", "x.csv.gz"}) {
    expect_error<InvalidArgument>(
        [&] { write_matrix(folder / name, MatrixView(kCells.data(), 2, 3)); },
        {name, ".npy, .csv, .tsv or .txt"});
  }
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Writer, DoesNotOverwriteUnasked) {
  const Folder folder;
  const auto path = folder.put("x.csv", "precious");
  const MatrixView view(kCells.data(), 2, 3);
  expect_error<IoError>([&] { write_matrix(path, view); }, {"exists already", "overwrite = true"});
  expect_error<IoError>([&] { write_labels(path, std::vector<std::int32_t>{1}); },
                        {"exists already"});
  expect_error<IoError>([&] { write_codes(path, CodeMatrix(1, 1, 2)); }, {"exists already"});
  expect_error<IoError>([&] { write_text(path, "x"); }, {"exists already"});
  EXPECT_EQ(slurp(path), "precious");
  write_text(path, "new", {.overwrite = true});
  EXPECT_EQ(slurp(path), "new");
}

TEST(Writer, WritesToStandardOutput) {
  const Folder folder;
  std::fflush(stdout);
  const int before = ::dup(STDOUT_FILENO);
  ASSERT_NE(std::freopen((folder / "out.txt").c_str(), "w", stdout), nullptr);
  std::fputs("first\n", stdout);
  write_matrix("-", MatrixView(kCells.data(), 1, 2));
  write_labels("-", std::vector<std::int32_t>{7});
  write_text("-", "last\n");
  std::fflush(stdout);
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  EXPECT_EQ(slurp(folder / "out.txt"), "first\n1,-2.5\n7\nlast\n");
}

/// Any finite float, by its bits, so that all exponents come.
rc::Gen<float> finite_float() {
  return rc::gen::map(rc::gen::arbitrary<std::uint32_t>(), [](std::uint32_t bits) {
    const auto value = std::bit_cast<float>(bits * 2654435761U);
    return std::isfinite(value) ? value : 0.0F;
  });
}

TEST(Writer, EveryFloatComesBackFromEveryFormat) {
  const Folder folder(Folder::in_memory());
  const bool held = rc::check([&] {
    const auto rows = *rc::gen::inRange<std::size_t>(1, 20);
    const auto columns = *rc::gen::inRange<std::size_t>(1, 10);
    const auto cells = *rc::gen::container<std::vector<float>>(rows * columns, finite_float());
    for (const char* name : {"x.npy", "x.csv", "x.tsv", "x.txt"}) {
      write_matrix(folder / name, MatrixView(cells.data(), rows, columns), {.overwrite = true});
      const Matrix back = read_matrix(folder / name);
      RC_ASSERT(back.shape() == (Shape{rows, columns}));
      RC_ASSERT(std::memcmp(back.row<float>(0), cells.data(), cells.size() * sizeof(float)) == 0);
    }
  });
  EXPECT_TRUE(held);
}

TEST(Writer, EveryLabelComesBackFromEveryFormat) {
  const Folder folder(Folder::in_memory());
  const bool held = rc::check([&] {
    const auto labels = *rc::gen::nonEmpty<std::vector<std::int32_t>>();
    for (const char* name : {"y.npy", "y.csv", "y.txt"}) {
      write_labels(folder / name, labels, {.overwrite = true});
      RC_ASSERT(read_labels(folder / name).values == labels);
    }
  });
  EXPECT_TRUE(held);
}

TEST(Writer, EveryNameComesBackFromText) {
  const Folder folder(Folder::in_memory());
  const bool held = rc::check([&] {
    const auto letters = rc::gen::element('a', 'b', ' ', ',', ';', '\t', '"', '\n', '\r', '1', '.');
    const auto names = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(letters)));
    const std::vector<float> cells(names.size(), 1.5F);
    for (const char* name : {"x.csv", "x.tsv"}) {
      write_matrix(folder / name, MatrixView(cells.data(), names.size(), 1),
                   {.overwrite = true, .columns = {"the id", "value"}, .ids = names});
      const Table back = read_table(folder / name, {.id_column = {"the id"}});
      RC_ASSERT(back.ids == names);
      RC_ASSERT(back.columns == std::vector<std::string>{"value"});
    }
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace mbn
