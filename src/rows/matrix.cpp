// SPDX-License-Identifier: Apache-2.0
//
// The size is checked before memory is allocated, because shapes come from files. Cells start as
// zeros.
#include <cstring>
#include <new>

#include <mbn/error.hpp>
#include <mbn/matrix.hpp>

#include "base/checked.hpp"

namespace mbn {

Matrix::Matrix(Shape shape) : writable_(true) {
  const auto cells = checked_product(shape.rows, shape.columns);
  const auto bytes = cells ? checked_product(*cells, element_bytes(shape.type)) : std::nullopt;
  if (!bytes) {
    throw InvalidArgument(ErrorCode::too_large,
                          "a matrix of that many rows and columns has no size");
  }
  const auto make = [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const std::shared_ptr<T[]> cells_owner(new T[*cells]());
    view_ = MatrixView(cells_owner.get(), shape.rows, shape.columns);
    owner_ = std::shared_ptr<const void>(cells_owner, cells_owner.get());
  };
  if (shape.type == ElementType::float32) {
    make(static_cast<float*>(nullptr));
  } else {
    make(static_cast<std::uint8_t*>(nullptr));
  }
}

Matrix Matrix::copy_of(MatrixView view) {
  Matrix copy(view.shape());
  const auto copy_rows = [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    for (std::size_t i = 0; i < view.rows(); ++i) {
      std::memcpy(copy.mutable_row<T>(i), view.row<T>(i), view.columns() * sizeof(T));
    }
  };
  if (view.type() == ElementType::float32) {
    copy_rows(static_cast<float*>(nullptr));
  } else {
    copy_rows(static_cast<std::uint8_t*>(nullptr));
  }
  return copy;
}

}  // namespace mbn
