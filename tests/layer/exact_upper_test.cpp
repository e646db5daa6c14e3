// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "layer/search.hpp"

namespace mbn {
namespace {

// Codes with structure: rows of one group mostly share codes, so agreements are not all zero.
CodeMatrix make_codes(std::size_t rows, std::size_t clusterings, std::uint32_t centroids,
                      std::uint32_t groups) {
  CodeMatrix codes(rows, clusterings, centroids);
  Random random(11, Purpose::generate);
  codes.visit([&](auto* cells) {
    using Code = std::remove_pointer_t<decltype(cells)>;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t v = 0; v < clusterings; ++v) {
        const auto shared = static_cast<std::uint32_t>((i % groups) * 7 + v) % centroids;
        cells[i * clusterings + v] =
            static_cast<Code>(random.below(3) == 0 ? random.below(centroids) : shared);
      }
    }
  });
  return codes;
}

Draws make_draws(const CodeMatrix& codes, std::uint32_t centroids) {
  return draw({.seed = 3,
               .layer = 2,
               .clusterings = static_cast<std::uint32_t>(codes.clusterings()),
               .centroids = centroids,
               .features = drawn_features(0.5, codes.clusterings()),
               .input_rows = static_cast<std::uint32_t>(codes.rows()),
               .input_features = static_cast<std::uint32_t>(codes.clusterings())});
}

// The slow twin: compares every drawn feature of every drawn row.
CodeMatrix naive_codes(const CodeMatrix& pool, const Draws& draws, const CodeMatrix& rows) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t v = 0; v < draws.clusterings; ++v) {
      std::size_t best = 0;
      int most = -1;
      for (std::size_t j = 0; j < draws.centroids; ++j) {
        int agreement = 0;
        for (const std::uint32_t f : draws.columns_of(v)) {
          agreement += rows.at(i, f) == pool.at(draws.rows_of(v)[j], f) ? 1 : 0;
        }
        if (agreement > most) {
          most = agreement;
          best = j;
        }
      }
      codes.visit([&](auto* cells) {
        cells[i * draws.clusterings + v] =
            static_cast<std::remove_reference_t<decltype(*cells)>>(best);
      });
    }
  }
  return codes;
}

CodeMatrix search(const CodeMatrix& pool, const Draws& draws, const CodeMatrix& rows,
                  std::uint32_t threads = 1) {
  Job job({.threads = threads});
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  make_exact_upper_search(pool, draws)->encode(rows, codes, job);
  return codes;
}

struct Widths {
  std::uint32_t below;
  std::uint32_t own;
};

class ExactUpper : public testing::TestWithParam<Widths> {};

TEST_P(ExactUpper, AgreesWithThePlainLoop) {
  const CodeMatrix rows = make_codes(160, 30, GetParam().below, 9);
  const Draws draws = make_draws(rows, GetParam().own);
  EXPECT_EQ(search(rows, draws, rows), naive_codes(rows, draws, rows));
  EXPECT_EQ(search(rows, draws, rows, 3), naive_codes(rows, draws, rows));
}

// Code types of 8, 16 and 32 bits below; everything from one centroid to all rows.
INSTANTIATE_TEST_SUITE_P(AllWidths, ExactUpper,
                         testing::Values(Widths{2, 1}, Widths{20, 10}, Widths{256, 128},
                                         Widths{257, 160}, Widths{70000, 50}));

TEST(ExactUpperSearch, NewRowsMayHaveCodesThatNobodyDrew) {
  const CodeMatrix pool = make_codes(50, 12, 300, 50);
  const CodeMatrix strangers = make_codes(40, 12, 300, 3);
  const Draws draws = make_draws(pool, 20);
  EXPECT_EQ(search(pool, draws, strangers), naive_codes(pool, draws, strangers));
}

TEST(ExactUpperSearch, ARowThatAgreesWithNobodyTakesTheFirstDrawn) {
  CodeMatrix pool(4, 2, 10);
  CodeMatrix row(1, 2, 10);
  row.visit([](auto* cells) { cells[0] = cells[1] = 9; });
  const Draws draws = make_draws(pool, 3);
  const CodeMatrix codes = search(pool, draws, row);
  EXPECT_EQ(codes.at(0, 0), 0U);
  EXPECT_EQ(codes.at(0, 1), 0U);
}

}  // namespace
}  // namespace mbn
