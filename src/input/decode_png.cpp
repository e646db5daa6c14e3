// SPDX-License-Identifier: Apache-2.0
//
// libpng's simple interface: it keeps its jumps over C++ frames to itself.
#include "input/picture.hpp"

#ifdef MBN_HAS_PNG
#include <png.h>
#endif

namespace mbn {

#ifdef MBN_HAS_PNG

namespace {

struct Reading {
  Reading() {
    image = {};
    image.version = PNG_IMAGE_VERSION;
  }
  ~Reading() { png_image_free(&image); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  png_image image;
};

}  // namespace

Picture decode_png(std::span<const std::byte> bytes) {
  Reading reading;
  if (png_image_begin_read_from_memory(&reading.image, bytes.data(), bytes.size()) == 0) {
    fail_picture(reading.image.message);
  }
  Picture picture = picture_of_size(reading.image.width, reading.image.height, bytes.size());
  reading.image.format = PNG_FORMAT_RGBA;
  if (png_image_finish_read(&reading.image, nullptr, picture.rgba.data(), 0, nullptr) == 0) {
    fail_picture(reading.image.message);
  }
  return picture;
}

#else

Picture decode_png(std::span<const std::byte>) {
  fail_picture("this build has no libpng (install libpng-dev, configure with -DMBN_PICTURES=ON)");
}

#endif

}  // namespace mbn
