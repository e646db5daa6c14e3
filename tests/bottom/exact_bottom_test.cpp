// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/random.hpp"
#include "bottom/bottom_engine.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {
namespace {

Matrix make_rows(std::size_t rows, std::size_t columns, std::uint64_t seed,
                 const std::function<float(Random&)>& value) {
  Random random(seed, Purpose::generate);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) matrix.mutable_row<float>(i)[j] = value(random);
  }
  return matrix;
}

Draws make_draws(std::size_t rows, std::size_t columns, std::uint32_t centroids) {
  return draw({.seed = 9,
               .layer = 1,
               .clusterings = 13,
               .centroids = centroids,
               .features = drawn_features(0.5, columns),
               .input_rows = static_cast<std::uint32_t>(rows),
               .input_features = static_cast<std::uint32_t>(columns)});
}

// The reference: a plain loop over every drawn row, in double.
CodeMatrix naive_codes(MatrixView kept, const Draws& draws, Metric metric, MatrixView rows) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t v = 0; v < draws.clusterings; ++v) {
      const auto columns = draws.columns_of(v);
      std::vector<float> x(columns.size());
      std::vector<float> w(columns.size());
      gather_features(rows, i, columns, x.data());
      double best = std::numeric_limits<double>::infinity();
      std::size_t code = 0;
      for (std::size_t j = 0; j < draws.centroids; ++j) {
        gather_features(kept, draws.rows_of(v)[j], columns, w.data());
        const double d = distance(metric, x.data(), w.data(), x.size());
        if (d < best) {
          best = d;
          code = j;
        }
      }
      codes.visit([&](auto* cells) {
        cells[i * draws.clusterings + v] =
            static_cast<std::remove_reference_t<decltype(*cells)>>(code);
      });
    }
  }
  return codes;
}

CodeMatrix search(MatrixView kept, const Draws& draws, Metric metric, MatrixView rows,
                  std::uint32_t threads = 1, std::size_t batch = 0) {
  Job job({.threads = threads});
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  make_exact_bottom(kept, draws, metric, batch)->encode(rows, codes, job);
  return codes;
}

struct Case {
  const char* name;
  std::function<float(Random&)> value;
};

class ExactBottom : public testing::TestWithParam<std::tuple<int, Metric>> {
 public:
  static const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"normal", [](Random& r) { return static_cast<float>(r.normal()); }},
        // Few values: many exact ties, which must go to the lower code.
        {"ties", [](Random& r) { return static_cast<float>(r.below(3)); }},
        // A large offset: the estimate loses all its digits and must leave the decision to double.
        {"offset", [](Random& r) { return static_cast<float>(1e6 + r.normal()); }},
        {"tiny", [](Random& r) { return static_cast<float>(1e-30 * r.normal()); }},
        {"huge", [](Random& r) { return static_cast<float>(1e30 * r.normal()); }},
        {"zeros", [](Random&) { return 0.0F; }}};
    return all;
  }
};

TEST_P(ExactBottom, GivesTheCodesOfThePlainLoop) {
  const auto& [index, metric] = GetParam();
  for (const std::size_t columns : {1UL, 2UL, 7UL, 40UL}) {
    // Chi-squared is for values of 0 or more.
    const Matrix rows =
        make_rows(150, columns, columns, [&, number = index, by = metric](Random& r) {
          const float value = cases()[number].value(r);
          return by == Metric::chi_squared ? std::fabs(value) : value;
        });
    const Draws draws = make_draws(150, columns, 60);
    EXPECT_EQ(search(rows, draws, metric, rows), naive_codes(rows, draws, metric, rows))
        << cases()[index].name << ", columns " << columns;
  }
}

INSTANTIATE_TEST_SUITE_P(Values, ExactBottom,
                         testing::Combine(testing::Range(0, 6),
                                          testing::Values(Metric::euclidean, Metric::cosine,
                                                          Metric::manhattan, Metric::chi_squared,
                                                          Metric::hamming, Metric::jaccard)));

