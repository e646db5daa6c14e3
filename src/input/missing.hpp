// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <mbn/input.hpp>

namespace mbn {

/// How to treat missing cells, as the end of a message about some.
Message missing_advice();

/// Does what `options.missing` says about NaN in a table whose columns are chosen already.
/// FormatError when they are refused, when a column has no value at all to take the mean of, and
/// when no row would be left. `first_row` is where the table begins among all rows of its file.
Table settle_missing(Table table, const ReadOptions& options, const std::string& file,
                     std::uint64_t first_row = 0);

}  // namespace mbn
