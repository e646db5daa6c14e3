// SPDX-License-Identifier: Apache-2.0
#include "input/shell_line.hpp"

#include <gtest/gtest.h>

namespace mbn {
namespace {

TEST(ShellLine, NamesAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(shell_word("data/rows-1.csv"), "data/rows-1.csv");
  EXPECT_EQ(shell_word("Übung.csv"), "Übung.csv");
  EXPECT_EQ(shell_word("my rows.csv"), "'my rows.csv'");
  EXPECT_EQ(shell_word("$HOME;rm"), "'$HOME;rm'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(python_line("import sys", "a b"), "python3 -c \"import sys\" 'a b'");
}

}  // namespace
}  // namespace mbn
