// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/rows.hpp>

namespace mbn {

/// A copy of the columns with these numbers, in this order. No number may be there twice.
Rows gather_columns(RowsView rows, std::span<const std::uint32_t> numbers);

/// A copy in which rows are columns and columns rows. There must be at most 2^32 - 1 rows.
Rows transposed(RowsView rows);

}  // namespace mbn
