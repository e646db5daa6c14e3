// SPDX-License-Identifier: Apache-2.0
//
// A blocked matrix product after Goto and van de Geijn. Both factors are packed so that the
// innermost loop reads memory in order: at each inner index it loads one or two vectors of the
// right panels and multiplies them with each cell of the left panels, into sums that stay in
// registers: 6 rows x 16 columns with AVX2; two panels each way, 12 x 32, with AVX-512. The inner
// index is cut into blocks so that a right panel stays in the L1 cache while left panels stream
// past. The sums of a later block start from the cell of the product, so every cell is one chain
//
//     c = fma(a_k, b_k, c),      k = 0, 1, 2, ...
//
// however the product was cut. BLAS libraries do not promise that: they round differently for
// another size, another place of a row in the batch, or another number of threads.
//
// The code is in dense_product-inl.h and is compiled for every instruction set; the best one that
// the processor has is chosen at the first call.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dense_product-inl.h"
#include <hwy/foreach_target.h>
// The target that every machine has comes last.
#include "kernels/dense_product-inl.h"
#include "kernels/targets.hpp"

#include <algorithm>
#include <cmath>

namespace mbn {

namespace {
HWY_EXPORT(multiply_packed);
HWY_EXPORT(adam_step);

// Packs panels of `Width` lines; lines are rows of a left factor or columns of a right one.
// Neighbours in memory are read together, whether a line is contiguous or the lines of a panel lie
// side by side.
template <std::size_t Width>
void pack(const float* cells, std::size_t line_step, std::size_t inner_step, std::size_t lines,
          std::size_t inner, std::size_t first, std::size_t last, float* packed) {
  for (std::size_t panel = first; panel < last; ++panel) {
    float* to = packed + panel * Width * inner;
    const float* from = cells + panel * Width * line_step;
    const std::size_t count = std::min(Width, lines - panel * Width);
    if (count < Width) std::fill_n(to, Width * inner, 0.0F);
    if (count == Width && line_step == 1) {
      for (std::size_t k = 0; k < inner; ++k)
        std::copy_n(from + k * inner_step, Width, to + k * Width);
    } else if (count == Width && inner_step == 1) {
      for (std::size_t k = 0; k < inner; ++k) {
        for (std::size_t line = 0; line < Width; ++line)
          to[k * Width + line] = from[line * line_step + k];
      }
    } else {
      for (std::size_t k = 0; k < inner; ++k) {
        for (std::size_t line = 0; line < count; ++line) {
          to[k * Width + line] = from[line * line_step + k * inner_step];
        }
      }
    }
  }
}
}  // namespace

void pack_left(StridedCells a, std::size_t rows, std::size_t inner, std::size_t first,
               std::size_t last, float* packed) {
  pack<kLeftPanel>(a.cells, a.row_step, a.column_step, rows, inner, first, last, packed);
}

void pack_right(StridedCells b, std::size_t inner, std::size_t columns, std::size_t first,
                std::size_t last, float* packed) {
  pack<kRightPanel>(b.cells, b.column_step, b.row_step, columns, inner, first, last, packed);
}

void multiply_packed(const float* left, const float* right, std::size_t inner,
                     const ProductBlock& block, float* c, std::size_t c_stride) {
  MBN_DISPATCH(multiply_packed)(left, right, inner, block, c, c_stride);
}

void multiply_blocks(const float* left, const float* right, std::size_t rows, std::size_t inner,
                     std::size_t columns, float* c, std::size_t c_stride) {
  // A block of the right factor is read from memory once and used by all left blocks.
  for (std::size_t j = 0; j < columns; j += kProductColumns) {
    for (std::size_t i = 0; i < rows; i += kProductRows) {
      multiply_packed(
          left, right, inner,
          {i, std::min(kProductRows, rows - i), j, std::min(kProductColumns, columns - j), false},
          c, c_stride);
    }
  }
}

void adam_step(const AdamStep& step, const float* gradient, std::size_t count, float* weights,
               float* mean, float* square) {
  MBN_DISPATCH(adam_step)(step, gradient, count, weights, mean, square);
}

namespace reference {

void multiply_packed(const float* left, const float* right, std::size_t inner,
                     const ProductBlock& block, float* c, std::size_t c_stride) {
  for (std::size_t i = block.first_row; i < block.first_row + block.rows; ++i) {
    for (std::size_t j = block.first_column; j < block.first_column + block.columns; ++j) {
      const float* a = left + i / kLeftPanel * kLeftPanel * inner + i % kLeftPanel;
      const float* b = right + j / kRightPanel * kRightPanel * inner + j % kRightPanel;
      float sum = 0;
      for (std::size_t k = 0; k < inner; ++k) {
        sum = std::fma(a[k * kLeftPanel], b[k * kRightPanel], sum);
      }
      c[i * c_stride + j] = sum;
    }
  }
}

void adam_step(const AdamStep& step, const float* gradient, std::size_t count, float* weights,
               float* mean, float* square) {
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradient[i];
    mean[i] = step.beta1 * mean[i] + (1 - step.beta1) * g;
    square[i] = step.beta2 * square[i] + (1 - step.beta2) * (g * g);
    weights[i] -= step.rate * mean[i] / (std::sqrt(square[i]) + step.epsilon);
  }
}

}  // namespace reference

}  // namespace mbn
