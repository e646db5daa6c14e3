// SPDX-License-Identifier: Apache-2.0
//
// The plainest PNG there is: 8 bits for each of red, green, blue and opacity, no filter, one zlib
// stream. An image of cells is mostly empty, so filters would save little.
#include "report/png.hpp"

#include <zlib.h>

#include <mbn/error.hpp>

namespace mbn {

namespace {

void append_number(std::string& out, std::uint32_t number) {
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(number >> shift & 0xFF);
}

void append_chunk(std::string& out, std::string_view name, std::string_view content) {
  append_number(out, static_cast<std::uint32_t>(content.size()));
  std::string checked(name);
  checked += content;
  out += checked;
  const auto* bytes = reinterpret_cast<const Bytef*>(checked.data());
  append_number(out, static_cast<std::uint32_t>(
                         crc32(crc32(0, nullptr, 0), bytes, static_cast<uInt>(checked.size()))));
}

std::string compressed(const std::string& raw) {
  uLongf size = compressBound(raw.size());
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(raw.data()), raw.size(), Z_BEST_COMPRESSION);
  if (status != Z_OK) {
    throw MemoryLimitExceeded(ErrorCode::memory,
                              "there is not enough memory to compress the picture");
  }
  out.resize(size);
  return out;
}

}  // namespace

std::string png_bytes(const Image& image) {
  std::string header;
  append_number(header, static_cast<std::uint32_t>(image.width));
  append_number(header, static_cast<std::uint32_t>(image.height));
  header += std::string{8, 6, 0, 0, 0};  // bits; with opacity; zlib, plain filters, not interlaced

  std::string raw;
  const std::size_t line = image.width * 4;
  raw.reserve((line + 1) * image.height);
  for (std::size_t y = 0; y < image.height; ++y) {
    raw += '\0';  // no filter
    raw.append(reinterpret_cast<const char*>(image.pixels.data()) + y * line, line);
  }

  std::string out = "\x89PNG\r\n\x1A\n";
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", compressed(raw));
  append_chunk(out, "IEND", {});
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= count ? kDigits[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

}  // namespace mbn
