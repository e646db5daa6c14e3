// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mbn {

/// What one element of a tensor is; the file names them U8, U16, U32, F32 and F64.
enum class TensorType : std::uint8_t { u8, u16, u32, f32, f64 };

std::size_t element_bytes(TensorType type);
std::string_view type_name(TensorType type);

template <class T>
constexpr TensorType tensor_type_of();
template <>
constexpr TensorType tensor_type_of<std::uint8_t>() {
  return TensorType::u8;
}
template <>
constexpr TensorType tensor_type_of<std::uint16_t>() {
  return TensorType::u16;
}
template <>
constexpr TensorType tensor_type_of<std::uint32_t>() {
  return TensorType::u32;
}
template <>
constexpr TensorType tensor_type_of<float>() {
  return TensorType::f32;
}
template <>
constexpr TensorType tensor_type_of<double>() {
  return TensorType::f64;
}

/// Where a tensor stands: bytes [begin, end) counted from the end of the header.
struct TensorInfo {
  std::string name;
  TensorType type = TensorType::u8;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

using Metadata = std::map<std::string, std::string, std::less<>>;

struct TensorHeader {
  Metadata metadata;
  std::vector<TensorInfo> tensors;  ///< in the order of their bytes
};

/// A header longer than this is refused, as it is by the safetensors library.
inline constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

/// The metadata entry that guards the header itself.
inline constexpr std::string_view kHeaderChecksum = "header_xxh3";

/// The 8 bytes of length and the JSON text, padded with spaces to a multiple of 8 bytes. The
/// header's own checksum is added to the metadata.
std::string encode_header(const TensorHeader& header);

/// Reads the JSON text. FormatError, beginning with `file`, when it is not a safetensors header;
/// the offsets are taken as they are (see `check_layout`).
TensorHeader decode_header(std::string_view text, std::string_view file);

/// The checksum that the JSON text should name, computed as if its own digits were zeros. Empty
/// when the text has no place for it.
std::string header_checksum(std::string_view text);

/// Sorts the tensors by place and throws FormatError unless they fill `data_bytes` exactly, one
/// after the other, each as long as its shape says.
void check_layout(TensorHeader& header, std::uint64_t data_bytes, std::string_view file);

/// 16 lower-case hexadecimal digits of the XXH3 64-bit hash.
std::string xxh3_hex(const void* bytes, std::size_t count);

/// A name from a file, quoted for an error message: short, and plain ASCII.
std::string in_quotes(std::string_view name);

}  // namespace mbn
