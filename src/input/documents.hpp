// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <mbn/text_options.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// `read_documents` on the bytes of one file from anywhere. The source's name tells the format when
/// the options do not.
Documents read_documents_from(std::unique_ptr<ByteSource> source, const DocumentOptions& options);

}  // namespace mbn