TEST(ExactBottom, OfMetricsWithoutProductsDoesNotDependOnBatchThreadsOrElementType) {
  const Matrix floats =
      make_rows(200, 20, 5, [](Random& r) { return static_cast<float>(r.below(2) * r.below(9)); });
  Matrix bytes(200, 20, ElementType::uint8);
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t j = 0; j < 20; ++j) {
      bytes.mutable_row<std::uint8_t>(i)[j] = static_cast<std::uint8_t>(floats.at(i, j));
    }
  }
  const Draws draws = make_draws(200, 20, 90);
  for (const Metric metric :
       {Metric::manhattan, Metric::chi_squared, Metric::hamming, Metric::jaccard}) {
    const CodeMatrix expected = search(floats, draws, metric, floats);
    EXPECT_EQ(search(floats, draws, metric, floats, 3, 1), expected);
    EXPECT_EQ(search(bytes, draws, metric, bytes, 2, 64), expected);
    const CodeMatrix alone = search(floats, draws, metric, floats.view().slice(77, 1));
    for (std::size_t v = 0; v < draws.clusterings; ++v) {
      EXPECT_EQ(alone.at(0, v), expected.at(77, v));
    }
  }
}

// More columns than fractions of small numbers can be told apart in float32.
TEST(ExactBottom, JaccardOfManyColumnsIsDecidedInDouble) {
  const Matrix rows =
      make_rows(60, 9000, 6, [](Random& r) { return r.below(2) == 0 ? 0.0F : 1.0F; });
  const Draws draws = make_draws(60, 9000, 30);
  EXPECT_EQ(search(rows, draws, Metric::jaccard, rows),
            naive_codes(rows, draws, Metric::jaccard, rows));
}

TEST(ExactBottom, BatchAndThreadsDoNotChangeACode) {
  const Matrix rows = make_rows(200, 20, 5, ExactBottom::cases()[0].value);
  const Draws draws = make_draws(200, 20, 90);
  const CodeMatrix expected = search(rows, draws, Metric::euclidean, rows);
  EXPECT_EQ(search(rows, draws, Metric::euclidean, rows, 3, 1), expected);
  EXPECT_EQ(search(rows, draws, Metric::euclidean, rows, 2, 64), expected);
  for (const std::size_t row : {0UL, 77UL, 199UL}) {
    const CodeMatrix alone = search(rows, draws, Metric::euclidean, rows.view().slice(row, 1));
    for (std::size_t v = 0; v < draws.clusterings; ++v) {
      EXPECT_EQ(alone.at(0, v), expected.at(row, v));
    }
  }
}

TEST(ExactBottom, BytesAndFloatsOfTheSameValueGetTheSameCodes) {
  const Matrix floats =
      make_rows(120, 30, 2, [](Random& r) { return static_cast<float>(r.below(256)); });
  Matrix bytes(120, 30, ElementType::uint8);
  for (std::size_t i = 0; i < 120; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      bytes.mutable_row<std::uint8_t>(i)[j] = static_cast<std::uint8_t>(floats.at(i, j));
    }
  }
  const Draws draws = make_draws(120, 30, 50);
  EXPECT_EQ(search(bytes, draws, Metric::euclidean, bytes),
            search(floats, draws, Metric::euclidean, floats));
}

TEST(ExactBottom, ADrawnRowFindsItself) {
  const Matrix rows = make_rows(100, 12, 4, ExactBottom::cases()[0].value);
  const Draws draws = make_draws(100, 12, 100);
  const CodeMatrix codes = search(rows, draws, Metric::euclidean, rows);
  for (std::size_t i = 0; i < 100; ++i) {
    for (std::size_t v = 0; v < draws.clusterings; ++v) {
      EXPECT_EQ(draws.rows_of(v)[codes.at(i, v)], i);
    }
  }
}

TEST(Distance, IsExactForBytes) {
  std::vector<float> x(1001);
  std::vector<float> w(1001);
  std::int64_t expected = 0;
  Random random(1, Purpose::generate);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(random.below(256));
    w[i] = static_cast<float>(random.below(256));
    const auto difference = static_cast<std::int64_t>(x[i] - w[i]);
    expected += difference * difference;
  }
  EXPECT_EQ(distance(Metric::euclidean, x.data(), w.data(), x.size()),
            static_cast<double>(expected));
}

TEST(Distance, CosineIgnoresTheNormOfADrawnRow) {
  const float x[] = {1, 2, 3};
  const float w[] = {2, 1, 0};
  const float longer[] = {8, 4, 0};
  const float none[] = {0, 0, 0};
  EXPECT_DOUBLE_EQ(distance(Metric::cosine, x, w, 3), -4 / std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(distance(Metric::cosine, x, longer, 3), -4 / std::sqrt(5.0));
  EXPECT_EQ(distance(Metric::cosine, x, none, 3), 0);
}

}  // namespace
}  // namespace mbn
