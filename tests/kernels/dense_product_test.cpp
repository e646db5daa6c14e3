// SPDX-License-Identifier: Apache-2.0
#include "kernels/dense_product.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/large_array.hpp"
#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

std::vector<float> numbers(std::size_t count, std::uint32_t stream) {
  Random random(1, Purpose::generate, 77, stream);
  std::vector<float> cells(count);
  for (float& cell : cells) cell = static_cast<float>(2 * random.uniform() - 1);
  return cells;
}

struct Factors {
  std::size_t rows, inner, columns;
  std::vector<float> a = numbers(rows * inner, 1);
  std::vector<float> b = numbers(inner * columns, 2);
  LargeArray<float> left = LargeArray<float>(left_panels(rows) * kLeftPanel * inner);
  LargeArray<float> right = LargeArray<float>(right_panels(columns) * kRightPanel * inner);

  void pack() {
    pack_left({a.data(), inner, 1}, rows, inner, 0, left_panels(rows), left.data());
    pack_right({b.data(), columns, 1}, inner, columns, 0, right_panels(columns), right.data());
  }
  std::vector<float> product(std::size_t block_rows, std::size_t block_columns) const {
    std::vector<float> c(rows * columns, NAN);
    for (std::size_t i = 0; i < rows; i += block_rows) {
      for (std::size_t j = 0; j < columns; j += block_columns) {
        multiply_packed(
            left.data(), right.data(), inner,
            {i, std::min(block_rows, rows - i), j, std::min(block_columns, columns - j)}, c.data(),
            columns);
      }
    }
    return c;
  }
};

TEST(DenseProduct, IsTheProductWithinRounding) {
  for (const auto& [rows, inner, columns] : {std::array<std::size_t, 3>{1, 1, 1},
                                             {5, 300, 7},
                                             {6, 3, 16},
                                             {13, 257, 33},
                                             {40, 600, 50}}) {
    Factors factors{rows, inner, columns};
    factors.pack();
    on_every_target([&, r = rows, k = inner, n = columns] {
      const std::vector<float> c = factors.product(r, n);
      for (std::size_t i = 0; i < r; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          double sum = 0;
          for (std::size_t x = 0; x < k; ++x) {
            sum += double{factors.a[i * k + x]} * double{factors.b[x * n + j]};
          }
          ASSERT_NEAR(c[i * n + j], sum, 1e-4) << i << ", " << j;
        }
      }
    });
  }
}

TEST(DenseProduct, CellsDoNotDependOnTheBlocks) {
  Factors factors{50, 700, 70};
  factors.pack();
  on_every_target([&] {
    const std::vector<float> whole = factors.product(50, 70);
    EXPECT_EQ(whole, factors.product(6, 16));
    EXPECT_EQ(whole, factors.product(12, 48));
    // One row alone, as the last row of its panel.
    Factors last{1, 700, 70};
    last.a.assign(factors.a.end() - 700, factors.a.end());
    last.b = factors.b;
    last.pack();
    EXPECT_EQ(last.product(1, 70), std::vector<float>(whole.end() - 70, whole.end()));
  });
}

// Whether a product that need not be fused rounds each step once all the same.
bool rounds_once() {
  const float step = 1 + std::ldexp(1.0F, -12);
  Factors factors{1, 2, 1, {1, step}, {-1, step}};
  factors.pack();
  float c = 0;
  multiply_blocks(factors.left.data(), factors.right.data(), 1, 2, 1, &c, 1);
  return c == std::fma(step, step, -1.0F);
}

// Numbers of all sizes and signs, so that sums cancel, are rounded at ties, overflow and underflow.
std::vector<float> wild_numbers(std::size_t count, std::uint32_t stream) {
  Random random(1, Purpose::generate, 78, stream);
  std::vector<float> cells(count);
  for (float& cell : cells) {
    const int exponent = static_cast<int>(random.below(5)) * 12 - 24;
    const int digits = random.below(2) == 0 ? static_cast<int>(random.below(9)) - 4
                                            : static_cast<int>(random.below(1U << 24)) - (1 << 23);
    cell = std::ldexp(static_cast<float>(digits), exponent);
    if (random.below(40) == 0) cell = std::ldexp(cell, random.below(2) == 0 ? 70 : -120);
  }
  return cells;
}

