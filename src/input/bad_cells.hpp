// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <mbn/column_coding.hpp>
#include <mbn/error.hpp>

#include "input/parse_number.hpp"
#include "input/sampled_records.hpp"
#include "input/table_columns.hpp"

namespace mbn {

/// The first cell of a column that is not what the column holds; a missing one only when all others
/// are.
struct BadCell {
  std::size_t line = 0;
  std::size_t column = 0;
  CellKind kind = CellKind::word;
  ColumnKind holds = ColumnKind::number;
  std::string text{};
  bool with_comma = false;  ///< a number, if only the decimal were a comma
  bool with_point = false;  ///< a number with marks between thousands
  std::size_t missing = 0;  ///< how many cells of the column are

  bool is_missing() const { return kind == CellKind::missing; }
  std::string reason() const;
};

/// Columns with such cells, in the order in which they were met.
class BadCells {
 public:
  explicit BadCells(std::size_t columns) : place_(columns) {}

  void add(const Record& record, std::size_t column, CellKind kind, ColumnKind holds);
  /// FormatError that names all of them, and the options that help.
  void check(const std::string& file, const TableColumns& columns) const;

 private:
  bool all_missing() const;
  std::string list(const TableColumns& columns) const;
  const char* what() const;
  Message advice(const TableColumns& columns) const;
  Message advice_to_leave_out(const TableColumns& columns) const;
  Message advice_on_types(const TableColumns& columns) const;

  std::vector<std::optional<std::size_t>> place_;  // of a column's cell
  std::vector<BadCell> cells_;
};

}  // namespace mbn
