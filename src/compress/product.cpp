// SPDX-License-Identifier: Apache-2.0
#include "compress/product.hpp"

#include <algorithm>

namespace mbn {

namespace {

constexpr std::size_t kPanelsPerTask = 16;

void grow(LargeArray<float>& array, std::size_t count) {
  if (array.size() < count) array.resize(count);
}

}  // namespace

void Multiplier::multiply(StridedCells a, StridedCells b, std::size_t rows, std::size_t inner,
                          std::size_t columns, float* c, Job& job,
                          const std::function<void(const ProductBlock&)>& after) {
  const std::size_t lefts = left_panels(rows);
  const std::size_t rights = right_panels(columns);
  grow(left_, lefts * kLeftPanel * inner);
  grow(right_, rights * kRightPanel * inner);
  const std::size_t left_tasks = blocks(lefts, kPanelsPerTask);
  job.parallel(left_tasks + blocks(rights, kPanelsPerTask), [&](std::size_t task, unsigned) {
    if (task < left_tasks) {
      const std::size_t first = task * kPanelsPerTask;
      pack_left(a, rows, inner, first, std::min(first + kPanelsPerTask, lefts), left_.data());
    } else {
      const std::size_t first = (task - left_tasks) * kPanelsPerTask;
      pack_right(b, inner, columns, first, std::min(first + kPanelsPerTask, rights), right_.data());
    }
  });
  const std::size_t row_blocks = blocks(rows, kProductRows);
  job.parallel(row_blocks * blocks(columns, kProductColumns), [&](std::size_t task, unsigned) {
    ProductBlock block;
    block.first_row = task % row_blocks * kProductRows;
    block.rows = std::min(kProductRows, rows - block.first_row);
    block.first_column = task / row_blocks * kProductColumns;
    block.columns = std::min(kProductColumns, columns - block.first_column);
    multiply_packed(left_.data(), right_.data(), inner, block, c, columns);
    if (after) after(block);
  });
}

}  // namespace mbn
