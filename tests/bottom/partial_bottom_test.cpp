// SPDX-License-Identifier: Apache-2.0
#include "bottom/partial_bottom.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "kernels/every_target.hpp"
#include "rows/gather.hpp"
#include "rows/partial_distance.hpp"
#include "rows/with_holes.hpp"

namespace mbn {
namespace {

struct Case {
  const char* name;
  std::function<float(Random&)> value;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"normal", [](Random& r) { return static_cast<float>(r.normal()); }},
      {"ties", [](Random& r) { return static_cast<float>(r.below(3)); }},
      {"offset", [](Random& r) { return static_cast<float>(1e6 + r.normal()); }},
      {"tiny", [](Random& r) { return static_cast<float>(1e-30 * r.normal()); }},
      {"huge", [](Random& r) { return static_cast<float>(1e30 * r.normal()); }},
      {"zeros", [](Random&) { return 0.0F; }}};
  return all;
}

Matrix make_rows(std::size_t rows, std::size_t columns, const Case& one) {
  Random random(4, Purpose::generate);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) matrix.mutable_row<float>(i)[j] = one.value(random);
  }
  return matrix;
}

Draws make_draws(std::size_t rows, std::size_t columns, std::uint32_t features) {
  return draw({.seed = 9,
               .layer = 1,
               .clusterings = 7,
               .centroids = 37,
               .features = features,
               .input_rows = static_cast<std::uint32_t>(rows),
               .input_features = static_cast<std::uint32_t>(columns)});
}

// The plain twin: every drawn row, in double; all columns for a row without any drawn feature.
std::uint32_t nearest(MatrixView kept, const Draws& draws, std::size_t clustering, MatrixView rows,
                      std::size_t row) {
  const std::vector<double> all_expected = expected_differences(kept);
  const auto drawn_columns = draws.columns_of(clustering);
  std::vector<std::uint32_t> columns(drawn_columns.begin(), drawn_columns.end());
  bool any = false;
  for (const std::uint32_t c : columns) any |= !std::isnan(rows.at(row, c));
  if (!any) {
    columns.resize(rows.columns());
    std::iota(columns.begin(), columns.end(), 0U);
  }
  std::uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t j = 0; j < draws.centroids; ++j) {
    std::vector<float> x(columns.size());
    std::vector<float> w(columns.size());
    std::vector<double> expected;
    for (const std::uint32_t c : columns) expected.push_back(all_expected[c]);
    gather_features(rows, row, columns, x.data());
    gather_features(kept, draws.rows_of(clustering)[j], columns, w.data());
    const double d = partial_distance(x.data(), w.data(), expected.data(), x.size());
    if (d < least) {
      least = d;
      best = j;
    }
  }
  return best;
}

CodeMatrix encode(const BottomEngine& engine, const Draws& draws, MatrixView rows,
                  std::uint32_t threads = 1) {
  Job job({.threads = threads});
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  engine.encode(rows, codes, job);
  return codes;
}

bool same_codes(const CodeMatrix& a, const CodeMatrix& b) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t v = 0; v < a.clusterings(); ++v) {
      if (a.at(i, v) != b.at(i, v)) return false;
    }
  }
  return a.rows() == b.rows();
}

TEST(PartialBottom, FindsWhatThePlainLoopFinds) {
  for (const Case& one : cases()) {
    const Matrix rows = with_holes(make_rows(90, 10, one), 3);
    for (const std::uint32_t features : {1U, 2U, 5U, 10U}) {
      const Draws draws = make_draws(90, 10, features);
      const CodeMatrix codes = encode(*make_partial_bottom(rows, draws, 0, nullptr), draws, rows);
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        for (std::size_t v = 0; v < draws.clusterings; ++v) {
          ASSERT_EQ(codes.at(i, v), nearest(rows, draws, v, rows, i))
              << one.name << ", " << features << " features, row " << i;
        }
      }
    }
  }
}

TEST(PartialBottom, ThreadsBatchesAndProcessorsDoNotMatter) {
  const Matrix rows = with_holes(make_rows(90, 10, cases()[0]), 3);
  const Draws draws = make_draws(90, 10, 5);
  const CodeMatrix codes = encode(*make_partial_bottom(rows, draws, 0, nullptr), draws, rows);
  EXPECT_TRUE(
      same_codes(encode(*make_partial_bottom(rows, draws, 7, nullptr), draws, rows, 3), codes));
  const CodeMatrix alone =
      encode(*make_partial_bottom(rows, draws, 0, nullptr), draws, rows.view().slice(41, 1));
  for (std::size_t v = 0; v < draws.clusterings; ++v) EXPECT_EQ(alone.at(0, v), codes.at(41, v));
  on_every_target([&] {
    EXPECT_TRUE(
        same_codes(encode(*make_partial_bottom(rows, draws, 0, nullptr), draws, rows), codes));
  });
}

TEST(PartialBottom, ADrawnRowIsItsOwnNearest) {
  const Matrix rows = with_holes(make_rows(37, 10, cases()[0]), 3);
  const Draws draws = make_draws(37, 10, 5);  // all rows are drawn
  const CodeMatrix codes = encode(*make_partial_bottom(rows, draws, 0, nullptr), draws, rows);
  const std::vector<double> expected = expected_differences(rows);
  for (std::uint32_t j = 0; j < 37; ++j) {
    const std::uint32_t row = draws.rows_of(0)[j];
    const std::uint32_t found = draws.rows_of(0)[codes.at(row, 0)];
    if (found == row) continue;
    // Another row is as near only where it has all that this one has, and the same.
    std::vector<float> x(10);
    std::vector<float> w(10);
    const auto columns = draws.columns_of(0);
    gather_features(rows, row, columns, x.data());
    gather_features(rows, found, columns, w.data());
    EXPECT_EQ(partial_distance(x.data(), w.data(), expected.data(), columns.size()), 0);
  }
}

TEST(PartialBottom, WholeRowsAreFoundAsByTheUsualEngine) {
  for (const Case& one : cases()) {
    const Matrix kept = make_rows(90, 10, one);
    const Matrix holed = with_holes(kept, 4);
    const Draws draws = make_draws(90, 10, 5);
    const CodeMatrix usual =
        encode(*make_exact_bottom(kept, draws, Metric::euclidean), draws, kept);
    EXPECT_TRUE(
        same_codes(encode(*make_partial_bottom(kept, draws, 0, nullptr), draws, kept), usual))
        << one.name;
    // Some rows by the engine for whole rows, some by the other.
    const auto both =
        make_partial_bottom(kept, draws, 0, make_exact_bottom(kept, draws, Metric::euclidean));
    EXPECT_TRUE(same_codes(encode(*both, draws, holed),
                           encode(*make_partial_bottom(kept, draws, 0, nullptr), draws, holed)))
        << one.name;
  }
}

}  // namespace
}  // namespace mbn
