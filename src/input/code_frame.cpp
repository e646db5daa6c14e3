// SPDX-License-Identifier: Apache-2.0
//
// The same steps as for a text table, for columns that are in memory already.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/coded_table.hpp"
#include "input/column_choice.hpp"
#include "input/column_coder.hpp"
#include "input/column_guess.hpp"
#include "input/missing.hpp"
#include "input/printable.hpp"

namespace mbn {

namespace {

std::size_t length_of(const FrameColumn& column) {
  return std::max(column.numbers.size(), column.texts.size());
}

std::string called(const FrameColumn& column, std::size_t number) {
  return column.name.empty() ? fmt::format("column {}", number + 1)
                             : fmt::format("column '{}' ({})", printable(column.name), number + 1);
}

std::string word_for(const FrameColumn& column, std::size_t number) {
  return column.name.empty() ? std::to_string(number + 1) : printable(column.name);
}

ColumnGuess guess_of(const FrameColumn& column, std::optional<ColumnKind> given,
                     const ReadOptions& options) {
  ColumnGuesser guesser(options.decimal);
  const std::size_t rows = std::min(column.texts.size(), kSampleRows);
  for (std::size_t i = 0; i < rows; ++i) guesser.add(column.texts[i], i + 1);
  return given == ColumnKind::date ? guesser.guess_date() : guesser.guess();
}

ColumnKind kind_of(const FrameColumn& column, std::size_t number, std::optional<ColumnKind> given,
                   const ReadOptions& options, const std::string& name,
                   std::vector<std::string>& different) {
  if (!given) given = column.kind;
  if (column.texts.empty()) return given.value_or(ColumnKind::number);
  if (given && given != ColumnKind::date) return *given;
  const ColumnGuess guess = guess_of(column, given, options);
  if (guess.all_different) different.push_back(word_for(column, number));
  if (guess.ambiguous.empty()) return guess.kind;
  const std::string word = word_for(column, number);
  throw FormatError(ErrorCode::bad_value,
                    {fmt::format("{}: {}: the dates can be read in two ways ({}); ", name,
                                 called(column, number), guess.ambiguous),
                     option("types", word + "=dmy"), " takes the day first, ",
                     option("types", word + "=mdy"), " the month"},
                    {.path = name, .place = {.row = guess.ambiguous_at, .column = number + 1}});
}

[[noreturn]] void refuse_cell(const FrameColumn& column, std::size_t number, std::size_t row,
                              CellKind cell, ColumnKind kind, const std::string& name) {
  const std::string seen =
      column.texts.empty() ? fmt::to_string(column.numbers[row]) : printable(column.texts[row]);
  const std::string problem = cell == CellKind::too_large    ? "is too large for a float32"
                              : cell == CellKind::not_finite ? "is not finite"
                                                             : why_not(kind);
  const std::string word = word_for(column, number);
  Message message = fmt::format("{}: row {} of {}: '{}' {}; ", name, row + 1,
                                called(column, number), seen, problem);
  if (kind != ColumnKind::category && cell == CellKind::word) {
    message += Message{option("types", word + "=category"), " takes the words as categories, and "};
  }
  message += Message{option("types", word + "=drop"), " leaves the column out"};
  throw FormatError(ErrorCode::bad_value, std::move(message),
                    {.path = name, .place = {.row = row + 1, .column = number + 1}});
}

/// Writes the coded cells of one column of the frame to column `to` of the rows.
void code_column(const FrameColumn& column, std::size_t number, ColumnCoder& coder, std::size_t to,
                 Matrix& rows, const std::string& name) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const Cell cell =
        column.texts.empty() ? coder.code(column.numbers[i]) : coder.code(column.texts[i]);
    const bool missing = cell.kind == CellKind::missing;
    if (!missing && cell.kind != CellKind::number) {
      refuse_cell(column, number, i, cell.kind, coder.kind(), name);
    }
    rows.mutable_row<float>(i)[to] = missing ? std::numeric_limits<float>::quiet_NaN() : cell.value;
  }
}

void check_frame(const std::vector<FrameColumn>& columns, const std::string& name) {
  const std::size_t rows = columns.empty() ? 0 : length_of(columns.front());
  const bool same = std::ranges::all_of(
      columns, [&](const FrameColumn& column) { return length_of(column) == rows; });
  if (rows > 0 && same) return;
  throw InvalidArgument(
      ErrorCode::does_not_fit,
      fmt::format("{} must have a column and a row at least, and as many cells in each column",
                  name),
      {.path = name});
}

std::vector<std::string> names_of(const std::vector<FrameColumn>& columns) {
  std::vector<std::string> names;
  for (const FrameColumn& column : columns) names.push_back(column.name);
  const bool named =
      std::ranges::any_of(names, [](const std::string& name) { return !name.empty(); });
  return named ? names : std::vector<std::string>();
}

/// The columns that `columns` and `drop` of the options leave.
std::vector<FrameColumn> chosen(std::vector<FrameColumn> columns, const ReadOptions& options,
                                const std::string& name) {
  if (options.columns.empty() && options.drop.empty()) return columns;
  const std::vector<std::string> names = names_of(columns);
  const ColumnList list{name, columns.size(), names};
  std::vector<bool> taken(columns.size(), true);
  if (!options.columns.empty()) taken = chosen_columns(list, "columns", options.columns);
  const std::vector<bool> dropped = chosen_columns(list, "drop", options.drop);
  std::vector<FrameColumn> left;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (taken[i] && !dropped[i]) left.push_back(std::move(columns[i]));
  }
  return left;
}

}  // namespace

Table code_frame(std::vector<FrameColumn> given, const ReadOptions& options,
                 const std::string& name) {
  const std::vector<FrameColumn> columns = chosen(std::move(given), options, name);
  check_frame(columns, name);
  const std::vector<std::string> names = names_of(columns);
  CodedCells cells;
  cells.known = options.coding && !options.coding->empty();
  std::vector<std::size_t> taken;
  if (cells.known) {
    cells.coding = *options.coding;
    const auto places = places_of(cells.coding, names, columns.size(), name);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (cells.coding[i].width() > 0) taken.push_back(*places[i]);
    }
  } else {
    const auto types = chosen_kinds({name, columns.size(), names}, options.types);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const ColumnKind kind = kind_of(columns[i], i, types[i], options, name, cells.different);
      cells.coding.push_back({columns[i].name, kind, {}});
      if (types[i] == ColumnKind::text) cells.coding.back().text.emplace();
      if (!cells.coding.back().is_left_out()) taken.push_back(i);
    }
  }
  if (taken.empty()) {
    throw FormatError(
        ErrorCode::too_small,
        {fmt::format("{}: all columns hold texts, and no numbers or categories are left; ", name),
         option("types", word_for(columns[0], 0) + "=text"), " makes numbers of the words of one"},
        {.path = name});
  }
  for (const ColumnCoding& column : cells.coding) {
    if (column.is_left_out()) continue;
    cells.coders.emplace_back(column, cells.known, options.decimal);
  }
  Matrix rows(length_of(columns[0]), taken.size());
  for (std::size_t j = 0; j < taken.size(); ++j) {
    code_column(columns[taken[j]], taken[j], cells.coders[j], j, rows, name);
    if (!names.empty()) cells.table.columns.push_back(names[taken[j]]);
  }
  cells.table.rows = std::move(rows);
  return settle_missing(code_table(std::move(cells), options, name), options, name);
}

}  // namespace mbn
