// SPDX-License-Identifier: Apache-2.0
//
// Matrix Market, coordinate format: a first line that says what the numbers are, comments, a line
// with the numbers of rows, columns and nonzeros, then a line for each nonzero: row, column (both
// from 1) and value. In a pattern every value is 1. Of a symmetric matrix only the lower half is
// stored.
#include "input/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>

#include <mbn/error.hpp>

#include "input/line_reader.hpp"
#include "input/parse_number.hpp"
#include "input/printable.hpp"
#include "input/sparse_entries.hpp"

namespace mbn {
namespace {

constexpr std::string_view kMagic = "%%MatrixMarket";
// The shortest line of a nonzero: "1 1" and its end.
constexpr std::uint64_t kShortestLine = 4;

class MatrixMarketReader {
 public:
  explicit MatrixMarketReader(ByteSource& source) : source_(source), lines_(source) {}

  SparseMatrix read() {
    const std::uint64_t most_bytes = source_.limit();
    read_first_line();
    read_sizes(most_bytes);
    std::string_view line;
    while (next_line(line)) {
      if (seen_ == declared_) {
        lines_.fail(fmt::format("there are more nonzeros than the {} declared", declared_),
                    ErrorCode::damaged);
      }
      read_cell(line);
      ++seen_;
    }
    if (seen_ != declared_) {
      lines_.fail(fmt::format("{} nonzeros are declared, but there are {}; the file is cut short",
                              declared_, seen_),
                  ErrorCode::damaged);
    }
    return rows_from_entries(source_.name(), rows_, columns_, std::move(cells_));
  }

 private:
  // Comments and empty lines are skipped.
  bool next_line(std::string_view& line) {
    while (lines_.next(line)) {
      if (!line.starts_with('%') && !trim(line).empty()) return true;
    }
    return false;
  }

  std::string word(std::string_view& line) {
    std::string text(take_word(line));
    for (char& letter : text) {
      letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return text;
  }

  void read_first_line() {
    std::string_view line;
    lines_.next(line);
    line.remove_prefix(std::min(kMagic.size(), line.size()));
    const std::string object = word(line);
    const std::string format = word(line);
    const std::string numbers = word(line);
    const std::string symmetry = word(line);
    if (object != "matrix" || format != "coordinate") {
      lines_.fail(fmt::format("'{} {}' is not read; write the matrix in coordinate format "
                              "(scipy.io.mmwrite of a sparse matrix), or dense as .npy",
                              printable(object), printable(format)),
                  ErrorCode::unsupported);
    }
    pattern_ = numbers == "pattern";
    symmetric_ = symmetry == "symmetric";
    skew_ = symmetry == "skew-symmetric";
    const bool known = pattern_ || numbers == "real" || numbers == "integer";
    if (!known || !(symmetric_ || skew_ || symmetry == "general")) {
      lines_.fail(fmt::format("'{} {}' is not read; write real numbers, general or symmetric",
                              printable(numbers), printable(symmetry)),
                  ErrorCode::unsupported);
    }
  }

  std::uint64_t whole_number(std::string_view text, const char* what) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end) {
      lines_.fail(
          fmt::format("'{}' is not a {}; it must be a whole number", printable(text), what));
    }
    return number;
  }

  void read_sizes(std::uint64_t most_bytes) {
    std::string_view line;
    if (!next_line(line))
      lines_.fail("the line with the numbers of rows, columns and nonzeros is missing");
    rows_ = whole_number(take_word(line), "number of rows");
    columns_ = whole_number(take_word(line), "number of columns");
    declared_ = whole_number(take_word(line), "number of nonzeros");
    expect_end(line);
    if (declared_ > most_bytes / kShortestLine + 1) {
      lines_.fail(fmt::format("{} nonzeros are declared, but the file has at most {} bytes",
                              declared_, most_bytes),
                  ErrorCode::damaged);
    }
    check_sparse_shape(source_.name(), rows_, columns_, declared_);
    if ((symmetric_ || skew_) && rows_ != columns_) {
      lines_.fail(
          fmt::format("a symmetric matrix cannot have {} rows and {} columns", rows_, columns_),
          ErrorCode::damaged);
    }
  }

  std::uint32_t place(std::string_view text, const char* what, std::uint64_t count) {
    const std::uint64_t number = whole_number(text, what);
    if (number == 0 || number > count) {
      lines_.fail(fmt::format("there is a {} {}, but they go from 1 to {}", what, number, count));
    }
    return static_cast<std::uint32_t>(number - 1);
  }

  void read_cell(std::string_view line) {
    SparseEntry cell;
    cell.row = place(take_word(line), "row", rows_);
    cell.column = place(take_word(line), "column", columns_);
    cell.value = pattern_ ? 1 : value(take_word(line));
    expect_end(line);
    cells_.push_back(cell);
    if (!(symmetric_ || skew_) || cell.row == cell.column) return;
    cells_.push_back({cell.column, cell.row, skew_ ? -cell.value : cell.value});
  }

  float value(std::string_view text) {
    const Cell cell = parse_cell(text);
    if (cell.kind == CellKind::number) return cell.value;
    lines_.fail(
        fmt::format("the value '{}' is not a finite float32; clean or fill such values first",
                    printable(text)),
        ErrorCode::bad_value);
  }

  void expect_end(std::string_view line) {
    const std::string_view more = take_word(line);
    if (!more.empty()) lines_.fail(fmt::format("'{}' is one word too many", printable(more)));
  }

  ByteSource& source_;
  LineReader lines_;
  bool pattern_ = false;
  bool symmetric_ = false;
  bool skew_ = false;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::uint64_t declared_ = 0;
  std::uint64_t seen_ = 0;
  std::vector<SparseEntry> cells_;
};

}  // namespace

bool is_matrix_market(std::span<const std::byte> start) {
  return start.size() >= kMagic.size() &&
         std::memcmp(start.data(), kMagic.data(), kMagic.size()) == 0;
}

SparseMatrix read_matrix_market(ByteSource& source) {
  return MatrixMarketReader(source).read();
}

}  // namespace mbn
