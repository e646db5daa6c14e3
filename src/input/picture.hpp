// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mbn {

/// A decoded picture: red, green, blue and how opaque, line by line.
struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgba;
};

enum class PictureKind : std::uint8_t { none, png, jpeg, webp };

/// What the first bytes of a file say that it is.
PictureKind picture_kind(std::span<const std::byte> start);
/// "a PNG"
const char* name_of(PictureKind kind);

/// Decodes PNG, JPEG or WebP with the libraries of the build. FormatError, without the name of the
/// file, when the picture is damaged, has far more pixels than its bytes explain, or when the build
/// lacks the library.
Picture decode_picture(std::span<const std::byte> bytes);

/// The same by one library, for `decode_picture`. The size is checked by `picture_of_size`.
Picture decode_png(std::span<const std::byte> bytes);
Picture decode_jpeg(std::span<const std::byte> bytes);
Picture decode_webp(std::span<const std::byte> bytes);

/// An empty picture, after checking that a file of so many bytes may hold one of this size.
Picture picture_of_size(std::uint64_t width, std::uint64_t height, std::size_t file_bytes);
[[noreturn]] void fail_picture(const std::string& problem);

/// The picture as `size` x `size` pixels of one number (grey) or three (red, green, blue): each the
/// mean of the area that it covers, in whole numbers, so that every machine gives the same. What is
/// transparent is white.
std::vector<std::uint8_t> resized(const Picture& picture, std::uint32_t size, bool colour);

}  // namespace mbn
