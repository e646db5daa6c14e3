// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <mbn/input.hpp>

#include "input/column_choice.hpp"
#include "input/column_coder.hpp"
#include "input/column_guess.hpp"

namespace mbn {

/// The kinds that ReadOptions::types gives, one for each column or nothing. InvalidArgument when
/// one is not like "age=number", or chooses no column.
std::vector<std::optional<ColumnKind>> chosen_kinds(const ColumnList& columns,
                                                    const std::vector<std::string>& types);

/// Where the columns of a model's coding stand in a table of `count` columns with these names, or
/// none: its number, or nothing for one that is left out and not there. By names where both have
/// them, else by position. InvalidArgument that tells which are missing or unknown.
std::vector<std::optional<std::size_t>> places_of(const TableCoding& coding,
                                                  const std::vector<std::string>& names,
                                                  std::size_t count, const std::string& file);

/// A table whose rows hold what `coders` gave, one for each column that is not left out.
struct CodedCells {
  Table table;                      ///< its columns have the names of the file, or none
  TableCoding coding;               ///< all columns; the levels of categories come from the coders
  std::vector<ColumnCoder> coders;  ///< one for each column of the rows
  std::vector<std::string> different{};  ///< columns of text in which all cells are different
  bool known = false;                    ///< the coding is that of a model
};

/// Drops or refuses rows with missing cells where the options say so, gives categories a column for
/// each level, and tells what became of the columns. Of missing cells in categories nothing is left
/// but zeros; those in numbers stay NaN.
Table code_table(CodedCells cells, const ReadOptions& options, const std::string& file);

}  // namespace mbn
