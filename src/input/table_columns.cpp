// SPDX-License-Identifier: Apache-2.0
//
// The first line is a header when a column was given by a name that stands in it, or when a cell of
// a data column is a word. Signs for a missing value (empty, ?, NA) are not words, so that a bad
// first row is reported and not taken for a header. A header whose first cell is empty is what
// pandas and R write above row names.
//
// In a table of words, the first line may be a row like the others. It is one when no word stands
// above numbers, and when one of its words stands below as well, or is a date, or when it has
// numbers above numbers that are not such as name columns (years, 0, 1, 2, ..., wavelengths).
#include "input/table_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <span>
#include <utility>

#include <mbn/error.hpp>

#include "input/column_choice.hpp"
#include "input/column_coder.hpp"
#include "input/parse_date.hpp"
#include "input/parse_number.hpp"
#include "input/printable.hpp"

namespace mbn {

bool TableColumns::is_id(std::size_t column) const {
  return std::ranges::find(ids, column) != ids.end();
}

std::string TableColumns::describe(std::size_t column) const {
  if (!has_header) return fmt::format("column {}", column + 1);
  return fmt::format("column '{}' ({})", printable(first_line[column]), column + 1);
}

std::string TableColumns::word_for(std::size_t column) const {
  const std::string& name = first_line[column];
  const bool plain = has_header && !name.empty() && std::ranges::count(first_line, name) == 1 &&
                     name == printable(name) && name.find_first_of(",*'=") == std::string::npos;
  return plain ? name : std::to_string(column + 1);
}

namespace {

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

/// Whether the number may be the name of a column: a year, or the place of the column.
bool may_name(const std::string& text, std::size_t column) {
  constexpr int kFirstYear = 1900;
  constexpr int kLastYear = 2100;
  int number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return false;
  const bool year = number >= kFirstYear && number <= kLastYear;
  return year || number == static_cast<int>(column) || number == static_cast<int>(column) + 1 ||
         number + 1 == static_cast<int>(column);
}

/// Three numbers or more that grow or fall, as names of wavelengths and times do.
bool is_a_scale(const std::vector<float>& numbers) {
  const bool grows = std::ranges::adjacent_find(numbers, std::greater_equal<>()) == numbers.end();
  const bool falls = std::ranges::adjacent_find(numbers, std::less_equal<>()) == numbers.end();
  return numbers.size() >= 3 && (grows || falls);
}

class FirstLine {
 public:
  FirstLine(const SampledRecords& sample, const ReadOptions& options, const std::string& file)
      : sample_(sample), options_(options), file_(file) {
    for (const std::string_view cell : sample.first().cells) {
      columns_.first_line.push_back(utf8_of(cell));
    }
  }

  TableColumns decide() {
    find_labels_and_ids();
    const bool named = columns_.has_header || is_named() || has_known_name();
    const bool row_names = options_.id_column.empty() && columns_.first_line[0].empty();
    columns_.has_header = named || is_header(everything()) || (row_names && counts_up(names()));
    take_row_names(row_names);
    columns_.features = features();
    if (!named && !columns_.nameless_ids) columns_.has_header = is_header(columns_.features);
    columns_.first_is_data = !columns_.has_header && has_word(columns_.features);
    if (columns_.features.empty()) {
      throw FormatError(
          ErrorCode::bad_line,
          fmt::format("{}:{}: no columns of numbers are left beside those that are left out", file_,
                      sample_.first().line),
          {.path = file_, .place = {.line = sample_.first().line}});
    }
    return std::move(columns_);
  }

 private:
  const std::vector<std::string>& names() const { return columns_.first_line; }

  // Whether an option asks for a column by its name.
  bool is_named() const {
    const auto needs_names = [&](const std::string& word) {
      return is_name(word, columns_.count());
    };
    const auto type_needs_names = [&](const std::string& type) {
      return needs_names(type.substr(0, type.rfind('=')));
    };
    return std::ranges::any_of(options_.columns, needs_names) ||
           std::ranges::any_of(options_.drop, needs_names) ||
           std::ranges::any_of(options_.types, type_needs_names);
  }

  // Whether the first line has the name of a column that the model knows.
  bool has_known_name() const {
    if (!options_.coding) return false;
    return std::ranges::any_of(*options_.coding, [&](const ColumnCoding& column) {
      return !column.name.empty() && std::ranges::find(names(), column.name) != names().end();
    });
  }

  std::size_t find(const char* option, const std::string& word) {
    const ColumnList list{file_, columns_.count(), names()};
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
           fmt::format(" are both column {} of {}; they must differ", *columns_.label + 1, file_)},
          {.option = "label_column", .value = options_.label_column, .path = file_});
    }
  }

  std::vector<std::size_t> everything() const {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < columns_.count(); ++i) {
      if (i != columns_.label && !columns_.is_id(i)) others.push_back(i);
    }
    return others;
  }

  CellKind kind_of(std::string_view cell) const { return parse_cell(cell, options_.decimal).kind; }
  bool is_word(std::size_t column) const { return kind_of(names()[column]) == CellKind::word; }
  bool has_word(const std::vector<std::size_t>& some) const {
    return std::ranges::any_of(some, [&](std::size_t i) { return is_word(i); });
  }
  // For new rows, which may be few, only a word above numbers tells.
  bool is_header(const std::vector<std::size_t>& some) const {
    const bool known = options_.coding && !options_.coding->empty();
    if (known) return std::ranges::any_of(some, [&](std::size_t i) { return names_numbers(i); });
    return has_word(some) && (sample_.records().size() < 2 || !is_row(some));
  }
  bool names_numbers(std::size_t column) const {
    if (!is_word(column)) return false;
    const Below found = below(column);
    return found.number && !found.same;
  }

  // What stands below a cell of the first line.
  struct Below {
    bool number = false;
    bool same = false;
  };
  Below below(std::size_t column) const {
    Below found;
    for (const Record& record : std::span(sample_.records()).subspan(1)) {
      if (column >= record.cells.size()) continue;
      const std::string_view cell = record.cells[column];
      found.number = found.number || kind_of(cell) == CellKind::number;
      found.same = found.same || cell == sample_.first().cells[column];
      if (found.number && found.same) break;
    }
    return found;
  }

  // Whether the first line is a row like those below.
  bool is_row(const std::vector<std::size_t>& some) const {
    bool row = false;
    std::vector<float> numbers;
    bool names_only = true;
    for (const std::size_t column : some) {
      const std::string& cell = names()[column];
      const Cell number = parse_cell(cell, options_.decimal);
      if (names_numbers(column)) return false;
      if (is_word(column)) {
        row = row || below(column).same || parse_date(cell).has_value();
      } else if (number.kind == CellKind::number && below(column).number) {
        numbers.push_back(number.value);
        names_only = names_only && may_name(cell, column);
      }
    }
    return row || !(names_only || is_a_scale(numbers));
  }

  std::vector<bool> chosen(const char* option, const std::vector<std::string>& words) const {
    const std::vector<std::string> none;
    return chosen_columns({file_, columns_.count(), columns_.has_header ? names() : none}, option,
                          words);
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

  const SampledRecords& sample_;
  const ReadOptions& options_;
  const std::string& file_;
  TableColumns columns_;
};

}  // namespace

TableColumns find_columns(const SampledRecords& sample, const ReadOptions& options,
                          const std::string& file) {
  return FirstLine(sample, options, file).decide();
}

}  // namespace mbn
