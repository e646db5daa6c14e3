// SPDX-License-Identifier: Apache-2.0
//
// A blocked matrix product in integers. One instruction multiplies pairs of int16 cells and adds
// each pair into an int32 lane, so a processor with AVX2 does 16 multiply-adds per instruction,
// twice as many as in float32, and exactly.
//
// The rows on the right are packed into panels: for each pair of cells, that pair of 2 x lanes
// rows side by side. A tile of four rows on the left against one panel keeps its eight sums in
// registers; each step loads two vectors of the panel and broadcasts four pairs. Rows are cut into
// chunks of cells so that a panel stays in the L1 cache while the left rows stream past from L2.
//
// The code is in integer_dot-inl.h and is compiled for every instruction set; the best one that
// the processor has is chosen at the first call.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/integer_dot-inl.h"
#include <hwy/foreach_target.h>
// The target that every machine has comes last.
#include "kernels/integer_dot-inl.h"
#include "kernels/targets.hpp"

namespace mbn {

namespace {
HWY_EXPORT(integer_products);
HWY_EXPORT(find_below);
HWY_EXPORT(find_below_each);
HWY_EXPORT(squared_distance);
}  // namespace

void integer_products(const std::int16_t* a, std::size_t rows_a, const std::int16_t* b,
                      std::size_t rows_b, std::size_t stride, std::int32_t* c,
                      std::int16_t* scratch) {
  MBN_DISPATCH(integer_products)
  (a, rows_a, b, rows_b, stride, c, scratch);
}

std::size_t find_below(const std::int32_t* products, const std::int32_t* norms, std::size_t count,
                       std::int32_t limit, std::uint32_t* hits) {
  return MBN_DISPATCH(find_below)(products, norms, count, limit, hits);
}

std::size_t find_below_each(const std::int32_t* products, std::int32_t norm,
                            const std::int32_t* limits, std::size_t count, std::uint32_t* hits) {
  return MBN_DISPATCH(find_below_each)(products, norm, limits, count, hits);
}

std::uint64_t squared_distance(const std::uint8_t* a, const std::uint8_t* b, std::size_t count) {
  return MBN_DISPATCH(squared_distance)(a, b, count);
}

namespace reference {

void integer_products(const std::int16_t* a, std::size_t rows_a, const std::int16_t* b,
                      std::size_t rows_b, std::size_t stride, std::int32_t* c) {
  for (std::size_t i = 0; i < rows_a; ++i) {
    for (std::size_t j = 0; j < rows_b; ++j) {
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < stride; ++k) sum += a[i * stride + k] * b[j * stride + k];
      c[i * product_stride(rows_b) + j] = sum;
    }
  }
}

std::size_t find_below(const std::int32_t* products, const std::int32_t* norms, std::size_t count,
                       std::int32_t limit, std::uint32_t* hits) {
  std::size_t found = 0;
  for (std::size_t j = 0; j < count; ++j) {
    if (norms[j] - 2 * products[j] < limit) hits[found++] = static_cast<std::uint32_t>(j);
  }
  return found;
}

std::size_t find_below_each(const std::int32_t* products, std::int32_t norm,
                            const std::int32_t* limits, std::size_t count, std::uint32_t* hits) {
  std::size_t found = 0;
  for (std::size_t j = 0; j < count; ++j) {
    if (norm - 2 * products[j] < limits[j]) hits[found++] = static_cast<std::uint32_t>(j);
  }
  return found;
}

std::uint64_t squared_distance(const std::uint8_t* a, const std::uint8_t* b, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const int difference = static_cast<int>(a[k]) - static_cast<int>(b[k]);
    sum += static_cast<std::uint64_t>(difference * difference);
  }
  return sum;
}

}  // namespace reference

}  // namespace mbn
