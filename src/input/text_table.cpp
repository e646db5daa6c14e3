// SPDX-License-Identifier: Apache-2.0
//
// Everything is decided on the first line: how many cells a line has, which of them are labels or
// row ids, and whether it is a header. It is a header when the label or id column was given by a
// name that stands in it, or when a cell of a data column is a word. Signs for a missing value
// (empty, ?, NA) are not words, so that a bad first row is reported and not taken for a header.
// After that the lines are read one record at a time.
#include "input/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include <mbn/error.hpp>

#include "input/label_collector.hpp"
#include "input/parse_number.hpp"
#include "input/printable.hpp"
#include "input/record_reader.hpp"

namespace mbn {
namespace {

struct Columns {
  std::vector<std::string> first_line;
  std::vector<std::size_t> features;
  std::optional<std::size_t> label;
  std::optional<std::size_t> id;
  bool has_header = false;

  std::size_t count() const { return first_line.size(); }

  /// How to call a column in a message.
  std::string describe(std::size_t column) const {
    if (!has_header) return fmt::format("column {}", column + 1);
    return fmt::format("column '{}' ({})", printable(first_line[column]), column + 1);
  }
};

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 30;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    if (i > 0) text += ", ";
    text += printable(names[i]);
  }
  return names.size() > kMostNames ? text + ", ..." : text;
}

/// A column by its number: from 1, or from the end with a minus. Nothing when `wanted` is a name.
std::optional<std::size_t> column_by_number(const std::string& file, const char* option,
                                            const std::string& wanted, std::size_t columns) {
  long long number = 0;
  const char* end = wanted.data() + wanted.size();
  const auto parsed = std::from_chars(wanted.data(), end, number);
  if (parsed.ptr != end || parsed.ec == std::errc::invalid_argument) return std::nullopt;
  const auto count = static_cast<long long>(columns);
  if (parsed.ec != std::errc() || number == 0 || number > count || number < -count) {
    throw InvalidArgument(
        ErrorCode::not_found,
        {mbn::option(option, printable(wanted)),
         fmt::format(": {} has {} columns; give a number from 1 to {} or -1 to -{}", file, columns,
                     columns, columns)},
        {.option = option, .value = wanted, .path = file});
  }
  return static_cast<std::size_t>(number > 0 ? number - 1 : count + number);
}

std::size_t column_by_name(const std::string& file, const char* option, const std::string& wanted,
                           const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) {
    throw InvalidArgument(
        ErrorCode::not_found,
        {mbn::option(option, printable(wanted)),
         fmt::format(": the first line of {} has no such name; it has: {}", file, list_of(names))},
        {.option = option, .value = wanted, .path = file});
  }
  if (std::find(found + 1, names.end(), wanted) != names.end()) {
    throw InvalidArgument(
        ErrorCode::not_found,
        {mbn::option(option, printable(wanted)),
         fmt::format(": several columns of {} have that name; give the number of one", file)},
        {.option = option, .value = wanted, .path = file});
  }
  return static_cast<std::size_t>(found - names.begin());
}

Columns find_columns(const RecordReader& reader, const ReadOptions& options) {
  Columns columns;
  columns.first_line.assign(reader.cells().begin(), reader.cells().end());
  const auto find = [&](const char* option,
                        const std::string& wanted) -> std::optional<std::size_t> {
    if (wanted.empty()) return std::nullopt;
    if (const auto number = column_by_number(reader.name(), option, wanted, columns.count())) {
      return number;
    }
    const auto column = column_by_name(reader.name(), option, wanted, columns.first_line);
    columns.has_header = true;
    return column;
  };
  columns.label = find("label_column", options.label_column);
  columns.id = find("id_column", options.id_column);
  if (columns.label && columns.label == columns.id) {
    throw InvalidArgument(
        ErrorCode::conflict,
        {option("label_column"), " and ", option("id_column"),
         fmt::format(" are both column {} of {}; they must differ", *columns.label + 1,
                     reader.name())},
        {.option = "label_column", .value = options.label_column, .path = reader.name()});
  }
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (i == columns.label || i == columns.id) continue;
    columns.features.push_back(i);
    if (parse_cell(columns.first_line[i]).kind == CellKind::word) columns.has_header = true;
  }
  if (columns.features.empty()) {
    reader.fail("no columns of numbers are left beside the label and id columns");
  }
  return columns;
}

