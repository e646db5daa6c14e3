// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/rows.hpp>

#include "base/job.hpp"

namespace mbn {

/// Rows of either kind, owned or looked at. Moves, does not copy.
class RowStore {
 public:
  RowStore() = default;
  explicit RowStore(Matrix dense) : dense_(std::move(dense)), view_(dense_.view()) {}
  explicit RowStore(SparseMatrix sparse) : sparse_(std::move(sparse)), view_(sparse_.view()) {}
  /// Looks at rows that somebody else keeps.
  static RowStore of(RowsView rows) {
    RowStore store;
    store.view_ = rows;
    return store;
  }

  RowStore(RowStore&&) noexcept = default;  // the arrays stay where they are, and so does the view
  RowStore& operator=(RowStore&&) noexcept = default;
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;

  RowsView view() const { return view_; }

 private:
  Matrix dense_;
  SparseMatrix sparse_;
  RowsView view_;
};

/// Cells that are not zero, whatever is stored.
std::uint64_t count_cells(RowsView rows, Job& job);

/// Whether rows with so many cells that are not zero are worked on compressed. The one place that
/// decides it, from the data alone: a matrix and its sparse copy take the same way.
bool mostly_zeros(std::uint64_t cells, std::uint64_t rows, std::uint64_t columns);

/// Bytes of compressed rows.
std::uint64_t sparse_bytes(std::uint64_t cells, std::uint64_t rows);

/// The same rows compressed, without stored zeros, or dense; looked at where they are so already.
RowStore as_sparse(RowsView rows);
RowStore as_dense(RowsView rows);

/// The numbered rows of a sparse matrix.
SparseMatrix gather_rows(SparseView rows, std::span<const std::uint32_t> numbers);

/// InvalidArgument unless starts, columns and lengths are those of compressed rows: for arrays that
/// come from outside the library.
void require_sound(SparseView rows);

}  // namespace mbn
