// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <mbn/error.hpp>

#include "input/byte_source.hpp"

namespace mbn::fuzz {

/// The bytes of one run as a source that owns them, so that readers may share its memory, and with
/// the exact size on the heap, so that the address sanitizer sees every step beyond the end.
inline std::unique_ptr<MemorySource> source_of(const std::uint8_t* data, std::size_t size) {
  const auto* first = reinterpret_cast<const std::byte*>(data);
  auto bytes = std::make_shared<std::vector<std::byte>>(first, first + size);
  const std::span<const std::byte> all(*bytes);
  return std::make_unique<MemorySource>("fuzz", std::move(bytes), all);
}

/// Runs `body`. The library's own errors are fine; anything else ends the run as a finding.
template <class Body>
void only_errors(Body&& body) {
  try {
    body();
  } catch (const Error&) {
  }
}

}  // namespace mbn::fuzz
