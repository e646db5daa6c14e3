// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "input/byte_source.hpp"

namespace mbn {

/// The source itself, or the same text in UTF-8 when it begins with a byte order mark of UTF-16, as
/// some programs for tables write it. A broken pair or half a letter is a FormatError.
std::unique_ptr<ByteSource> in_utf8(std::unique_ptr<ByteSource> source);

}  // namespace mbn
