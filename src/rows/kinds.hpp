// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/rows.hpp>

#include "base/job.hpp"

namespace mbn {

/// The number of values that are not zero. Stored zeros of sparse rows are not counted.
std::uint64_t count_nonzeros(RowsView rows, Job& job);

/// Whether rows with `nonzeros` nonzeros are worked on as sparse. The one place that decides it,
/// from the data alone: a matrix and its sparse copy are treated alike.
bool mostly_zeros(std::uint64_t nonzeros, std::uint64_t rows, std::uint64_t columns);

/// The same rows as sparse, without stored zeros, or as dense. Not copied when they are so already:
/// `rows` must then outlive the result.
Rows as_sparse(RowsView rows);
Rows as_dense(RowsView rows);

/// As sparse or as dense rows.
Rows as_kind(bool sparse, RowsView rows);

/// A copy of the rows with these numbers, in this order.
SparseMatrix gather_rows(SparseView rows, std::span<const std::uint32_t> numbers);
Rows gather(RowsView rows, std::span<const std::uint32_t> numbers);

/// Throws InvalidArgument unless the column numbers of every row are ascending, different and below
/// columns(). For arrays that come from outside the library.
void require_sound(SparseView rows);

}  // namespace mbn
