// SPDX-License-Identifier: Apache-2.0
#include "input/coded_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include <mbn/error.hpp>

#include "input/missing.hpp"
#include "input/printable.hpp"
#include "input/text_coding.hpp"

namespace mbn {

namespace {

std::string kind_words() {
  return fmt::format("{}", fmt::join(enum_names<ColumnKind>(), ", "));
}

[[noreturn]] void refuse_type(const std::string& type, const std::string& problem) {
  throw InvalidArgument(
      ErrorCode::unknown_choice,
      {option("types", printable(type)),
       fmt::format(": {}; write it like age=number, with one of {}", problem, kind_words())},
      {.option = "types", .value = type});
}

/// Small files must not ask for much memory.
void check_size(std::size_t rows, std::size_t raw_columns, const TableCoding& coding,
                const std::string& file) {
  constexpr std::uint64_t kAlways = 100'000'000;
  constexpr std::uint64_t kWiden = 50;
  const std::uint64_t cells = std::uint64_t{rows} * coded_columns(coding);
  if (cells <= kAlways || cells <= kWiden * rows * raw_columns) return;
  const auto largest = std::ranges::max_element(
      coding, {}, [](const ColumnCoding& column) { return column.levels.size(); });
  const std::string name = largest->name.empty() ? std::to_string(largest - coding.begin() + 1)
                                                 : printable(largest->name);
  throw InvalidArgument(
      ErrorCode::too_large,
      {fmt::format("{}: its categories have so many levels that the rows would have {} columns; "
                   "leave out the one with most, of {} levels, with ",
                   file, coded_columns(coding), largest->levels.size()),
       option("types", name + "=drop")},
      {.option = "types", .path = file});
}

/// The texts of one column in the order of the rows; an empty one where it is missing.
std::vector<std::string> texts_of(MatrixView raw, std::size_t column, const ColumnCoder& coder) {
  std::vector<std::string> texts(raw.rows());
  for (std::size_t i = 0; i < raw.rows(); ++i) {
    const float number = raw.at(i, column);
    if (number >= 0) texts[i] = coder.texts()[static_cast<std::size_t>(number)];
  }
  return texts;
}

TextCoding learn_words(std::span<const std::string> texts, const std::string& name,
                       const std::string& file) {
  try {
    return fit_text_coding(texts);
  } catch (const InvalidArgument&) {
    throw FormatError(ErrorCode::too_small,
                      {fmt::format("{}: no two texts of {} have a word in common; ", file, name),
                       option("types", name + "=drop"), " leaves the column out"},
                      {.path = file});
  }
}

/// Levels and words, for training rows.
void learn_coding(MatrixView raw, CodedCells& cells, const std::string& file) {
  for (std::size_t i = 0, j = 0; i < cells.coding.size(); ++i) {
    ColumnCoding& column = cells.coding[i];
    if (column.is_left_out()) continue;
    if (column.kind == ColumnKind::category) column.levels = cells.coders[j].levels();
    if (column.kind == ColumnKind::text) {
      const std::string name = column.name.empty() ? std::to_string(i + 1) : printable(column.name);
      column.text = learn_words(texts_of(raw, j, cells.coders[j]), name, file);
    }
    ++j;
  }
}

/// Puts the columns that one column of raw cells becomes at `first`.
void widen(MatrixView raw, std::size_t from, const ColumnCoding& column, const ColumnCoder& coder,
           Matrix& rows, std::size_t first) {
  if (column.kind == ColumnKind::text) {
    const Matrix block = code_texts(*column.text, texts_of(raw, from, coder));
    for (std::size_t i = 0; i < raw.rows(); ++i) {
      std::copy_n(block.row<float>(i), block.columns(), rows.mutable_row<float>(i) + first);
    }
    return;
  }
  const bool category = column.kind == ColumnKind::category;
  const std::vector<std::uint32_t> order = category ? coder.order() : std::vector<std::uint32_t>();
  for (std::size_t i = 0; i < raw.rows(); ++i) {
    const float cell = raw.at(i, from);
    float* const to = rows.mutable_row<float>(i) + first;
    if (!category) {
      *to = cell;
    } else if (cell >= 0) {  // neither missing nor unknown
      to[order[static_cast<std::size_t>(cell)]] = 1;
    }
  }
}

Matrix widened(MatrixView raw, const CodedCells& cells) {
  Matrix rows(raw.rows(), coded_columns(cells.coding));
  std::size_t first = 0, from = 0;
  for (const ColumnCoding& column : cells.coding) {
    if (column.is_left_out()) continue;
    widen(raw, from, column, cells.coders[from], rows, first);
    first += column.width();
    ++from;
  }
  return rows;
}

std::string name_or_number(const ColumnCoding& column, std::size_t number) {
  return column.name.empty() ? fmt::format("column {}", number + 1) : printable(column.name);
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  const std::size_t shown = std::min(kMost, names.size());
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
  const std::string list = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return shown < names.size() ? fmt::format("{}, ... ({})", list, names.size()) : list;
}

// "categories colour (3), shape (2); booleans member; dates since; left out as text: comment"
void note_kinds(Table& table, const CodedCells& cells, const std::string& file) {
  std::vector<std::string> categories, booleans, dates, texts, left_out;
  for (std::size_t i = 0; i < cells.coding.size(); ++i) {
    const ColumnCoding& column = cells.coding[i];
    const std::string name = name_or_number(column, i);
    switch (column.kind) {
      case ColumnKind::category:
        categories.push_back(fmt::format("{} ({})", name, column.levels.size()));
        break;
      case ColumnKind::boolean:
        booleans.push_back(name);
        break;
      case ColumnKind::date:
      case ColumnKind::dmy:
      case ColumnKind::mdy:
        dates.push_back(name);
        break;
      case ColumnKind::text:
        if (column.text) {
          texts.push_back(fmt::format("{} ({} words)", name, column.text->words.size()));
        } else {
          left_out.push_back(name);
        }
        break;
      default:
        break;
    }
  }
  std::vector<std::string> parts;
  const auto tell = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) parts.push_back(fmt::format("{} {}", what, some_of(names)));
  };
  tell("categories", categories);
  tell("booleans", booleans);
  tell("dates", dates);
  tell("texts", texts);
  tell("left out as text:", left_out);
  if (parts.empty()) return;
  Message message = fmt::format("{}: {}", file, fmt::join(parts, "; "));
  if (!cells.different.empty()) {
    message += fmt::format("; all cells of {} are different: ", some_of(cells.different));
    message += Message{option("id_column", cells.different.front()), " takes them as row ids"};
  }
  message += Message{"; ", option("types"), " decides otherwise"};
  table.notes.push_back({NoteCode::data_read, std::move(message)});
}

