// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "input/byte_source.hpp"

namespace mbn {

/// A kind of file that is not read, told from its first bytes.
struct Signature {
  std::string_view what;     ///< "a PNG picture"
  std::string_view convert;  ///< how to make a file of it that is read; empty: no idea
};

/// What the bytes at the start of a file say that it is; null when they say nothing.
const Signature* signature_of(std::span<const std::byte> start);

/// FormatError when the source holds no text: "<file>: this is a PNG picture, not <wanted>".
void refuse_binary(ByteSource& source, std::string_view wanted);

}  // namespace mbn
