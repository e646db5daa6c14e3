// SPDX-License-Identifier: Apache-2.0
//
// A window of the text slides along: it holds the current record and what was read beyond it, so a
// file of any size, also a compressed one, needs memory for its longest line only. Lines without
// quotes, which are nearly all, are cut at the line end and split in place. A line with a quote
// goes cell by cell; when the window ends inside a quoted cell, more is read and the record is
// split again from its start. The window doubles each time, so that costs no more than twice.
//
// A quote means something only where a cell begins; inside a word (5" pipe) it is a letter.
#include "input/record_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include <mbn/error.hpp>

#include "input/parse_number.hpp"

namespace mbn {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 16;
constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 28;
constexpr char kSpaces = ' ';
constexpr char kNothing = '\0';
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

RecordReader::RecordReader(ByteSource& source, Otherwise otherwise) : source_(source) {
  do {
    read_more();
  } while (!detect_separator(otherwise) && !source_ended_);
  if (buffer_.starts_with(kByteOrderMark)) buffer_.erase(0, kByteOrderMark.size());
}

/// False when the first record goes on beyond the window.
bool RecordReader::detect_separator(Otherwise otherwise) {
  // In texts and labels a bar is a letter.
  constexpr std::string_view kSeparators = ",\t;|";
  const std::string_view separators = kSeparators.substr(0, otherwise == Otherwise::spaces ? 4 : 3);
  std::size_t counts[kSeparators.size()] = {};
  bool quoted = false;
  bool cell_begins = true;
  std::size_t i = buffer_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (; i < buffer_.size() && (quoted || buffer_[i] != '\n'); ++i) {
    const char letter = buffer_[i];
    if (quoted) {
      // A doubled quote closes and opens again, which comes to the same.
      quoted = letter != '"';
      cell_begins = !quoted;
      continue;
    }
    const std::size_t which = separators.find(letter);
    if (which != std::string_view::npos) ++counts[which];
    quoted = letter == '"' && cell_begins;
    cell_begins = which != std::string_view::npos || letter == ' ';
  }
  const auto* most = std::max_element(std::begin(counts), std::end(counts));
  if (*most > 0) {
    separator_ = kSeparators[static_cast<std::size_t>(most - counts)];
  } else {
    separator_ = otherwise == Otherwise::spaces ? kSpaces : kNothing;
  }
  return i < buffer_.size();
}

void RecordReader::read_more() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t used = buffer_.size();
  if (used >= kMaxRecordBytes) {
    fail(fmt::format("the line is longer than {} bytes; is this a text file?", kMaxRecordBytes));
  }
  buffer_.resize(used + std::max(kReadBytes, used));
  const std::size_t got = source_.read(buffer_.data() + used, buffer_.size() - used);
  buffer_.resize(used + got);
  source_ended_ = got == 0;
}

bool RecordReader::next() {
  if (!next_record()) return false;
  if (!is_blank()) return true;
  const std::size_t blank_line = line_;
  while (next_record()) {
    if (is_blank()) continue;
    line_ = blank_line;
    fail("the line is empty, but more lines follow; remove it or fill it");
  }
  return false;
}

bool RecordReader::is_blank() const {
  return !quoted_ && (cells_.empty() || (cells_.size() == 1 && cells_[0].empty()));
}

bool RecordReader::next_record() {
  begin_ = next_;
  line_ = next_line_;
  while (true) {
    const std::size_t found = buffer_.find('\n', begin_);
    const bool whole = found != std::string::npos;
    if (whole || source_ended_) {
      if (begin_ == buffer_.size()) return false;
      const std::size_t end = whole ? found : buffer_.size();
      const auto record = std::string_view(buffer_).substr(begin_, end - begin_);
      quoted_ = record.find('"') != std::string_view::npos;
      if (!quoted_) {
        split_plain(without_return(record));
        next_ = whole ? end + 1 : end;
        ++next_line_;
        return true;
      }
      if (split_quoted()) return true;
      if (source_ended_) fail("a quote is opened in this line and never closed; close it");
    }
    read_more();
  }
}

std::string_view RecordReader::text() const {
  auto record = std::string_view(buffer_).substr(begin_, next_ - begin_);
  if (record.ends_with('\n')) record.remove_suffix(1);
  return without_return(record);
}

