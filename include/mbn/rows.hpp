// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <mbn/matrix.hpp>
#include <mbn/sparse.hpp>

namespace mbn {

/// Rows of data, dense or sparse: what `fit` and a model take. Made by itself wherever a matrix or
/// a view of one stands. Somebody else owns the cells. The two kinds give the same answers: whether
/// the network works on dense or on compressed rows depends on how many cells are zero, not on how
/// they came.
class RowsView {
 public:
  RowsView() = default;
  // NOLINTBEGIN(google-explicit-constructor): any rows are rows.
  RowsView(MatrixView dense) : dense_(dense) {}
  RowsView(const Matrix& dense) : dense_(dense) {}
  RowsView(SparseView sparse) : sparse_(sparse), is_sparse_(true) {}
  RowsView(const SparseMatrix& sparse) : RowsView(sparse.view()) {}
  // NOLINTEND(google-explicit-constructor)

  bool is_sparse() const { return is_sparse_; }
  std::size_t rows() const { return is_sparse_ ? sparse_.rows() : dense_.rows(); }
  std::size_t columns() const { return is_sparse_ ? sparse_.columns() : dense_.columns(); }

  /// The rows as what they are; empty when they are the other kind.
  MatrixView dense() const { return dense_; }
  SparseView sparse() const { return sparse_; }

  RowsView slice(std::size_t first, std::size_t count) const {
    if (is_sparse_) return sparse_.slice(first, count);
    return dense_.slice(first, count);
  }

 private:
  MatrixView dense_;
  SparseView sparse_;
  bool is_sparse_ = false;
};

}  // namespace mbn
