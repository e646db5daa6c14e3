// SPDX-License-Identifier: Apache-2.0
//
// That NumPy reads these files is tested in tests/cli/test_text.py.
#include <gtest/gtest.h>

#include <filesystem>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

SparseMatrix small() {
  SparseMatrix rows;
  rows.columns = 5;
  rows.starts = {0, 2, 2, 3};
  rows.indices = {1, 4, 0};
  rows.values = {0.5F, 2, -3};
  return rows;
}

std::filesystem::path path_of(const char* name) {
  return std::filesystem::path(::testing::TempDir()) / name;
}

TEST(SparseWriter, ComesBack) {
  const auto path = path_of("sparse.npz");
  write_sparse(path, small(), {.overwrite = true});
  EXPECT_EQ(read_sparse(path), small());
  files::expect_error<IoError>([&] { write_sparse(path, small()); }, {"exists already"});
}

TEST(SparseWriter, ASliceStartsAtZero) {
  const auto path = path_of("slice.npz");
  const SparseMatrix rows = small();
  write_sparse(path, rows.view().slice(1, 2), {.overwrite = true});
  const SparseMatrix back = read_sparse(path);
  EXPECT_EQ(back.starts, (std::vector<std::uint64_t>{0, 0, 1}));
  EXPECT_EQ(back.indices, (std::vector<std::uint32_t>{0}));
}

TEST(SparseWriter, TheSameRowsAreTheSameBytes) {
  write_sparse(path_of("one.npz"), small(), {.overwrite = true});
  write_sparse(path_of("two.npz"), small(), {.overwrite = true});
  EXPECT_EQ(files::slurp(path_of("one.npz")), files::slurp(path_of("two.npz")));
}

TEST(SparseWriter, TheEndingMustBeNpz) {
  files::expect_error<InvalidArgument>([] { write_sparse(path_of("x.csv"), small()); }, {".npz"});
}

}  // namespace
}  // namespace mbn
