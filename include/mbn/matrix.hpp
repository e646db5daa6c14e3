// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace mbn {

/// What one cell of a matrix is. Pixels stay bytes; everything else is float32.
enum class ElementType : std::uint8_t { float32, uint8 };

constexpr std::size_t element_bytes(ElementType type) {
  return type == ElementType::float32 ? sizeof(float) : sizeof(std::uint8_t);
}

template <class T>
constexpr ElementType element_type_of() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::uint8_t>);
  return std::is_same_v<T, float> ? ElementType::float32 : ElementType::uint8;
}

struct Shape {
  std::size_t rows = 0;
  std::size_t columns = 0;
  ElementType type = ElementType::float32;

  std::size_t bytes() const { return rows * columns * element_bytes(type); }
  bool operator==(const Shape&) const = default;
};

/// A view of rows of float32 or uint8. Does not own them; cheap to copy; valid while the owner
/// lives.
class MatrixView {
 public:
  MatrixView() = default;

  /// `row_stride` counts elements from one row to the next; 0 means packed rows.
  template <class T>
  MatrixView(const T* data, std::size_t rows, std::size_t columns, std::size_t row_stride = 0)
      : data_(data),
        shape_{rows, columns, element_type_of<T>()},
        row_stride_(row_stride != 0 ? row_stride : columns) {}

  std::size_t rows() const { return shape_.rows; }
  std::size_t columns() const { return shape_.columns; }
  ElementType type() const { return shape_.type; }
  Shape shape() const { return shape_; }
  std::size_t row_stride() const { return row_stride_; }

  /// The first cell of a row; `T` must be the matrix's element type.
  template <class T>
  const T* row(std::size_t index) const {
    assert(element_type_of<T>() == type() && index < rows());
    return static_cast<const T*>(data_) + index * row_stride_;
  }

  /// One cell, whatever the element type. For tests and small loops.
  float at(std::size_t row_index, std::size_t column) const {
    return type() == ElementType::float32
               ? row<float>(row_index)[column]
               : static_cast<float>(row<std::uint8_t>(row_index)[column]);
  }

  /// The `count` rows that begin with row `first`.
  MatrixView slice(std::size_t first, std::size_t count) const {
    assert(first + count <= rows());
    MatrixView part = *this;
    part.data_ = static_cast<const std::byte*>(data_) + first * row_stride_ * element_bytes(type());
    part.shape_.rows = count;
    return part;
  }

  /// Calls `body(const T* first_cell)` with the element type as `T`.
  template <class Body>
  decltype(auto) visit(Body&& body) const {
    if (type() == ElementType::float32) return body(static_cast<const float*>(data_));
    return body(static_cast<const std::uint8_t*>(data_));
  }

 private:
  const void* data_ = nullptr;
  Shape shape_;
  std::size_t row_stride_ = 0;
};

/// Rows that own their memory: packed cells on the heap, or a mapped file. Moves, does not copy.
class Matrix {
 public:
  Matrix() = default;

  /// A new matrix of zeros.
  Matrix(std::size_t rows, std::size_t columns, ElementType type = ElementType::float32)
      : Matrix(Shape{rows, columns, type}) {}
  explicit Matrix(Shape shape);

  /// A matrix over memory that `owner` keeps alive (a mapped file, another library's array).
  /// Such a matrix is read-only: `mutable_row` must not be called on it.
  Matrix(std::shared_ptr<const void> owner, MatrixView view)
      : owner_(std::move(owner)), view_(view) {}

  Matrix(Matrix&&) noexcept = default;
  Matrix& operator=(Matrix&&) noexcept = default;
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  /// A packed copy of any rows.
  static Matrix copy_of(MatrixView view);

  // NOLINTNEXTLINE(google-explicit-constructor): a matrix is a view wherever one is asked for.
  operator MatrixView() const { return view_; }
  MatrixView view() const { return view_; }
  std::size_t rows() const { return view_.rows(); }
  std::size_t columns() const { return view_.columns(); }
  ElementType type() const { return view_.type(); }
  Shape shape() const { return view_.shape(); }
  float at(std::size_t row, std::size_t column) const { return view_.at(row, column); }

  template <class T>
  const T* row(std::size_t index) const {
    return view_.row<T>(index);
  }
  template <class T>
  T* mutable_row(std::size_t index) {
    assert(writable_);
    return const_cast<T*>(view_.row<T>(index));
  }

 private:
  std::shared_ptr<const void> owner_;
  MatrixView view_;
  bool writable_ = false;
};

}  // namespace mbn
