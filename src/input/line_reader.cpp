// SPDX-License-Identifier: Apache-2.0
#include "input/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <mbn/error.hpp>

namespace mbn {

namespace {
constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
}  // namespace

bool LineReader::next(std::string_view& line) {
  std::size_t end = buffer_.find('\n', begin_);
  while (end == std::string::npos && !ended_) {
    const std::size_t looked = buffer_.size() - begin_;
    read_more();
    end = buffer_.find('\n', looked);
  }
  if (end == std::string::npos) {
    if (begin_ == buffer_.size()) return false;
    end = buffer_.size();
  }
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = std::min(end + 1, buffer_.size());
  ++line_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return true;
}

// Moves the line that has begun to the front and appends as much as there is of it, so that a long
// line is not copied for every piece.
void LineReader::read_more() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t used = buffer_.size();
  if (used >= kMostBytes) {
    ++line_;
    fail(fmt::format("the line is longer than {} bytes; is this a text file?", kMostBytes));
  }
  buffer_.resize(used + std::max(kPiece, used));
  const std::size_t got = source_.read(buffer_.data() + used, buffer_.size() - used);
  buffer_.resize(used + got);
  ended_ = got == 0;
}

void LineReader::fail(const std::string& problem, ErrorCode code) const {
  throw FormatError(code, fmt::format("{}:{}: {}", source_.name(), line_, problem),
                    {.path = source_.name(), .place = {.line = line_}});
}

std::string_view take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

}  // namespace mbn
