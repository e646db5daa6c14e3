// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <mbn/error.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// The lines of a text, one after the other, without their ends (LF or CRLF) and without a byte
/// order mark at the start. A line of more than kMostBytes is a FormatError.
class LineReader {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 28;

  explicit LineReader(ByteSource& source) : source_(source) {}

  /// The next line, valid until the next call; false at the end.
  bool next(std::string_view& line);
  /// The number of the line that `next` gave last, from 1.
  std::size_t line() const { return line_; }
  /// FormatError "file:line: problem".
  [[noreturn]] void fail(const std::string& problem, ErrorCode code = ErrorCode::bad_line) const;

 private:
  void read_more();

  ByteSource& source_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t line_ = 0;
  bool ended_ = false;
};

/// Takes the next word, up to a space or tab, from the front of `text`; empty when there is none.
std::string_view take_word(std::string_view& text);

}  // namespace mbn
