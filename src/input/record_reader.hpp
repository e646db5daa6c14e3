// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "input/byte_source.hpp"

namespace mbn {

/// Reads text line by line and splits the lines into cells. The separator is told from the first
/// line: the commonest of comma, tab and semicolon, and of bars in tables. Quoted cells (RFC 4180)
/// may hold separators, doubled quotes and line ends; CRLF and a UTF-8 byte order mark are
/// understood; blank lines at the end are ignored, and others are FormatErrors.
class RecordReader {
 public:
  /// What separates the cells of a file whose first line has none of these.
  enum class Otherwise { spaces, nothing };

  RecordReader(ByteSource& source, Otherwise otherwise);

  /// The next record; false at the end.
  bool next();
  /// The cells of the record, without spaces around them, valid until `next`.
  const std::vector<std::string_view>& cells() const { return cells_; }
  /// The record as it stands, without its line end, valid until `next`.
  std::string_view text() const;
  /// What stands between cells; a space stands for runs of spaces, and 0 for nothing.
  char separator() const { return separator_; }
  /// The line where the record begins, from 1.
  std::size_t line() const { return line_; }

  const std::string& name() const { return source_.name(); }
  /// FormatError "file:line: problem".
  [[noreturn]] void fail(const std::string& problem) const;
  /// The same about one cell of the line, `column` from 0.
  [[noreturn]] void fail_cell(std::size_t column, const std::string& problem) const;

 private:
  bool detect_separator(Otherwise otherwise);
  bool next_record();
  bool is_blank() const;
  void read_more();
  void split_plain(std::string_view record);
  bool split_quoted();
  bool take_quoted_cell(std::size_t& position);
  bool take_plain_cell(std::size_t& position);
  void skip_spaces(std::size_t& position) const;
  bool is_beyond_window(std::size_t position) const;
  bool at_line_end(std::size_t position) const;

  ByteSource& source_;
  char separator_ = ',';  // ' ' stands for runs of spaces, '\0' for none
  std::string buffer_;
  std::size_t begin_ = 0;  // where the record starts in the buffer
  std::size_t next_ = 0;   // where the next one starts
  bool source_ended_ = false;
  bool quoted_ = false;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unquoted_;  // quoted cells, rewritten; a deque does not move them
};

}  // namespace mbn
