// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/input.hpp>

namespace mbn {

/// The columns of one file, for options that choose some of them.
struct ColumnList {
  const std::string& file;
  std::size_t count = 0;
  const std::vector<std::string>& names;  ///< one for each column, or none

  /// A column by its number (from 1, or from the end with a minus), nothing when `word` is no
  /// number; by its name. InvalidArgument, naming `option`, when there is no such column.
  std::optional<std::size_t> by_number(const char* option, const std::string& word) const;
  std::size_t by_name(const char* option, const std::string& word) const;
};

/// The columns that the words of an option choose: a name, a number, a range (2-5, first:last) or a
/// pattern (gene_*) each. True for a chosen column. InvalidArgument when a word chooses none.
std::vector<bool> chosen_columns(const ColumnList& columns, const char* option,
                                 const std::vector<std::string>& words);

/// The table with only the columns that `columns` and `drop` of the options leave.
Table choose_columns(Table table, const ReadOptions& options, const std::string& file);

/// InvalidArgument: these columns of a model are missing in a table, and those it does not know.
[[noreturn]] void refuse_columns(const std::string& file, const std::vector<std::string>& missing,
                                 const std::vector<std::string>& unknown);

/// "a, b, c, ...": what can be printed of the first names.
std::string list_of(const std::vector<std::string>& names);

}  // namespace mbn
