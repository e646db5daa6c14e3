// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/matrix.hpp>

namespace mbn {
namespace {

TEST(Matrix, StartsWithZeros) {
  const Matrix matrix(3, 2, ElementType::uint8);
  EXPECT_EQ(matrix.shape(), (Shape{3, 2, ElementType::uint8}));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(matrix.at(i, j), 0);
  }
}

TEST(Matrix, ViewsMayHaveAStrideAndCopiesArePacked) {
  const float cells[] = {1, 2, 9, 3, 4, 9};
  const MatrixView view(cells, 2, 2, 3);
  EXPECT_EQ(view.at(1, 0), 3);
  const Matrix copy = Matrix::copy_of(view);
  EXPECT_EQ(copy.view().row_stride(), 2U);
  EXPECT_EQ(copy.at(1, 1), 4);
}

TEST(Matrix, SlicesKeepTheStride) {
  const std::uint8_t cells[] = {1, 2, 9, 3, 4, 9, 5, 6, 9};
  const MatrixView view(cells, 3, 2, 3);
  const MatrixView slice = view.slice(1, 2);
  EXPECT_EQ(slice.rows(), 2U);
  EXPECT_EQ(slice.at(0, 1), 4);
  EXPECT_EQ(slice.at(1, 0), 5);
}

TEST(Matrix, AnImpossibleSizeIsRefused) {
  EXPECT_THROW(Matrix(std::size_t{1} << 40, std::size_t{1} << 40), InvalidArgument);
}

}  // namespace
}  // namespace mbn
