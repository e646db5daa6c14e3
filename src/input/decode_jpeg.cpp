// SPDX-License-Identifier: Apache-2.0
//
// libjpeg leaves by longjmp when it fails. Between setjmp and the calls that may jump there must be
// nothing with a destructor: the buffers are made outside of `run`.
#include "input/picture.hpp"

#ifdef MBN_HAS_JPEG
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it before

#include <jpeglib.h>
#endif

namespace mbn {

#ifdef MBN_HAS_JPEG

namespace {

// A few hundred bytes can ask for thousands of passes over the picture.
constexpr int kMostScans = 200;

struct JpegReader {
  jpeg_decompress_struct state;
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  std::jmp_buf failed;
  std::uint8_t* pixels;  // four bytes each, all of them
  std::uint8_t* line;    // three bytes for each pixel of a line
  char problem[JMSG_LENGTH_MAX];
};

void fail_jpeg(j_common_ptr state) {
  auto* reader = static_cast<JpegReader*>(state->client_data);
  (*state->err->format_message)(state, reader->problem);
  std::longjmp(reader->failed, 1);
}

// Warnings: libjpeg goes on with grey in the place of what is missing. A cut picture is no picture.
void warn_jpeg(j_common_ptr state, int level) {
  if (level < 0) fail_jpeg(state);
}

void watch_jpeg(j_common_ptr state) {
  const auto* decompressing = reinterpret_cast<j_decompress_ptr>(state);
  if (decompressing->input_scan_number > kMostScans) {
    state->err->msg_code = 0;
    fail_jpeg(state);
  }
}

bool begin(JpegReader& reader, std::span<const std::byte> bytes) {
  reader.state.err = jpeg_std_error(&reader.errors);
  reader.errors.error_exit = fail_jpeg;
  reader.errors.emit_message = warn_jpeg;
  reader.state.client_data = &reader;
  if (setjmp(reader.failed) != 0) return false;
  jpeg_create_decompress(&reader.state);
  reader.state.client_data = &reader;
  reader.progress.progress_monitor = watch_jpeg;
  reader.state.progress = &reader.progress;
  jpeg_mem_src(&reader.state, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&reader.state, TRUE);
  return true;
}

void copy_line(JpegReader& reader) {
  const std::uint8_t* from = reader.line;
  for (JDIMENSION x = 0; x < reader.state.output_width; ++x) {
    for (int i = 0; i < 3; ++i) *reader.pixels++ = *from++;
    *reader.pixels++ = 255;
  }
}

/// The rest, into `reader.pixels`.
bool run(JpegReader& reader) {
  if (setjmp(reader.failed) != 0) return false;
  reader.state.out_color_space = JCS_RGB;
  reader.state.dct_method = JDCT_ISLOW;  // the same with and without vector instructions
  jpeg_start_decompress(&reader.state);
  while (reader.state.output_scanline < reader.state.output_height) {
    jpeg_read_scanlines(&reader.state, &reader.line, 1);
    copy_line(reader);
  }
  jpeg_finish_decompress(&reader.state);
  return true;
}

struct Reading {
  Reading() = default;
  ~Reading() { jpeg_destroy_decompress(&reader.state); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  JpegReader reader{};
};

}  // namespace

Picture decode_jpeg(std::span<const std::byte> bytes) {
  Reading reading;
  JpegReader& reader = reading.reader;
  if (!begin(reader, bytes)) fail_picture(reader.problem);
  const J_COLOR_SPACE colours = reader.state.jpeg_color_space;
  if (colours == JCS_CMYK || colours == JCS_YCCK) {
    fail_picture("its colours are those of print (CMYK); save it in RGB");
  }
  Picture picture =
      picture_of_size(reader.state.image_width, reader.state.image_height, bytes.size());
  std::vector<std::uint8_t> line(std::size_t{picture.width} * 3);
  reader.pixels = picture.rgba.data();
  reader.line = line.data();
  if (!run(reader)) fail_picture(reader.problem);
  return picture;
}

#else

Picture decode_jpeg(std::span<const std::byte>) {
  fail_picture("this build has no libjpeg (install libjpeg-dev, configure with -DMBN_PICTURES=ON)");
}

#endif

}  // namespace mbn