TEST(DenseProduct, EveryTargetRoundsEachStepOnce) {
  for (std::uint32_t trial = 0; trial < 40; ++trial) {
    Factors factors{24, 9, 64, wild_numbers(24 * 9, 2 * trial),
                    wild_numbers(9 * 64, 2 * trial + 1)};
    factors.pack();
    std::vector<float> expected(24 * 64);
    reference::multiply_packed(factors.left.data(), factors.right.data(), 9, {0, 24, 0, 64},
                               expected.data(), 64);
    on_every_target([&] {
      const std::vector<float> seen = factors.product(24, 64);
      for (std::size_t i = 0; i < seen.size(); ++i) {
        if (std::isnan(expected[i])) {
          ASSERT_TRUE(std::isnan(seen[i])) << i;
        } else {
          ASSERT_EQ(seen[i], expected[i]) << i;
        }
      }
    });
  }
}

// Sizes around every edge of panels, of tiles of one and two panels, and of blocks.
TEST(DenseProduct, AllBlocksEqualTheReference) {
  for (const auto& [rows, inner, columns] : {std::array<std::size_t, 3>{1, 5, 33},
                                             {6, 256, 32},
                                             {7, 257, 17},
                                             {11, 1, 48},
                                             {12, 513, 31},
                                             {18, 40, 80},
                                             {97, 20, 257},
                                             {193, 3, 530}}) {
    Factors factors{rows, inner, columns};
    factors.pack();
    std::vector<float> expected(rows * columns);
    reference::multiply_packed(factors.left.data(), factors.right.data(), inner,
                               {0, rows, 0, columns}, expected.data(), columns);
    on_every_target([&, r = rows, k = inner, n = columns] {
      // The stride of the product may exceed its columns: nothing is written there.
      const std::size_t stride = n + 3;
      std::vector<float> c(r * stride, -7);
      multiply_blocks(factors.left.data(), factors.right.data(), r, k, n, c.data(), stride);
      const bool exact = rounds_once();
      for (std::size_t i = 0; i < r; ++i) {
        for (std::size_t j = 0; j < stride; ++j) {
          const float seen = c[i * stride + j];
          if (j >= n) {
            ASSERT_EQ(seen, -7) << i << ", " << j;
          } else if (exact) {
            ASSERT_EQ(seen, expected[i * n + j]) << i << ", " << j;
          } else {
            ASSERT_NEAR(seen, expected[i * n + j], 1e-4) << i << ", " << j;
          }
        }
      }
    });
  }
}

TEST(DenseProduct, TransposedFactorsPackToTheSameCells) {
  Factors factors{20, 30, 40};
  factors.pack();
  std::vector<float> turned_a(factors.a.size());
  std::vector<float> turned_b(factors.b.size());
  for (std::size_t k = 0; k < 30; ++k) {
    for (std::size_t i = 0; i < 20; ++i) turned_a[k * 20 + i] = factors.a[i * 30 + k];
    for (std::size_t j = 0; j < 40; ++j) turned_b[j * 30 + k] = factors.b[k * 40 + j];
  }
  LargeArray<float> left(factors.left.size());
  LargeArray<float> right(factors.right.size());
  pack_left({turned_a.data(), 1, 20}, 20, 30, 0, left_panels(20), left.data());
  pack_right({turned_b.data(), 1, 30}, 30, 40, 0, right_panels(40), right.data());
  EXPECT_EQ(left, factors.left);
  EXPECT_EQ(right, factors.right);
}

TEST(DenseProduct, AdamStepEqualsTheReference) {
  const std::vector<float> gradient = numbers(1003, 3);
  const AdamStep step{.rate = 0.01F};
  std::vector<float> weights = numbers(1003, 4);
  std::vector<float> mean(1003), square(1003);
  auto expected = weights;
  auto expected_mean = mean;
  auto expected_square = square;
  reference::adam_step(step, gradient.data(), 1003, expected.data(), expected_mean.data(),
                       expected_square.data());
  on_every_target([&] {
    std::vector<float> w = weights, m = mean, s = square;
    adam_step(step, gradient.data(), 1003, w.data(), m.data(), s.data());
    EXPECT_EQ(w, expected);
    EXPECT_EQ(m, expected_mean);
    EXPECT_EQ(s, expected_square);
  });
}

}  // namespace
}  // namespace mbn
