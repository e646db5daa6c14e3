// SPDX-License-Identifier: Apache-2.0
//
// Everything is decided on the first line: how many cells a line has, which of them are labels or
// row ids, and whether it is a header. It is a header when a column was given by a name that stands
// in it, or when a cell of a data column is a word. Signs for a missing value (empty, ?, NA) are
// not words, so that a bad first row is reported and not taken for a header. A header whose first
// cell is empty is what pandas and R write above row names. After that the lines are read one
// record at a time. Cells that are no numbers are collected, so that one message names all columns
// that have some; missing ones only when they are refused, and otherwise they are NaN for now.
#include "input/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <utility>

#include <mbn/error.hpp>

#include "base/utf8.hpp"
#include "input/column_choice.hpp"
#include "input/label_collector.hpp"
#include "input/missing.hpp"
#include "input/parse_number.hpp"
#include "input/printable.hpp"
#include "input/record_reader.hpp"

namespace mbn {
namespace {

/// Names from files in Latin-1 become UTF-8, as models and Python want them.
std::string name_in_utf8(std::string_view text) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const Character character = first_character(rest);
    if (character.bytes == 0) {
      result.clear();
      for (const char letter : text) append_character(result, static_cast<unsigned char>(letter));
      return result;
    }
    result.append(rest.substr(0, character.bytes));
    rest.remove_prefix(character.bytes);
  }
  return result;
}

struct Columns {
  std::vector<std::string> first_line;
  std::vector<std::size_t> features;
  std::optional<std::size_t> label;
  std::vector<std::size_t> ids;
  bool has_header = false;
  bool nameless_ids = false;  ///< nobody said so: the first column has no name

  std::size_t count() const { return first_line.size(); }
  bool is_id(std::size_t column) const { return std::ranges::find(ids, column) != ids.end(); }

  /// How to call a column in a message.
  std::string describe(std::size_t column) const {
    if (!has_header) return fmt::format("column {}", column + 1);
    return fmt::format("column '{}' ({})", printable(first_line[column]), column + 1);
  }
  /// How to choose a column with an option.
  std::string word_for(std::size_t column) const {
    const std::string& name = first_line[column];
    const bool plain = has_header && !name.empty() && std::ranges::count(first_line, name) == 1 &&
                       name == printable(name) && name.find_first_of(",*'") == std::string::npos;
    return plain ? name : std::to_string(column + 1);
  }
};

/// Whether a word that chooses columns needs names: it is more than numbers and their ranges, or
/// counts beyond the last column.
bool is_name(const std::string& word, std::size_t columns) {
  if (word.find_first_not_of("0123456789:-") != std::string::npos) return true;
  std::size_t number = 0;
  const char* end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, number);
  return parsed.ptr == end && (parsed.ec != std::errc() || number > columns);
}

/// "0", "1", "2", ... after an empty cell: pandas' names for columns that have none.
bool counts_up(const std::vector<std::string>& line) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != std::to_string(i - 1)) return false;
  }
  return line.size() > 1;
}

class FirstLine {
 public:
  FirstLine(const RecordReader& reader, const ReadOptions& options)
      : reader_(reader), options_(options) {
    for (const std::string_view cell : reader.cells()) {
      columns_.first_line.push_back(name_in_utf8(cell));
    }
  }

  Columns decide() {
    find_labels_and_ids();
    const auto needs_names = [&](const std::string& word) {
      return is_name(word, columns_.count());
    };
    const bool named = columns_.has_header || std::ranges::any_of(options_.columns, needs_names) ||
                       std::ranges::any_of(options_.drop, needs_names);
    const bool row_names = options_.id_column.empty() && columns_.first_line[0].empty();
    columns_.has_header = named || has_word(everything()) || (row_names && counts_up(names()));
    take_row_names(row_names);
    columns_.features = features();
    if (!named && !columns_.nameless_ids) columns_.has_header = has_word(columns_.features);
    if (columns_.features.empty()) {
      reader_.fail("no columns of numbers are left beside those that are left out");
    }
    return std::move(columns_);
  }

 private:
  const std::vector<std::string>& names() const { return columns_.first_line; }

  std::size_t find(const char* option, const std::string& word) {
    const ColumnList list{reader_.name(), columns_.count(), names()};
    if (const auto number = list.by_number(option, word)) return *number;
    columns_.has_header = true;
    return list.by_name(option, word);
  }

