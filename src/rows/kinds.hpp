// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/rows.hpp>

#include "base/job.hpp"

namespace mbn {

/// Cells that are not zero, whatever is stored.
std::uint64_t count_nonzeros(RowsView rows, Job& job);

/// Whether rows with so many cells that are not zero are worked on compressed. The one place that
/// decides it, from the data alone: a matrix and its sparse copy take the same way.
bool mostly_zeros(std::uint64_t cells, std::uint64_t rows, std::uint64_t columns);

/// The same rows compressed, without stored zeros, or dense; looked at where they are so already.
Rows as_sparse(RowsView rows);
Rows as_dense(RowsView rows);

/// The rows as the same kind as `model`.
Rows as_kind_of(RowsView model, RowsView rows);

/// The numbered rows.
SparseMatrix gather_rows(SparseView rows, std::span<const std::uint32_t> numbers);
Rows gather(RowsView rows, std::span<const std::uint32_t> numbers);

/// InvalidArgument unless starts, columns and lengths are those of compressed rows: for arrays that
/// come from outside the library.
void require_sound(SparseView rows);

}  // namespace mbn
