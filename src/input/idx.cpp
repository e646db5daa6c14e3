// SPDX-License-Identifier: Apache-2.0
//
// IDX: two zero bytes, a byte for the type of number, a byte for how many indices there are, the
// length of each as a big-endian 32-bit integer, and then the numbers, big-endian and row by row.
#include "input/idx.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include <mbn/error.hpp>

#include "input/array_reader.hpp"

namespace mbn {
namespace {

std::optional<NumberType> type_of(std::byte code) {
  switch (std::to_integer<int>(code)) {
    case 0x08:
      return NumberType::uint8;
    case 0x09:
      return NumberType::int8;
    case 0x0b:
      return NumberType::int16;
    case 0x0c:
      return NumberType::int32;
    case 0x0d:
      return NumberType::float32;
    case 0x0e:
      return NumberType::float64;
    default:
      return std::nullopt;
  }
}

ArrayLayout read_header(ByteSource& source) {
  std::array<std::byte, 4> start{};
  source.read_exactly(start.data(), start.size(), "the IDX header");
  const auto type = type_of(start[2]);
  if (start[0] != std::byte{0} || start[1] != std::byte{0} || !type) {
    throw FormatError(
        ErrorCode::not_this_format,
        fmt::format("{}: this is not an IDX file: it begins with the bytes {:02x} {:02x} {:02x} "
                    "{:02x}; expected 00 00, a type (08 to 0e) and the number of dimensions",
                    source.name(), std::to_integer<int>(start[0]), std::to_integer<int>(start[1]),
                    std::to_integer<int>(start[2]), std::to_integer<int>(start[3])),
        {.path = source.name()});
  }
  ArrayLayout layout{.type = *type, .big_endian = true, .fortran_order = false, .shape = {}};
  for (int i = 0; i < std::to_integer<int>(start[3]); ++i) {
    std::array<std::byte, 4> bytes{};
    source.read_exactly(bytes.data(), bytes.size(), "the IDX header");
    std::uint64_t length = 0;
    for (const std::byte byte : bytes)
      length = (length << 8) | std::to_integer<std::uint64_t>(byte);
    layout.shape.push_back(length);
  }
  return layout;
}

}  // namespace

bool is_idx(std::span<const std::byte> start) {
  return start.size() >= 4 && start[0] == std::byte{0} && start[1] == std::byte{0} &&
         type_of(start[2]).has_value() && start[3] != std::byte{0};
}

Matrix read_idx(ByteSource& source, PictureShape* pictures, bool* has_nan) {
  return read_array(source, read_header(source), pictures, has_nan);
}

Labels read_idx_labels(ByteSource& source) {
  return read_label_array(source, read_header(source));
}

}  // namespace mbn