void RecordReader::split_plain(std::string_view record) {
  cells_.clear();
  if (separator_ == kNothing) {
    cells_.push_back(trim(record));
    return;
  }
  if (separator_ == kSpaces) {
    std::size_t start = record.find_first_not_of(" \t");
    while (start != std::string_view::npos) {
      const std::size_t end = std::min(record.find_first_of(" \t", start), record.size());
      cells_.push_back(record.substr(start, end - start));
      start = record.find_first_not_of(" \t", end);
    }
    return;
  }
  std::size_t start = 0;
  while (true) {
    const std::size_t end = std::min(record.find(separator_, start), record.size());
    cells_.push_back(trim(record.substr(start, end - start)));
    if (end == record.size()) return;
    start = end + 1;
  }
}

/// Splits the record at `begin_`; false when it goes on beyond the window.
bool RecordReader::split_quoted() {
  cells_.clear();
  unquoted_.clear();
  std::size_t position = begin_;
  while (true) {
    skip_spaces(position);
    const bool quote = position < buffer_.size() && buffer_[position] == '"';
    const bool only_spaces_left = separator_ == kSpaces && at_line_end(position);
    if (!only_spaces_left && !(quote ? take_quoted_cell(position) : take_plain_cell(position))) {
      return false;
    }
    if (is_beyond_window(position)) return false;
    if (at_line_end(position)) break;
    if (separator_ != kSpaces) ++position;
  }
  const std::size_t line_end = std::min(buffer_.find('\n', position), buffer_.size());
  const auto lines = std::count(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                                buffer_.begin() + static_cast<std::ptrdiff_t>(line_end), '\n');
  next_ = std::min(line_end + 1, buffer_.size());
  next_line_ += static_cast<std::size_t>(lines) + 1;
  return true;
}

bool RecordReader::take_quoted_cell(std::size_t& position) {
  std::string& cell = unquoted_.emplace_back();
  std::size_t from = position + 1;
  while (true) {
    const std::size_t quote = buffer_.find('"', from);
    if (quote == std::string::npos) return false;
    cell.append(buffer_, from, quote - from);
    position = quote + 1;
    if (position == buffer_.size() && !source_ended_) return false;
    if (position == buffer_.size() || buffer_[position] != '"') break;
    cell += '"';
    from = position + 1;
  }
  cells_.push_back(cell);
  const std::size_t closed = position;
  skip_spaces(position);
  if (is_beyond_window(position)) return false;
  const bool next_cell =
      separator_ == kSpaces ? position > closed : buffer_[position] == separator_;
  if (!at_line_end(position) && (separator_ == kNothing || !next_cell)) {
    fail("something follows a closing quote; double the quotes inside a quoted cell");
  }
  return true;
}

bool RecordReader::take_plain_cell(std::size_t& position) {
  const char stops[] = {separator_ == kNothing ? '\n' : separator_,
                        separator_ == kSpaces ? '\t' : '\n', '\n'};
  const std::size_t start = position;
  position = buffer_.find_first_of(std::string_view(stops, 3), start);
  if (position == std::string::npos) {
    if (!source_ended_) return false;
    position = buffer_.size();
  }
  auto cell = std::string_view(buffer_).substr(start, position - start);
  if (at_line_end(position)) cell = without_return(cell);
  cells_.push_back(trim(cell));
  return true;
}

void RecordReader::skip_spaces(std::size_t& position) const {
  while (position < buffer_.size() &&
         (buffer_[position] == ' ' || (buffer_[position] == '\t' && separator_ != '\t'))) {
    ++position;
  }
}

/// Whether more must be read to tell what stands at `position`.
bool RecordReader::is_beyond_window(std::size_t position) const {
  if (source_ended_) return false;
  if (position < buffer_.size() && buffer_[position] == '\r') ++position;
  return position >= buffer_.size();
}

bool RecordReader::at_line_end(std::size_t position) const {
  if (position < buffer_.size() && buffer_[position] == '\r') ++position;
  return position >= buffer_.size() || buffer_[position] == '\n';
}

void RecordReader::fail(const std::string& problem) const {
  throw FormatError(ErrorCode::bad_line, fmt::format("{}:{}: {}", name(), line_, problem),
                    {.path = name(), .place = {.line = line_}});
}

void RecordReader::fail_cell(std::size_t column, const std::string& problem) const {
  throw FormatError(ErrorCode::bad_value, fmt::format("{}:{}: {}", name(), line_, problem),
                    {.path = name(), .place = {.line = line_, .column = column + 1}});
}

}  // namespace mbn