void note_unknown(Table& table, const CodedCells& cells, const std::string& file) {
  std::vector<std::string> columns;
  for (std::size_t i = 0, j = 0; i < cells.coding.size(); ++i) {
    const ColumnCoding& column = cells.coding[i];
    if (column.is_left_out()) continue;
    const ColumnCoder& coder = cells.coders[j++];
    if (coder.unknown() == 0) continue;
    columns.push_back(fmt::format("{} ({} cell{}, '{}')", name_or_number(column, i),
                                  coder.unknown(), coder.unknown() == 1 ? "" : "s",
                                  printable(coder.unknown_level())));
  }
  if (columns.empty()) return;
  table.notes.push_back(
      {NoteCode::data_read,
       fmt::format("{} has categories that the training rows did not have, and which count as none "
                   "of theirs: {}",
                   file, some_of(columns))});
}

void note_heavy_tails(Table& table, const std::string& file) {
  std::vector<std::string> names;
  std::string types;
  for (std::size_t i = 0; const ColumnProfile& column : profile_columns(table)) {
    ++i;
    if (!column.heavy_tailed) continue;
    names.push_back(column.name.empty() ? fmt::format("column {}", i) : printable(column.name));
    types += fmt::format("{}{}=log", types.empty() ? "" : ",",
                         column.name.empty() ? std::to_string(i) : column.name);
  }
  if (names.empty()) return;
  table.notes.push_back(
      {NoteCode::data_read,
       {fmt::format("{}: few rows have by far the largest values of {}; ", file, some_of(names)),
        option("types", types), " takes logarithms"}});
}

}  // namespace

