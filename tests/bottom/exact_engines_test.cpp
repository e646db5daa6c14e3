// SPDX-License-Identifier: Apache-2.0
//
// The k-d tree and the matrix product give the same codes, for any numbers.
#include "bottom/exact_engines.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/random.hpp"
#include "base/stopwatch.hpp"

namespace mbn {
namespace {

struct Case {
  const char* name;
  std::function<double(Random&)> value;
};

std::vector<Case> cases() {
  return {{"normal", [](Random& r) { return r.normal(); }},
          {"small whole numbers", [](Random& r) { return static_cast<double>(r.below(4)); }},
          {"zeros", [](Random&) { return 0.0; }},
          {"both zeros", [](Random& r) { return r.below(2) == 0 ? -0.0 : 0.0; }},
          {"offset", [](Random& r) { return 1e6 + r.normal(); }},
          {"tiny", [](Random& r) { return 1e-30 * r.normal(); }},
          {"huge", [](Random& r) { return 1e30 * r.normal(); }}};
}

Matrix make_rows(std::size_t rows, std::size_t columns, std::uint64_t seed, const Case& kind) {
  Random random(seed, Purpose::generate);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix.mutable_row<float>(i)[j] = static_cast<float>(kind.value(random));
    }
  }
  return matrix;
}

Draws make_draws(std::size_t rows, std::size_t columns, std::uint32_t centroids,
                 std::uint32_t features) {
  return draw({.seed = 3,
               .layer = 1,
               .clusterings = 7,
               .centroids = centroids,
               .features = features,
               .input_rows = static_cast<std::uint32_t>(rows),
               .input_features = static_cast<std::uint32_t>(columns)});
}

CodeMatrix encode(const BottomEngine& engine, const Draws& draws, MatrixView rows,
                  unsigned threads = 2) {
  Job job({.threads = threads});
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  engine.encode(rows, codes, job);
  return codes;
}

TEST(ExactEngines, TheTreeFindsWhatTheProductFinds) {
  for (const Case& kind : cases()) {
    for (const std::uint32_t features : {1U, 2U, 5U, 12U}) {
      const Matrix kept = make_rows(400, 12, 1, kind);
      const Matrix rows = make_rows(60, 12, 2, kind);
      const Draws draws = make_draws(400, 12, 150, features);
      const auto tree = make_tree_bottom(kept, draws);
      const auto product = make_product_bottom(kept, draws, Metric::euclidean, 0);
      EXPECT_EQ(encode(*tree, draws, kept), encode(*product, draws, kept)) << kind.name;
      EXPECT_EQ(encode(*tree, draws, rows), encode(*product, draws, rows)) << kind.name;
    }
  }
}

TEST(ExactEngines, BytesAreRowsToo) {
  Matrix kept(300, 6, ElementType::uint8);
  Random random(4, Purpose::generate);
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      kept.mutable_row<std::uint8_t>(i)[j] = static_cast<std::uint8_t>(random.below(9));
    }
  }
  const Draws draws = make_draws(300, 6, 100, 3);
  EXPECT_EQ(encode(*make_tree_bottom(kept, draws), draws, kept),
            encode(*make_product_bottom(kept, draws, Metric::euclidean, 0), draws, kept));
}

// Whichever engine the trial prefers on this machine and in this minute.
TEST(ExactEngines, TheQuickerOneGivesTheSameCodes) {
  for (const Case& kind : cases()) {
    const Matrix kept = make_rows(1200, 6, 1, kind);
    const Draws draws = make_draws(1200, 6, 500, 3);
    const auto either = make_exact_bottom(kept, draws, Metric::euclidean);
    const auto product = make_product_bottom(kept, draws, Metric::euclidean, 0);
    EXPECT_EQ(encode(*either, draws, kept, 3), encode(*product, draws, kept)) << kind.name;
  }
}

TEST(ExactEngines, ATreeThatPaysIsTaken) {
  // Many equal points: the product must decide between them in double, the tree keeps one of each.
  const Case few = cases()[1];
  const Matrix kept = make_rows(6000, 4, 1, few);
  const Draws draws = make_draws(6000, 4, 3000, 2);
  const auto either = make_exact_bottom(kept, draws, Metric::euclidean);
  const auto product = make_product_bottom(kept, draws, Metric::euclidean, 0);
  const auto seconds = [&](const BottomEngine& engine) {
    const ThreadStopwatch watch;
    encode(engine, draws, kept, 1);
    return watch.seconds();
  };
  EXPECT_LT(3 * seconds(*either), seconds(*product));
}

}  // namespace
}  // namespace mbn
