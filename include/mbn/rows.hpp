// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include <mbn/matrix.hpp>
#include <mbn/sparse.hpp>

namespace mbn {

/// A view of rows, dense or sparse: what `fit` and a model take. Converts implicitly from a matrix
/// or a view of one. Does not own its memory. Dense and sparse rows with the same values give the
/// same answers: whether the network works on dense or on compressed rows depends on the share of
/// nonzeros, not on the kind that was given.
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

  /// The dense or the sparse view; empty when the rows are of the other kind.
  MatrixView dense() const { return dense_; }
  SparseView sparse() const { return sparse_; }

  /// Bytes stored: all cells of dense rows; values and columns of the nonzeros of sparse rows.
  std::uint64_t bytes() const {
    if (!is_sparse_) return dense_.shape().bytes();
    return sparse_bytes(sparse_.nonzeros(), sparse_.rows());
  }

  RowsView slice(std::size_t first, std::size_t count) const {
    if (is_sparse_) return sparse_.slice(first, count);
    return dense_.slice(first, count);
  }

 private:
  MatrixView dense_;
  SparseView sparse_;
  bool is_sparse_ = false;
};

/// Rows of data that own their memory, dense or sparse; or, from `Rows::borrow`, a view of rows
/// that the caller owns. Converts implicitly to a RowsView. Moves, does not copy.
class Rows {
 public:
  Rows() = default;
  // NOLINTBEGIN(google-explicit-constructor): any rows are rows.
  Rows(Matrix dense) : rows_(std::move(dense)) {}
  Rows(SparseMatrix sparse) : rows_(std::move(sparse)) {}
  operator RowsView() const { return view(); }
  // NOLINTEND(google-explicit-constructor)

  /// A view of `rows`, which must outlive the result: nothing is copied.
  static Rows borrow(RowsView rows) {
    Rows borrowed;
    borrowed.rows_ = rows;
    return borrowed;
  }

  Rows(Rows&&) noexcept = default;
  Rows& operator=(Rows&&) noexcept = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  RowsView view() const {
    return std::visit([](const auto& rows) { return RowsView(rows); }, rows_);
  }
  bool is_sparse() const { return view().is_sparse(); }
  std::size_t rows() const { return view().rows(); }
  std::size_t columns() const { return view().columns(); }
  /// Bytes stored: all cells of dense rows; values and columns of the nonzeros of sparse rows.
  std::uint64_t bytes() const { return view().bytes(); }

  /// The owned matrix; std::bad_variant_access when the rows are of the other kind or borrowed.
  Matrix& dense() { return std::get<Matrix>(rows_); }
  const Matrix& dense() const { return std::get<Matrix>(rows_); }
  SparseMatrix& sparse() { return std::get<SparseMatrix>(rows_); }
  const SparseMatrix& sparse() const { return std::get<SparseMatrix>(rows_); }

 private:
  std::variant<RowsView, Matrix, SparseMatrix> rows_;
};

}  // namespace mbn
