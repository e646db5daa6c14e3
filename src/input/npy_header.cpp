// SPDX-License-Identifier: Apache-2.0
//
// Reads the dictionary of a `.npy` header, such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (150, 4), }
// NumPy evaluates it as a Python literal; we accept just what such a header may hold: the three
// keys in any order, each once, with single or double quotes, any spaces, and a comma at the end of
// the dictionary or the tuple. Everything else is refused, so nothing in a file is guessed at.
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include <mbn/error.hpp>

#include "input/npy.hpp"
#include "input/printable.hpp"

namespace mbn {
namespace {

constexpr std::size_t kMaxDimensions = 64;

class HeaderParser {
 public:
  HeaderParser(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  ArrayLayout parse() {
    std::optional<std::string> type;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::uint64_t>> shape;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !type) {
        type = parse_type_name();
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        fail(fmt::format("the key '{}' is not known or is there twice", printable(key)));
      }
      if (!take(',') && !at('}')) fail("a comma or '}' is missing");
    }
    skip_spaces();
    if (position_ < text_.size()) fail("something follows the '}'");
    if (!type || !fortran_order || !shape) {
      fail("one of the keys 'descr', 'fortran_order' and 'shape' is missing");
    }
    ArrayLayout layout = layout_of(*type);
    layout.fortran_order = *fortran_order;
    layout.shape = std::move(*shape);
    return layout;
  }

 private:
  std::string parse_type_name() {
    if (!at('[')) return quoted();
    throw FormatError(
        ErrorCode::unsupported,
        fmt::format("{}: the array has named fields (a structured type), and rows of plain numbers "
                    "are needed; save it as a 2-D float32 array",
                    name_),
        {.path = name_});
  }

  ArrayLayout layout_of(std::string_view type) const {
    char order = '|';
    std::string_view rest = type;
    if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
      order = rest[0];
      rest.remove_prefix(1);
    }
    if (rest.starts_with('O')) {
      throw FormatError(
          ErrorCode::unsupported,
          fmt::format("{}: the array holds pickled Python objects (type '{}'), which are never "
                      "read; convert it with array.astype('float32') and save it again",
                      name_, printable(type)),
          {.path = name_});
    }
    constexpr std::pair<std::string_view, NumberType> kTypes[] = {
        {"b1", NumberType::boolean}, {"i1", NumberType::int8},    {"i2", NumberType::int16},
        {"i4", NumberType::int32},   {"i8", NumberType::int64},   {"u1", NumberType::uint8},
        {"u2", NumberType::uint16},  {"u4", NumberType::uint32},  {"u8", NumberType::uint64},
        {"f2", NumberType::float16}, {"f4", NumberType::float32}, {"f8", NumberType::float64}};
    for (const auto& [known, number] : kTypes) {
      if (rest != known) continue;
      return {.type = number, .big_endian = order == '>', .fortran_order = false, .shape = {}};
    }
    throw FormatError(
        ErrorCode::unsupported,
        fmt::format("{}: numbers of the type '{}' are not read; booleans, integers and floats of "
                    "up to 64 bits are: convert with array.astype('float32') and save it again",
                    name_, printable(type)),
        {.path = name_});
  }

  void skip_spaces() {
    while (position_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) {
      ++position_;
    }
  }

  bool at(char wanted) {
    skip_spaces();
    return position_ < text_.size() && text_[position_] == wanted;
  }

  bool take(char wanted) {
    if (!at(wanted)) return false;
    ++position_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("'{}' is missing", wanted));
  }

  std::string quoted() {
    const char quote = at('"') ? '"' : '\'';
    expect(quote);
    const std::size_t end = text_.find(quote, position_);
    if (end == std::string_view::npos) fail("a quote is not closed");
    std::string word(text_.substr(position_, end - position_));
    position_ = end + 1;
    return word;
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(position_).starts_with(word)) {
        position_ += word.size();
        return value;
      }
    }
    fail("'fortran_order' is neither True nor False");
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> lengths;
    expect('(');
    while (!take(')')) {
      skip_spaces();
      std::uint64_t length = 0;
      const char* end = text_.data() + text_.size();
      const auto parsed = std::from_chars(text_.data() + position_, end, length);
      if (parsed.ec != std::errc()) fail("'shape' holds something that is not a length");
      position_ = static_cast<std::size_t>(parsed.ptr - text_.data());
      take('L');  // Python 2 wrote long integers like this
      lengths.push_back(length);
      if (lengths.size() > kMaxDimensions) fail("'shape' has too many dimensions");
      if (!take(',') && !at(')')) fail("a comma or ')' is missing in 'shape'");
    }
    return lengths;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw FormatError(ErrorCode::damaged,
                      fmt::format("{}: the .npy header cannot be read: {} (at its byte {}); write "
                                  "the file with numpy.save",
                                  name_, problem, position_ + 1),
                      {.path = name_});
  }

  const std::string& name_;
  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

ArrayLayout parse_npy_header(const std::string& name, std::string_view text) {
  return HeaderParser(name, text).parse();
}

}  // namespace mbn
