// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <mbn/error.hpp>

namespace mbn {

/// Protocol Buffers' wire format, as much of it as ONNX needs: a message is a sequence of fields,
/// each a number with a kind of value.
enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

class ProtobufWriter {
 public:
  void integer(std::uint32_t field, std::uint64_t value);
  void text(std::uint32_t field, std::string_view value);
  void message(std::uint32_t field, const ProtobufWriter& value) { text(field, value.bytes()); }
  std::string_view bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  void varint(std::uint64_t value);

  std::string bytes_;
};

/// One field of a message: its number, and what it holds.
struct ProtobufField {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t integer = 0;            ///< of a varint
  std::span<const std::uint8_t> bytes;  ///< of text, a message, or an array

  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

/// Walks over the fields of a message in memory. Everything is checked to lie within it:
/// FormatError
/// "<file>: ..." otherwise.
class ProtobufReader {
 public:
  ProtobufReader(std::span<const std::uint8_t> message, std::string_view file)
      : rest_(message), file_(file) {}

  /// False at the end of the message.
  bool next(ProtobufField& field);

 private:
  std::uint64_t varint();
  std::span<const std::uint8_t> take(std::uint64_t count);
  [[noreturn]] void fail(std::string_view problem,
                         ErrorCode code = ErrorCode::not_this_format) const;

  std::span<const std::uint8_t> rest_;
  std::string_view file_;
};

}  // namespace mbn
