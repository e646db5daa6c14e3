// SPDX-License-Identifier: Apache-2.0
#include "compress/product.hpp"

#include <algorithm>

namespace mbn {

namespace {

// A block of the left factor, 96 rows x 256 steps, and one of the right factor, 256 columns x 256
// steps, stay together in an L2 cache of 512 kB.
constexpr std::size_t kBlockRows = 16 * kLeftPanel;
constexpr std::size_t kBlockColumns = 16 * kRightPanel;
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
  const std::size_t row_blocks = blocks(rows, kBlockRows);
  job.parallel(row_blocks * blocks(columns, kBlockColumns), [&](std::size_t task, unsigned) {
    ProductBlock block;
    block.first_row = task % row_blocks * kBlockRows;
    block.rows = std::min(kBlockRows, rows - block.first_row);
    block.first_column = task / row_blocks * kBlockColumns;
    block.columns = std::min(kBlockColumns, columns - block.first_column);
    multiply_packed(left_.data(), right_.data(), inner, block, c, columns);
    if (after) after(block);
  });
}

}  // namespace mbn
