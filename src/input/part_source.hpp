// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "input/byte_source.hpp"

namespace mbn {

/// The next `bytes` bytes of another source, which must live longer. What is not read of them stays
/// in the other source.
class PartSource final : public BufferedSource {
 public:
  PartSource(ByteSource& whole, std::uint64_t bytes)
      : BufferedSource(whole.name()), whole_(whole), left_(bytes) {}

  std::uint64_t limit() const override { return std::min(left_, whole_.limit()); }
  /// Bytes that were not taken from the other source yet.
  std::uint64_t left() const { return left_; }

 protected:
  std::size_t fill(void* bytes, std::size_t count) override {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, left_));
    const std::size_t got = wanted == 0 ? 0 : whole_.read(bytes, wanted);
    left_ -= got;
    return got;
  }

 private:
  ByteSource& whole_;
  std::uint64_t left_;
};

}  // namespace mbn
