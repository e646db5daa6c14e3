// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// `read_table` and `read_labels` on bytes from anywhere; the source's name stands for the path.
Table read_table_from(std::unique_ptr<ByteSource> source, const ReadOptions& options);
Labels read_labels_from(std::unique_ptr<ByteSource> source);

/// What can be read a batch at a time.
enum class StreamKind : std::uint8_t { npy, text, other };
/// Opens what is packed, and tells the kind. InvalidArgument for options that are for other kinds.
StreamKind open_for_stream(std::unique_ptr<ByteSource>& source, const ReadOptions& options);
/// What `read_table` does to rows that were read, or to some of them from `first_row` on: turned,
/// columns chosen unless they are, and missing cells treated.
Table finished_table(Table table, const ReadOptions& options, const std::string& name,
                     StreamKind kind, bool has_nan, std::uint64_t first_row = 0);

/// The bytes of a text table, unpacked. InvalidArgument when the file is of another kind.
std::unique_ptr<ByteSource> open_text_table(const std::string& path);

}  // namespace mbn
