// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// Rows from CSV, TSV or text with spaces between the numbers, with or without a header line.
Table read_text_table(ByteSource& source, const ReadOptions& options);

/// One label per line: the whole line, or its last cell when there are commas, tabs or semicolons.
/// A first line that is not a number is skipped when all others are integers.
Labels read_text_labels(ByteSource& source);

}  // namespace mbn
