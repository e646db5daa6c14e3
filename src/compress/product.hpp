// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "base/job.hpp"
#include "base/large_array.hpp"
#include "kernels/dense_product.hpp"

namespace mbn {

/// Matrix products on all threads, with the space for packing that they share. A product is cut
/// into blocks by its size alone; `after`, when given, is called for each block when it is done and
/// still in the cache.
class Multiplier {
 public:
  /// c = a b for a (rows x inner), b (inner x columns) and packed rows of c.
  void multiply(StridedCells a, StridedCells b, std::size_t rows, std::size_t inner,
                std::size_t columns, float* c, Job& job,
                const std::function<void(const ProductBlock&)>& after = nullptr);

 private:
  LargeArray<float> left_;
  LargeArray<float> right_;
};

}  // namespace mbn
