// SPDX-License-Identifier: Apache-2.0
//
// `.npy`: the magic "\x93NUMPY", a version, the length of the header (two bytes in version 1, four
// in 2 and 3, little-endian), the header, and the cells. The header is a Python dictionary; see
// npy_header.cpp. Pickled objects are refused by their type name and never looked at: to unpickle
// is to run code from the file.
#include "input/npy.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include <mbn/error.hpp>

namespace mbn {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;
/// NumPy itself warns above 10,000; real headers have about 100 bytes.
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;

}  // namespace

ArrayLayout read_npy_header(ByteSource& source) {
  std::array<char, 8> start{};
  source.read_exactly(start.data(), start.size(), "the .npy header");
  if (std::string_view(start.data(), kMagic.size()) != kMagic) {
    throw FormatError(ErrorCode::not_this_format,
                      fmt::format("{}: this is not a .npy file: it does not begin with \\x93NUMPY; "
                                  "write it with numpy.save",
                                  source.name()),
                      {.path = source.name()});
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) {
    throw FormatError(ErrorCode::too_new,
                      fmt::format("{}: .npy version {} is not known; versions 1 to 3 are read",
                                  source.name(), version),
                      {.path = source.name()});
  }
  std::array<unsigned char, 4> length_bytes{};
  source.read_exactly(length_bytes.data(), version == 1 ? 2 : 4, "the .npy header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes.size(); ++i) {
    length |= static_cast<std::size_t>(length_bytes[i]) << (8 * i);
  }
  if (length > kMaxHeaderBytes || length > source.limit()) {
    throw FormatError(ErrorCode::damaged,
                      fmt::format("{}: the .npy header claims {} bytes; the file is damaged",
                                  source.name(), length),
                      {.path = source.name()});
  }
  std::string text(length, '\0');
  source.read_exactly(text.data(), text.size(), "the .npy header");
  return parse_npy_header(source.name(), text);
}

bool is_npy(std::span<const std::byte> start) {
  return start.size() >= kMagic.size() &&
         std::memcmp(start.data(), kMagic.data(), kMagic.size()) == 0;
}

Matrix read_npy(ByteSource& source, PictureShape* pictures, bool* has_nan) {
  return read_array(source, read_npy_header(source), pictures, has_nan);
}

Labels read_npy_labels(ByteSource& source) {
  return read_label_array(source, read_npy_header(source));
}

std::vector<std::uint64_t> read_npy_integers(ByteSource& source) {
  return read_integer_array(source, read_npy_header(source));
}

std::vector<float> read_npy_values(ByteSource& source) {
  return read_value_array(source, read_npy_header(source));
}

std::string npy_header(std::string_view type, std::span<const std::size_t> shape) {
  // Python writes a tuple of one with a comma.
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // Padding lets the cells begin at a multiple of 64, so that a mapped file is aligned.
  const std::size_t start = kMagic.size() + 4;
  const std::size_t unpadded = start + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace mbn