std::vector<std::optional<ColumnKind>> chosen_kinds(const ColumnList& columns,
                                                    const std::vector<std::string>& types) {
  std::vector<std::optional<ColumnKind>> kinds(columns.count);
  for (const std::string& type : types) {
    const std::size_t at = type.rfind('=');
    if (at == std::string::npos || at == 0) refuse_type(type, "it has no column or no kind");
    const auto kind = value_named<ColumnKind>(type.substr(at + 1));
    if (!kind) {
      refuse_type(type, fmt::format("'{}' is not a kind", printable(type.substr(at + 1))));
    }
    const std::vector<bool> chosen = chosen_columns(columns, "types", {type.substr(0, at)});
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) kinds[i] = kind;
    }
  }
  return kinds;
}

std::vector<std::optional<std::size_t>> places_of(const TableCoding& coding,
                                                  const std::vector<std::string>& names,
                                                  std::size_t count, const std::string& file) {
  std::vector<std::optional<std::size_t>> places(coding.size());
  std::vector<std::string> known;
  for (const ColumnCoding& column : coding) known.push_back(column.name);
  // Without names on one side, or with the same on both, columns go by position.
  const bool by_name = !names.empty() && !coded_names(coding).empty() && names != known;
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (by_name && std::ranges::adjacent_find(sorted) != sorted.end()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("{} has not the columns of the model in its order, and some names are there "
                    "twice, so that they cannot be put in order; the model's order is: {}",
                    file, list_of(known)),
        {.path = file});
  }
  if (by_name) {
    std::vector<std::string> missing, unknown;
    for (std::size_t i = 0; i < coding.size(); ++i) {
      const auto found = std::ranges::find(names, coding[i].name);
      if (found != names.end()) {
        places[i] = static_cast<std::size_t>(found - names.begin());
      } else if (coding[i].width() > 0) {
        missing.push_back(coding[i].name);
      }
    }
    for (const std::string& name : names) {
      if (std::ranges::find(coding, name, &ColumnCoding::name) == coding.end()) {
        unknown.push_back(name);
      }
    }
    if (!missing.empty() || !unknown.empty()) refuse_columns(file, missing, unknown);
    return places;
  }
  const auto taken =
      std::ranges::count_if(coding, [](const ColumnCoding& column) { return column.width() > 0; });
  const bool all = count == coding.size();
  if (!all && count != static_cast<std::size_t>(taken)) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("{} has {} columns, but the model was trained on {}{}; give those, in the same "
                    "order",
                    file, count, coding.size(),
                    static_cast<std::size_t>(taken) == coding.size()
                        ? ""
                        : fmt::format(", of which {} are not left out", taken)),
        {.path = file});
  }
  for (std::size_t i = 0, next = 0; i < coding.size(); ++i) {
    if (all || coding[i].width() > 0) places[i] = next++;
  }
  return places;
}

Table code_table(CodedCells cells, const ReadOptions& options, const std::string& file) {
  Table table = std::move(cells.table);
  if (options.missing == Missing::drop || options.missing == Missing::refuse) {
    table = settle_missing(std::move(table), options, file);
  }
  const bool named = !table.columns.empty();
  if (!cells.known) learn_coding(table.rows.dense(), cells, file);
  const auto is_plain = [](const ColumnCoding& column) {
    return column.kind == ColumnKind::number;
  };
  if (std::ranges::all_of(cells.coding, is_plain)) return table;
  check_size(table.rows.rows(), table.rows.columns(), cells.coding, file);
  if (!blocks_of(cells.coding).empty()) table.rows = widened(table.rows.dense(), cells);
  table.columns = named ? coded_names(cells.coding) : std::vector<std::string>();
  if (cells.known) {
    note_unknown(table, cells, file);
  } else {
    note_kinds(table, cells, file);
  }
  table.coding = std::move(cells.coding);
  if (!cells.known && is_mixed(table.coding)) note_heavy_tails(table, file);
  return table;
}

}  // namespace mbn
