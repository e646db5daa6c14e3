// SPDX-License-Identifier: Apache-2.0
#include "store/protobuf.hpp"

#include <fmt/format.h>

#include <mbn/error.hpp>

namespace mbn {

void ProtobufWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
  bytes_.push_back(static_cast<char>(value));
}

void ProtobufWriter::integer(std::uint32_t field, std::uint64_t value) {
  varint(field << 3);
  varint(value);
}

void ProtobufWriter::text(std::uint32_t field, std::string_view value) {
  varint(field << 3 | static_cast<std::uint32_t>(WireType::bytes));
  varint(value.size());
  bytes_.append(value);
}

bool ProtobufReader::next(ProtobufField& field) {
  if (rest_.empty()) return false;
  const std::uint64_t tag = varint();
  if (tag >> 3 == 0 || tag >> 32 != 0) fail("a field has a number that is not allowed");
  field = {static_cast<std::uint32_t>(tag >> 3), static_cast<WireType>(tag & 7), 0, {}};
  switch (field.type) {
    case WireType::varint:
      field.integer = varint();
      return true;
    case WireType::bytes:
      field.bytes = take(varint());
      return true;
    case WireType::fixed64:
      take(8);
      return true;
    case WireType::fixed32:
      take(4);
      return true;
  }
  fail("a field has a kind that does not exist");
}

std::uint64_t ProtobufReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = take(1)[0];
    if (shift == 63 && byte > 1) break;
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  fail("a number has too many digits");
}

std::span<const std::uint8_t> ProtobufReader::take(std::uint64_t count) {
  if (count > rest_.size()) {
    fail("it ends within a field; it is cut short or damaged", ErrorCode::damaged);
  }
  const auto taken = rest_.first(count);
  rest_ = rest_.subspan(count);
  return taken;
}

void ProtobufReader::fail(std::string_view problem, ErrorCode code) const {
  throw FormatError(code, fmt::format("{}: not an ONNX file: {}", file_, problem), {.path = file_});
}

}  // namespace mbn
