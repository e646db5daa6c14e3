// SPDX-License-Identifier: Apache-2.0
#include "input/bad_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "input/column_coder.hpp"
#include "input/missing.hpp"
#include "input/printable.hpp"

namespace mbn {

std::string BadCell::reason() const {
  switch (kind) {
    case CellKind::missing:
      return (text.empty() ? "the cell is empty"
                           : fmt::format("the value is missing ('{}')", text)) +
             (missing > 1 ? fmt::format(", and {} more", missing - 1) : "");
    case CellKind::not_finite:
      return fmt::format("'{}' is not finite", text);
    case CellKind::too_large:
      return fmt::format("'{}' is too large for a float32", text);
    default:
      return fmt::format("'{}' {}", text, why_not(holds));
  }
}

void BadCells::add(const Record& record, std::size_t column, CellKind kind, ColumnKind holds) {
  if (!place_[column]) {
    place_[column] = cells_.size();
    cells_.push_back({.column = column, .kind = CellKind::missing});
  }
  BadCell& cell = cells_[*place_[column]];
  const bool missing = kind == CellKind::missing;
  if (missing) ++cell.missing;
  if (cell.line > 0 && (missing || !cell.is_missing())) return;
  const std::string_view text = record.cells[column];
  const bool word = kind == CellKind::word && holds == ColumnKind::number;
  cell = {record.line,
          column,
          kind,
          holds,
          printable(text),
          word && is_number_with(text, Decimal::comma),
          word && is_number_with(text, Decimal::point),
          cell.missing};
}

bool BadCells::all_missing() const {
  return std::ranges::all_of(cells_, &BadCell::is_missing);
}

const char* BadCells::what() const {
  if (all_missing()) return "have missing values";
  const bool numbers = std::ranges::all_of(
      cells_, [](const BadCell& cell) { return cell.holds == ColumnKind::number; });
  return numbers ? "have cells that are not numbers" : "have cells that do not belong there";
}

void BadCells::check(const std::string& file, const TableColumns& columns) const {
  if (cells_.empty()) return;
  const BadCell& first = cells_.front();
  Message message = cells_.size() == 1 ? fmt::format("{}:{}: {}: {}", file, first.line,
                                                     columns.describe(first.column), first.reason())
                                       : fmt::format("{}:{}: {} columns {}: {}", file, first.line,
                                                     cells_.size(), what(), list(columns));
  message += advice(columns);
  throw FormatError(ErrorCode::bad_value, std::move(message),
                    {.path = file, .place = {.line = first.line, .column = first.column + 1}});
}

std::string BadCells::list(const TableColumns& columns) const {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(cells_.size(), kMost); ++i) {
    text += fmt::format("{}{} (line {}: {})", i > 0 ? ", " : "", columns.describe(cells_[i].column),
                        cells_[i].line, cells_[i].reason());
  }
  return cells_.size() > kMost ? text + ", ..." : text;
}

// Numbers written in another way are a matter of one option, and so are missing ones.
Message BadCells::advice(const TableColumns& columns) const {
  const bool comma = std::ranges::any_of(cells_, &BadCell::with_comma);
  const bool point = std::ranges::any_of(cells_, &BadCell::with_point);
  Message message;
  if (all_missing()) message += missing_advice();
  if (comma) message += Message{"; read decimal commas with ", option("decimal", "comma")};
  if (point) message += Message{"; read marks between thousands with ", option("decimal", "point")};
  if (!comma && !point) message += advice_to_leave_out(columns);
  return message;
}

Message BadCells::advice_to_leave_out(const TableColumns& columns) const {
  std::string words;
  const BadCell* word = nullptr;
  bool missing = false;
  for (const BadCell& cell : cells_) {
    missing = missing || cell.is_missing();
    if (!words.empty()) words += ',';
    words += columns.word_for(cell.column);
    if (cell.kind == CellKind::word && word == nullptr) word = &cell;
  }
  Message message{cells_.size() == 1 ? "; leave the column out with " : "; leave them out with ",
                  option("drop", words)};
  if (word != nullptr) {
    const std::string name = columns.word_for(word->column);
    message += Message{", or, if they are row ids or labels, name them with ",
                       option("id_column", name), " or ", option("label_column", name)};
    message += advice_on_types(columns);
  } else if (!missing) {
    message += ", or fill or remove such rows first";
  }
  if (missing && !all_missing()) {
    message += Message{"; for missing values there are ", option("missing", "mean"), " and ",
                       option("missing", "drop")};
  }
  return message;
}

// A category of too many words can only be left out, and so can any column that is one already.
Message BadCells::advice_on_types(const TableColumns& columns) const {
  std::string types;
  bool dates = false;
  for (const BadCell& cell : cells_) {
    if (cell.kind != CellKind::word || cell.holds == ColumnKind::category) continue;
    if (!types.empty()) types += ',';
    types += columns.word_for(cell.column) + "=category";
    dates = dates || cell.holds == ColumnKind::date || cell.holds == ColumnKind::dmy ||
            cell.holds == ColumnKind::mdy;
  }
  if (types.empty()) return {};
  Message message{"; words are taken as categories with ", option("types", types)};
  if (dates) message += ", and dates in one order with =dmy or =mdy in its place";
  return message;
}

}  // namespace mbn
