// SPDX-License-Identifier: Apache-2.0
//
// svmlight, also called libsvm: one row per line, only the nonzeros. The format counts columns from
// 1; some writers count from 0, and nothing in a file without its first column would tell, so a
// column 0 is an error and not a guess. `qid:` belongs to ranking and is ignored. Stored zeros are
// dropped.
#include "input/svmlight.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>

#include <mbn/error.hpp>

#include "input/label_collector.hpp"
#include "input/line_reader.hpp"
#include "input/parse_number.hpp"
#include "input/printable.hpp"

namespace mbn {
namespace {

constexpr std::uint64_t kMostColumns = std::numeric_limits<std::uint32_t>::max();

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

class SvmlightReader {
 public:
  SvmlightReader(ByteSource& source, std::uint64_t columns)
      : name_(source.name()), lines_(source), columns_(columns) {}

  Table read() {
    std::string_view line;
    while (lines_.next(line)) read_line(line.substr(0, line.find('#')));
    if (rows_.rows() == 0) {
      throw FormatError(ErrorCode::too_small,
                        fmt::format("{}: there are no rows; store at least one", name_),
                        {.path = name_});
    }
    rows_.columns = columns_ != 0 ? columns_ : highest_;
    if (rows_.columns == 0) {
      throw FormatError(ErrorCode::too_small,
                        fmt::format("{}: no row has a nonzero, so there are no columns", name_),
                        {.path = name_});
    }
    Table table;
    table.rows = std::move(rows_);
    table.labels = labels_.finish();
    return table;
  }

 private:
  void read_line(std::string_view line) {
    const std::string_view label = take_word(line);
    if (label.empty()) return;
    if (label.find(':') != std::string_view::npos) {
      lines_.fail(fmt::format(
          "the line begins with '{}', and a label must come first; write 0 where there is none",
          printable(label)));
    }
    labels_.add(label);
    std::uint64_t lowest = 1;  // that the next column may be
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word.starts_with("qid:")) continue;
      lowest = read_cell(word, lowest) + 1;
    }
    rows_.starts.push_back(rows_.indices.size());
  }

  std::uint64_t read_cell(std::string_view word, std::uint64_t lowest) {
    const std::size_t colon = word.find(':');
    const auto column =
        colon == std::string_view::npos ? std::nullopt : whole_number(word.substr(0, colon));
    if (!column) {
      lines_.fail(fmt::format("'{}' is not column:value; separate such pairs with spaces",
                              printable(word)));
    }
    check_column(*column, lowest);
    const std::string_view text = word.substr(colon + 1);
    const Cell cell = parse_cell(text);
    if (cell.kind != CellKind::number) {
      lines_.fail(fmt::format("the value '{}' of column {} is not a finite float32; clean or fill "
                              "such values first",
                              printable(text), *column),
                  ErrorCode::bad_value);
    }
    if (cell.value != 0) {
      rows_.indices.push_back(static_cast<std::uint32_t>(*column - 1));
      rows_.values.push_back(cell.value);
    }
    return *column;
  }

  void check_column(std::uint64_t column, std::uint64_t lowest) {
    if (column == 0) {
      lines_.fail(
          "there is a column 0, but svmlight counts from 1; add one to every column (scikit-learn: "
          "dump_svmlight_file(..., zero_based=False))");
    }
    const std::uint64_t most = columns_ != 0 ? columns_ : kMostColumns;
    if (column > most) {
      lines_.fail(fmt::format("there is a column {}, but columns go up to {}", column, most));
    }
    if (column < lowest) {
      lines_.fail(
          fmt::format("column {} {}; the columns of a row must ascend", column,
                      column + 1 == lowest ? "is there twice" : "comes after a higher one"));
    }
    highest_ = std::max(highest_, column);
  }

  const std::string& name_;
  LineReader lines_;
  std::uint64_t columns_;
  std::uint64_t highest_ = 0;
  LabelCollector labels_;
  SparseMatrix rows_;
};

}  // namespace

bool is_svmlight(std::span<const std::byte> start) {
  std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  while (text.starts_with('#')) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  text = text.substr(0, text.find_first_of("\r\n"));
  const std::string_view label = take_word(text);
  const std::string_view cell = take_word(text);
  const std::size_t colon = cell.find(':');
  if (colon == std::string_view::npos || label.find_first_of(":;\"") != std::string_view::npos) {
    return false;
  }
  const std::string_view column = cell.substr(0, colon);
  return (column == "qid" || whole_number(column)) &&
         parse_cell(cell.substr(colon + 1)).kind != CellKind::word;
}

Table read_svmlight(ByteSource& source, std::uint64_t columns) {
  return SvmlightReader(source, columns).read();
}

}  // namespace mbn
