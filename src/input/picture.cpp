// SPDX-License-Identifier: Apache-2.0
#include "input/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include <mbn/error.hpp>

namespace mbn {

namespace {

using namespace std::string_view_literals;

bool begins(std::span<const std::byte> start, std::string_view magic) {
  return start.size() >= magic.size() && std::memcmp(start.data(), magic.data(), magic.size()) == 0;
}

/// What one pixel counts for: grey or colours, on white where it is transparent.
void pixel(const std::uint8_t* rgba, bool colour, std::uint64_t* numbers) {
  std::uint32_t channels[3];
  for (std::size_t i = 0; i < 3; ++i) {
    channels[i] = (std::uint32_t{rgba[i]} * rgba[3] + 255U * (255U - rgba[3]) + 127) / 255;
  }
  if (colour) {
    std::copy(channels, channels + 3, numbers);
  } else {
    // ITU-R BT.601, as cameras and libraries weigh red, green and blue.
    numbers[0] = (299 * channels[0] + 587 * channels[1] + 114 * channels[2] + 500) / 1000;
  }
}

/// The part of a line of `from` pixels that pixel `i` of `to` covers, in units of which a pixel of
/// the line is `to` long and one of the result is `from` long.
struct Cover {
  Cover(std::uint64_t i, std::uint64_t from, std::uint64_t to)
      : begin(i * from), end((i + 1) * from), unit(to) {}

  std::uint64_t first() const { return begin / unit; }
  std::uint64_t last() const { return (end - 1) / unit; }
  std::uint64_t share(std::uint64_t pixel) const {
    return std::min(end, (pixel + 1) * unit) - std::max(begin, pixel * unit);
  }

  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t unit;
};

}  // namespace

PictureKind picture_kind(std::span<const std::byte> start) {
  if (begins(start, "\x89PNG\r\n\x1a\n"sv)) return PictureKind::png;
  if (begins(start, "\xff\xd8\xff"sv)) return PictureKind::jpeg;
  if (begins(start, "RIFF"sv) && start.size() >= 12 && begins(start.subspan(8), "WEBP"sv)) {
    return PictureKind::webp;
  }
  return PictureKind::none;
}

const char* name_of(PictureKind kind) {
  switch (kind) {
    case PictureKind::png:
      return "a PNG";
    case PictureKind::jpeg:
      return "a JPEG";
    case PictureKind::webp:
      return "a WebP";
    case PictureKind::none:
      break;
  }
  return "no picture";
}

void fail_picture(const std::string& problem) {
  throw FormatError(
      ErrorCode::damaged,
      fmt::format("the picture cannot be read: {}; leave it out, or fetch it again", problem));
}

Picture picture_of_size(std::uint64_t width, std::uint64_t height, std::size_t file_bytes) {
  constexpr std::uint64_t kLongestSide = 65'535;
  constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 27;
  // A byte of one colour, packed as well as can be, holds no more pixels than this.
  constexpr std::uint64_t kPixelsPerByte = 10'000;
  if (width == 0 || height == 0 || width > kLongestSide || height > kLongestSide ||
      width * height > std::min<std::uint64_t>(kMostPixels, kPixelsPerByte * file_bytes)) {
    fail_picture(
        fmt::format("it claims to have {} x {} pixels, in {} bytes", width, height, file_bytes));
  }
  return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height),
          std::vector<std::uint8_t>(width * height * 4)};
}

Picture decode_picture(std::span<const std::byte> bytes) {
  switch (picture_kind(bytes)) {
    case PictureKind::png:
      return decode_png(bytes);
    case PictureKind::jpeg:
      return decode_jpeg(bytes);
    case PictureKind::webp:
      return decode_webp(bytes);
    case PictureKind::none:
      break;
  }
  fail_picture("it begins like no PNG, JPEG or WebP");
}

std::vector<std::uint8_t> resized(const Picture& picture, std::uint32_t size, bool colour) {
  const std::size_t channels = colour ? 3 : 1;
  const std::uint64_t area = std::uint64_t{picture.width} * picture.height;
  std::vector<std::uint8_t> result(std::size_t{size} * size * channels);
  std::vector<std::uint64_t> line(std::size_t{picture.width} * channels);
  std::vector<std::uint64_t> sums(std::size_t{size} * channels);
  for (std::uint32_t y = 0; y < size; ++y) {
    const Cover rows(y, picture.height, size);
    std::ranges::fill(sums, 0);
    for (std::uint64_t row = rows.first(); row <= rows.last(); ++row) {
      const std::uint8_t* from = picture.rgba.data() + row * picture.width * 4;
      for (std::size_t x = 0; x < picture.width; ++x) {
        pixel(from + 4 * x, colour, line.data() + x * channels);
      }
      for (std::uint32_t x = 0; x < size; ++x) {
        const Cover cells(x, picture.width, size);
        for (std::uint64_t cell = cells.first(); cell <= cells.last(); ++cell) {
          const std::uint64_t share = rows.share(row) * cells.share(cell);
          for (std::size_t c = 0; c < channels; ++c) {
            sums[x * channels + c] += share * line[cell * channels + c];
          }
        }
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      result[y * sums.size() + i] = static_cast<std::uint8_t>((sums[i] + area / 2) / area);
    }
  }
  return result;
}

}  // namespace mbn
