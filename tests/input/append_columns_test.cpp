// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;
using files::slurp;

TEST(AppendColumns, LinesStayAsTheyAre) {
  const Folder folder;
  const auto append = [&](std::string_view text, bool header) {
    append_columns(folder / "new.csv", folder.put("old.csv", text), header,
                   {{"x", {"1", "a b"}}, {"y", {"2.5", "c"}}}, {.overwrite = true});
    return slurp(folder / "new.csv");
  };
  EXPECT_EQ(append("x;b\r\n \"1;\"; 2\r\n3;4", true),
            "x;b;mbn_x;y\n \"1;\"; 2;1;2.5\n3;4;\"a b\";c\n");
  EXPECT_EQ(append("1,\"2\n\"\n3,4\n\n", false), "1,\"2\n\",1,2.5\n3,4,\"a b\",c\n");
  EXPECT_EQ(append("1 2\n3 4\n", false), "1 2 1 2.5\n3 4 \"a b\" c\n");
}

TEST(AppendColumns, RowsMustBeAsMany) {
  const Folder folder;
  const auto append = [&](std::string_view text) {
    append_columns(folder / "new.csv", folder.put("old.csv", text), false, {{"x", {"1", "2"}}});
  };
  expect_error<InvalidArgument>([&] { append("1,2\n"); }, {"2 rows"});
  expect_error<InvalidArgument>([&] { append("1,2\n3,4\n5,6\n"); }, {"2 rows"});
  EXPECT_FALSE(std::filesystem::exists(folder / "new.csv"));
}

TEST(AppendColumns, OnlyTextGrows) {
  const Folder folder;
  const auto path = folder.put("x.npy", files::npy("<f4", "(1, 1)", std::string(4, '\0')));
  expect_error<InvalidArgument>([&] { check_text_table(path); }, {"no CSV"});
}

}  // namespace
}  // namespace mbn
