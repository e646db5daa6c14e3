// SPDX-License-Identifier: Apache-2.0
//
// The decoders of pictures on any bytes, and what is done with their pixels.
#include "input/picture.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  fuzz::only_errors([&] {
    const auto source = fuzz::source_of(data, size);
    const Picture picture = decode_picture(source->rest());
    resized(picture, 5, false);
    resized(picture, 40, true);
  });
  return 0;
}
