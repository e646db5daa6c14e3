// SPDX-License-Identifier: Apache-2.0
#include "input/picture.hpp"

#ifdef MBN_HAS_WEBP
#include <webp/decode.h>
#endif

namespace mbn {

#ifdef MBN_HAS_WEBP

Picture decode_webp(std::span<const std::byte> bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK) {
    fail_picture("its header is damaged");
  }
  if (features.has_animation != 0) fail_picture("it is an animation");
  Picture picture = picture_of_size(static_cast<std::uint64_t>(features.width),
                                    static_cast<std::uint64_t>(features.height), bytes.size());
  if (WebPDecodeRGBAInto(data, bytes.size(), picture.rgba.data(), picture.rgba.size(),
                         features.width * 4) == nullptr) {
    fail_picture("it is damaged or cut short");
  }
  return picture;
}

#else

Picture decode_webp(std::span<const std::byte>) {
  fail_picture("this build has no libwebp (install libwebp-dev, configure with -DMBN_PICTURES=ON)");
}

#endif

}  // namespace mbn
