// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mbn {

/// Products of dense float matrices. Every cell is one chain of fused multiply-adds in the order of
/// the inner index, so it does not depend on blocking, batch, number of threads or other rows, to
/// the last bit, nor on the processor (but see ProductBlock::fused).
///
/// Both factors are packed first, in panels: kLeftPanel rows of the left one, kRightPanel columns
/// of the right one. For each inner index the cells of a panel lie side by side, with zeros after
/// the last row or column. Packed factors must be aligned to 64 bytes, as a LargeArray is.
inline constexpr std::size_t kLeftPanel = 6;
inline constexpr std::size_t kRightPanel = 16;

/// A matrix with any strides: cell (i, j) is cells[i * row_step + j * column_step].
struct StridedCells {
  const float* cells = nullptr;
  std::size_t row_step = 0;
  std::size_t column_step = 1;
};

constexpr std::size_t left_panels(std::size_t rows) {
  return (rows + kLeftPanel - 1) / kLeftPanel;
}
constexpr std::size_t right_panels(std::size_t columns) {
  return (columns + kRightPanel - 1) / kRightPanel;
}

/// Packs panels `first` .. `last`-1 of a left factor (rows x inner) or a right one (inner x
/// columns). `packed` is where panel 0 begins; a panel takes inner * its width cells.
void pack_left(StridedCells a, std::size_t rows, std::size_t inner, std::size_t first,
               std::size_t last, float* packed);
void pack_right(StridedCells b, std::size_t inner, std::size_t columns, std::size_t first,
                std::size_t last, float* packed);

/// A part of a product.
struct ProductBlock {
  std::size_t first_row = 0;  ///< a multiple of kLeftPanel
  std::size_t rows = 0;
  std::size_t first_column = 0;  ///< a multiple of kRightPanel
  std::size_t columns = 0;
  /// Every step rounds once, as a fused multiply-add does, on every processor: those without such
  /// an instruction compute it in double, about eight times slower. False lets them round twice.
  bool fused = true;
};

/// Computes one block of c = a b; `c` is where cell (0, 0) of the whole product is.
void multiply_packed(const float* left, const float* right, std::size_t inner,
                     const ProductBlock& block, float* c, std::size_t c_stride);

/// The size of the blocks that a core works on at a time: these rows of the left factor and columns
/// of the right one, over a few hundred inner steps, fit together in an L2 cache of 512 kB.
inline constexpr std::size_t kProductRows = 16 * kLeftPanel;
inline constexpr std::size_t kProductColumns = 16 * kRightPanel;

/// Computes all of c = a b on the calling thread, block by block. For many left factors with one
/// right factor, which is packed once. For estimates: steps may round twice (ProductBlock::fused).
void multiply_blocks(const float* left, const float* right, std::size_t rows, std::size_t inner,
                     std::size_t columns, float* c, std::size_t c_stride);

/// One step of Adam (Kingma and Ba, 2015) on `count` weights: updates the running means of the
/// gradient and of its square, then weights -= rate * mean / (sqrt(square) + epsilon). `rate` and
/// `epsilon` include the bias correction.
struct AdamStep {
  float rate = 0;
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
};
void adam_step(const AdamStep& step, const float* gradient, std::size_t count, float* weights,
               float* mean, float* square);

/// The same in plain loops: the reference in tests, and the code for processors without vectors.
namespace reference {
void multiply_packed(const float* left, const float* right, std::size_t inner,
                     const ProductBlock& block, float* c, std::size_t c_stride);
void adam_step(const AdamStep& step, const float* gradient, std::size_t count, float* weights,
               float* mean, float* square);
}  // namespace reference

}  // namespace mbn
