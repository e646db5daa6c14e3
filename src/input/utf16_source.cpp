// SPDX-License-Identifier: Apache-2.0
//
// Two bytes are a letter, or half of one: a high surrogate is followed by a low one. Letters are
// decoded as they are asked for; what a call has no room for waits in `ready_`.
#include "input/utf16_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include <mbn/error.hpp>

#include "base/utf8.hpp"

namespace mbn {

namespace {

class Utf16Source final : public BufferedSource {
 public:
  Utf16Source(std::unique_ptr<ByteSource> source, bool big_endian)
      : BufferedSource(source->name()), source_(std::move(source)), big_endian_(big_endian) {
    unit_or_end();  // the byte order mark
  }

  // Two bytes become three at most.
  std::uint64_t limit() const override {
    const std::uint64_t bytes = source_->limit();
    return bytes > UINT64_MAX / 2 ? UINT64_MAX : 2 * bytes + ready_.size();
  }

 protected:
  std::size_t fill(void* bytes, std::size_t count) override {
    while (ready_.size() < count) {
      const long unit = unit_or_end();
      if (unit < 0) break;
      append_character(ready_, letter(static_cast<char32_t>(unit)));
    }
    const std::size_t got = std::min(count, ready_.size());
    std::memcpy(bytes, ready_.data(), got);
    ready_.erase(0, got);
    return got;
  }

 private:
  static constexpr long kEnd = -1;

  long unit_or_end() {
    if (used_ == have_ && !read_more()) return kEnd;
    const unsigned first = window_[used_];
    const unsigned second = window_[used_ + 1];
    used_ += 2;
    return static_cast<long>(big_endian_ ? first << 8 | second : second << 8 | first);
  }

  // An even number of bytes, unless the source ends with half a letter.
  bool read_more() {
    used_ = 0;
    have_ = 0;
    while (have_ < window_.size()) {
      const std::size_t got = source_->read(window_.data() + have_, window_.size() - have_);
      if (got == 0) break;
      have_ += got;
    }
    if (have_ % 2 != 0) fail("the text ends with half a letter");
    return have_ != 0;
  }

  char32_t letter(char32_t unit) {
    const auto is_high = [](char32_t code) { return code >= 0xd800 && code < 0xdc00; };
    const auto is_low = [](char32_t code) { return code >= 0xdc00 && code < 0xe000; };
    if (!is_high(unit) && !is_low(unit)) return unit;
    const long next = is_high(unit) ? unit_or_end() : kEnd;
    if (next < 0 || !is_low(static_cast<char32_t>(next))) fail("a letter lacks its other half");
    return 0x10000 + ((unit - 0xd800) << 10) + (static_cast<char32_t>(next) - 0xdc00);
  }

  [[noreturn]] void fail(const char* problem) const {
    throw FormatError(
        ErrorCode::damaged,
        fmt::format("{}: it begins like text in UTF-16, but {}; save it as UTF-8", name(), problem),
        {.path = name()});
  }

  std::unique_ptr<ByteSource> source_;
  bool big_endian_;
  std::array<unsigned char, 1 << 14> window_{};
  std::size_t used_ = 0;
  std::size_t have_ = 0;
  std::string ready_;
};

}  // namespace

std::unique_ptr<ByteSource> in_utf8(std::unique_ptr<ByteSource> source) {
  const auto start = source->peek(2);
  if (start.size() < 2) return source;
  const bool little = start[0] == std::byte{0xff} && start[1] == std::byte{0xfe};
  const bool big = start[0] == std::byte{0xfe} && start[1] == std::byte{0xff};
  if (!little && !big) return source;
  return std::make_unique<Utf16Source>(std::move(source), big);
}

}  // namespace mbn