[[noreturn]] void fail_cell(const RecordReader& reader, const Columns& columns, std::size_t column,
                            CellKind kind) {
  const std::string where = columns.describe(column);
  const std::string text = printable(reader.cells()[column]);
  switch (kind) {
    case CellKind::missing:
      reader.fail_cell(
          column, text.empty()
                      ? fmt::format("{}: the cell is empty; fill or remove such rows", where)
                      : fmt::format("{}: the value is missing ('{}'); fill or remove such rows",
                                    where, text));
    case CellKind::not_finite:
      reader.fail_cell(column, fmt::format("{}: '{}' is not finite; clean or fill such cells first",
                                           where, text));
    case CellKind::too_large:
      reader.fail_cell(
          column,
          fmt::format("{}: '{}' is too large for a float32; rescale the column", where, text));
    default:
      reader.fail_cell(
          column,
          fmt::format(
              "{}: '{}' is not a number (digits with a point); if the column holds labels or row "
              "ids, name it as the label or id column",
              where, text));
  }
}

void add_row(const RecordReader& reader, const Columns& columns, std::vector<float>& cells,
             LabelCollector& labels, std::vector<std::string>& ids) {
  const auto& texts = reader.cells();
  if (texts.size() != columns.count()) {
    reader.fail(
        fmt::format("the line has {} cells, but line 1 has {}; give every line the same number",
                    texts.size(), columns.count()));
  }
  for (const std::size_t column : columns.features) {
    const Cell cell = parse_cell(texts[column]);
    if (cell.kind != CellKind::number) fail_cell(reader, columns, column, cell.kind);
    cells.push_back(cell.value);
  }
  if (columns.label) {
    if (texts[*columns.label].empty()) {
      reader.fail_cell(*columns.label,
                       fmt::format("{}: the label is missing; fill or remove such rows",
                                   columns.describe(*columns.label)));
    }
    labels.add(texts[*columns.label]);
  }
  if (columns.id) ids.emplace_back(texts[*columns.id]);
}

}  // namespace

Table read_text_table(ByteSource& source, const ReadOptions& options) {
  RecordReader reader(source, RecordReader::Otherwise::spaces);
  if (!reader.next()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: the file is empty; give at least one row", source.name()),
                      {.path = source.name()});
  }
  const Columns columns = find_columns(reader, options);
  Table table;
  const auto cells = std::make_shared<std::vector<float>>();
  LabelCollector labels;
  if (!columns.has_header) add_row(reader, columns, *cells, labels, table.ids);
  while (reader.next()) add_row(reader, columns, *cells, labels, table.ids);
  if (cells->empty()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: there is a header line ({}) but no row below it; give at "
                                  "least one row of numbers",
                                  source.name(), list_of(columns.first_line)),
                      {.path = source.name()});
  }
  const std::size_t width = columns.features.size();
  table.rows = Matrix(cells, MatrixView(cells->data(), cells->size() / width, width));
  if (columns.label) table.labels = labels.finish();
  if (columns.has_header) {
    for (const std::size_t column : columns.features) {
      table.columns.push_back(columns.first_line[column]);
    }
  }
  return table;
}

Labels read_text_labels(ByteSource& source) {
  RecordReader reader(source, RecordReader::Otherwise::nothing);
  const auto last_cell = [&] {
    if (reader.cells().back().empty()) {
      reader.fail("the label is missing; give one in every line");
    }
    return reader.cells().back();
  };
  if (!reader.next()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: the file is empty; give one label per line", source.name()),
                      {.path = source.name()});
  }
  const std::size_t width = reader.cells().size();
  const std::string first(last_cell());
  LabelCollector labels;
  while (reader.next()) {
    if (reader.cells().size() != width) {
      reader.fail(
          fmt::format("the line has {} cells, but line 1 has {}; give every line the same number",
                      reader.cells().size(), width));
    }
    labels.add(last_cell());
  }
  const bool is_header =
      parse_cell(first).kind != CellKind::number && labels.size() > 0 && labels.all_integers();
  if (!is_header) labels.add_first(first);
  return labels.finish();
}

}  // namespace mbn
