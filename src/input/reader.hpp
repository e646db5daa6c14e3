// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// `read_table` and `read_labels` on bytes from anywhere; the source's name stands for the path.
Table read_table_from(std::unique_ptr<ByteSource> source, const ReadOptions& options);
Labels read_labels_from(std::unique_ptr<ByteSource> source);

/// The bytes of a text table, unpacked. InvalidArgument when the file is of another kind.
std::unique_ptr<ByteSource> open_text_table(const std::string& path);

}  // namespace mbn
