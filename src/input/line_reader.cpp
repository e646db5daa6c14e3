// SPDX-License-Identifier: Apache-2.0
#include "input/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <mbn/error.hpp>

namespace mbn {

bool LineReader::next(std::string_view& line) {
  constexpr std::size_t kPiece = 1U << 16;
  std::size_t end = buffer_.find('\n', begin_);
  while (end == std::string::npos && !ended_) {
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kPiece);
    const std::size_t got = source_.read(buffer_.data() + before, kPiece);
    buffer_.resize(before + got);
    ended_ = got == 0;
    end = buffer_.find('\n', before);
  }
  if (end == std::string::npos) {
    if (begin_ == buffer_.size()) return false;
    end = buffer_.size();
  }
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  begin_ = std::min(end + 1, buffer_.size());
  ++line_;
  return true;
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
