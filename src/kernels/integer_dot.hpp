// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mbn {

/// Inner products of blocks of int16 rows, and the search for the small ones among them. All
/// arithmetic is in integers, so every processor and every blocking gives the same numbers. The
/// caller makes sure that no inner product, nor a part of one, leaves the range of int32.

/// The stride of a product with `rows_b` rows on the right: cells from one row of it to the next.
constexpr std::size_t product_stride(std::size_t rows_b) {
  return (rows_b + 63) / 64 * 64;
}

/// Cells of `scratch` that `integer_products` needs for `rows_b` rows of `stride` cells.
constexpr std::size_t product_scratch(std::size_t rows_b, std::size_t stride) {
  return product_stride(rows_b) * stride;
}

/// c[i][j] = <a_i, b_j> for row-major `a` and `b`, whose rows have `stride` cells (an even number;
/// pad with zeros). Row i of the result begins at c + i * product_stride(rows_b).
void integer_products(const std::int16_t* a, std::size_t rows_a, const std::int16_t* b,
                      std::size_t rows_b, std::size_t stride, std::int32_t* c,
                      std::int16_t* scratch);

/// Writes to `hits` the j, ascending, with norms[j] - 2 * products[j] < limit; returns how many.
std::size_t find_below(const std::int32_t* products, const std::int32_t* norms, std::size_t count,
                       std::int32_t limit, std::uint32_t* hits);

/// The same with one norm and a limit for each j: the j with norm - 2 * products[j] < limits[j].
std::size_t find_below_each(const std::int32_t* products, std::int32_t norm,
                            const std::int32_t* limits, std::size_t count, std::uint32_t* hits);

/// The sum of squared differences of `count` bytes.
std::uint64_t squared_distance(const std::uint8_t* a, const std::uint8_t* b, std::size_t count);

/// The same in plain loops: the reference that tests compare every target with.
namespace reference {
void integer_products(const std::int16_t* a, std::size_t rows_a, const std::int16_t* b,
                      std::size_t rows_b, std::size_t stride, std::int32_t* c);
std::size_t find_below(const std::int32_t* products, const std::int32_t* norms, std::size_t count,
                       std::int32_t limit, std::uint32_t* hits);
std::size_t find_below_each(const std::int32_t* products, std::int32_t norm,
                            const std::int32_t* limits, std::size_t count, std::uint32_t* hits);
std::uint64_t squared_distance(const std::uint8_t* a, const std::uint8_t* b, std::size_t count);
}  // namespace reference

}  // namespace mbn