  void find_labels_and_ids() {
    if (!options_.label_column.empty()) {
      columns_.label = find("label_column", options_.label_column);
    }
    for (const std::string& word : options_.id_column) {
      columns_.ids.push_back(find("id_column", word));
      if (columns_.label != columns_.ids.back()) continue;
      throw InvalidArgument(
          ErrorCode::conflict,
          {option("label_column"), " and ", option("id_column"),
           fmt::format(" are both column {} of {}; they must differ", *columns_.label + 1,
                       reader_.name())},
          {.option = "label_column", .value = options_.label_column, .path = reader_.name()});
    }
  }

  std::vector<std::size_t> everything() const {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < columns_.count(); ++i) {
      if (i != columns_.label && !columns_.is_id(i)) others.push_back(i);
    }
    return others;
  }

  bool has_word(const std::vector<std::size_t>& some) const {
    return std::ranges::any_of(some, [&](std::size_t i) {
      return parse_cell(names()[i], options_.decimal).kind == CellKind::word;
    });
  }

  std::vector<bool> chosen(const char* option, const std::vector<std::string>& words) const {
    const std::vector<std::string> none;
    return chosen_columns({reader_.name(), columns_.count(), columns_.has_header ? names() : none},
                          option, words);
  }

  // The first column, unless somebody wants it as numbers.
  void take_row_names(bool possible) {
    if (!possible || !columns_.has_header || columns_.label == std::size_t{0}) return;
    if (!options_.columns.empty() && chosen("columns", options_.columns)[0]) return;
    if (columns_.count() < 2) return;
    columns_.ids = {0};
    columns_.nameless_ids = true;
  }

  std::vector<std::size_t> features() const {
    std::vector<bool> taken(columns_.count(), true);
    if (!options_.columns.empty()) taken = chosen("columns", options_.columns);
    const std::vector<bool> dropped = chosen("drop", options_.drop);
    std::vector<std::size_t> left;
    for (const std::size_t i : everything()) {
      if (taken[i] && !dropped[i]) left.push_back(i);
    }
    return left;
  }

  const RecordReader& reader_;
  const ReadOptions& options_;
  Columns columns_;
};

/// The first cell of a column that is not a number; a missing one only when all others are numbers.
struct BadCell {
  std::size_t line = 0;
  std::size_t column = 0;
  CellKind kind = CellKind::word;
  std::string text{};
  bool with_comma = false;  ///< a number, if only the decimal were a comma
  bool with_point = false;  ///< a number with marks between thousands
  std::size_t missing = 0;  ///< how many cells of the column are

  bool is_missing() const { return kind == CellKind::missing; }

  std::string reason() const {
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
        return fmt::format("'{}' is not a number (digits with a point)", text);
    }
  }
};

/// Columns with cells that are not numbers, in the order in which they were met.
class BadCells {
 public:
  explicit BadCells(std::size_t columns) : place_(columns) {}

  void add(const RecordReader& reader, std::size_t column, CellKind kind) {
    if (!place_[column]) {
      place_[column] = cells_.size();
      cells_.push_back({.column = column, .kind = CellKind::missing});
    }
    BadCell& cell = cells_[*place_[column]];
    const bool missing = kind == CellKind::missing;
    if (missing) ++cell.missing;
    if (cell.line > 0 && (missing || !cell.is_missing())) return;
    const std::string_view text = reader.cells()[column];
    const bool word = kind == CellKind::word;
    cell = {reader.line(),
            column,
            kind,
            printable(text),
            word && is_number_with(text, Decimal::comma),
            word && is_number_with(text, Decimal::point),
            cell.missing};
  }

  void check(const std::string& file, const Columns& columns) const {
    if (cells_.empty()) return;
    const BadCell& first = cells_.front();
    const char* what = all_missing() ? "have missing values" : "have cells that are not numbers";
    Message message = cells_.size() == 1
                          ? fmt::format("{}:{}: {}: {}", file, first.line,
                                        columns.describe(first.column), first.reason())
                          : fmt::format("{}:{}: {} columns {}: {}", file, first.line, cells_.size(),
                                        what, list(columns));
    message += advice(columns);
    throw FormatError(ErrorCode::bad_value, std::move(message),
                      {.path = file, .place = {.line = first.line, .column = first.column + 1}});
  }

 private:
  bool all_missing() const { return std::ranges::all_of(cells_, &BadCell::is_missing); }

  std::string list(const Columns& columns) const {
    constexpr std::size_t kMost = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(cells_.size(), kMost); ++i) {
      text += fmt::format("{}{} (line {}: {})", i > 0 ? ", " : "",
                          columns.describe(cells_[i].column), cells_[i].line, cells_[i].reason());
    }
    return cells_.size() > kMost ? text + ", ..." : text;
  }

  // Numbers written in another way are a matter of one option, and so are missing ones.
  Message advice(const Columns& columns) const {
    const bool comma = std::ranges::any_of(cells_, &BadCell::with_comma);
    const bool point = std::ranges::any_of(cells_, &BadCell::with_point);
    Message message;
    if (all_missing()) message += missing_advice();
    if (comma) message += Message{"; read decimal commas with ", option("decimal", "comma")};
    if (point)
      message += Message{"; read marks between thousands with ", option("decimal", "point")};
    if (!comma && !point) message += advice_to_leave_out(columns);
    return message;
  }

  Message advice_to_leave_out(const Columns& columns) const {
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
    } else if (!missing) {
      message += ", or fill or remove such rows first";
    }
    if (missing && !all_missing()) {
      message += Message{"; for missing values there are ", option("missing", "mean"), " and ",
                         option("missing", "drop")};
    }
    return message;
  }

  std::vector<std::optional<std::size_t>> place_;  // of a column's cell
  std::vector<BadCell> cells_;
};

/// What the lines below the header give.
struct Contents {
  const ReadOptions& options;
  std::shared_ptr<std::vector<float>> cells = std::make_shared<std::vector<float>>();
  LabelCollector labels;
  std::vector<std::string> ids;
  BadCells bad;
};

void add_row(const RecordReader& reader, const Columns& columns, Contents& contents) {
  const auto& texts = reader.cells();
  if (texts.size() != columns.count()) {
    reader.fail(
        fmt::format("the line has {} cells, but line 1 has {}; give every line the same number",
                    texts.size(), columns.count()));
  }
  for (const std::size_t column : columns.features) {
    Cell cell = parse_cell(texts[column], contents.options.decimal);
    if (cell.kind == CellKind::missing && contents.options.missing != Missing::refuse) {
      cell = {CellKind::number, std::numeric_limits<float>::quiet_NaN()};
    }
    if (cell.kind != CellKind::number) contents.bad.add(reader, column, cell.kind);
    contents.cells->push_back(cell.value);
  }
  if (columns.label) {
    if (texts[*columns.label].empty()) {
      reader.fail_cell(*columns.label,
                       fmt::format("{}: the label is missing; fill or remove such rows",
                                   columns.describe(*columns.label)));
    }
    contents.labels.add(texts[*columns.label]);
  }
  for (const std::size_t column : columns.ids) contents.ids.emplace_back(texts[column]);
}

void add_names(Table& table, const Columns& columns, const std::string& file) {
  for (const std::size_t column : columns.ids) {
    const std::string& name = columns.first_line[column];
    table.id_names.push_back(columns.has_header && !name.empty() ? name : "id");
  }
  if (!columns.has_header) return;
  for (const std::size_t column : columns.features) {
    table.columns.push_back(columns.first_line[column]);
  }
  if (!columns.nameless_ids) return;
  table.notes.push_back(
      {NoteCode::data_read,
       {fmt::format("the first column of {} has no name and is taken as row ids; ", file),
        option("columns", fmt::format("1-{}", columns.count())), " takes it as numbers"}});
}

}  // namespace

Table read_text_table(ByteSource& source, const ReadOptions& options) {
  RecordReader reader(source, RecordReader::Otherwise::spaces);
  if (!reader.next()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: the file is empty; give at least one row", source.name()),
                      {.path = source.name()});
  }
  const Columns columns = FirstLine(reader, options).decide();
  Contents contents{.options = options, .labels = {}, .ids = {}, .bad = BadCells(columns.count())};
  if (!columns.has_header) add_row(reader, columns, contents);
  while (reader.next()) add_row(reader, columns, contents);
  contents.bad.check(source.name(), columns);
  const std::vector<float>& cells = *contents.cells;
  if (cells.empty()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: there is a header line ({}) but no row below it; give at "
                                  "least one row of numbers",
                                  source.name(), list_of(columns.first_line)),
                      {.path = source.name()});
  }
  const std::size_t width = columns.features.size();
  Table table;
  table.rows = Matrix(contents.cells, MatrixView(cells.data(), cells.size() / width, width));
  if (columns.label) table.labels = contents.labels.finish();
  table.ids = std::move(contents.ids);
  add_names(table, columns, source.name());
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
