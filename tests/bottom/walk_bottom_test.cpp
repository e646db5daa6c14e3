// SPDX-License-Identifier: Apache-2.0
#include "bottom/walk_bottom.hpp"
#include "bottom/calibrate_bottom.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/random.hpp"
#include "bottom/drawn_index.hpp"

namespace mbn {
namespace {

using Value = std::function<double(Random&, std::size_t row, std::size_t column)>;

Matrix make_rows(std::size_t rows, std::size_t columns, ElementType type, std::uint64_t seed,
                 const Value& value) {
  Random random(seed, Purpose::generate);
  Matrix matrix(rows, columns, type);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (type == ElementType::float32) {
        matrix.mutable_row<float>(i)[j] = static_cast<float>(value(random, i, j));
      } else {
        matrix.mutable_row<std::uint8_t>(i)[j] = static_cast<std::uint8_t>(value(random, i, j));
      }
    }
  }
  return matrix;
}

double normal(Random& random, std::size_t, std::size_t) {
  return random.normal();
}
double pixel(Random& random, std::size_t, std::size_t) {
  return random.below(256);
}
double few(Random& random, std::size_t, std::size_t) {
  return random.below(3);
}
double sparse(Random& random, std::size_t, std::size_t) {
  return random.below(8) == 0 ? 1 + random.below(5) : 0;
}

// Rows around ten centres, with noise along a few directions: data for which the walk works well.
Matrix make_blobs(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Random random(99, Purpose::generate);
  std::vector<double> centres(10 * columns);
  std::vector<double> directions(8 * columns);
  for (double& value : centres) value = 2 * random.normal();
  for (double& value : directions) value = random.normal();
  Random noise(seed, Purpose::generate);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    double along[8];
    for (double& value : along) value = noise.normal();
    for (std::size_t f = 0; f < columns; ++f) {
      double value = centres[i % 10 * columns + f] + 0.1 * noise.normal();
      for (std::size_t k = 0; k < 8; ++k) value += along[k] * directions[k * columns + f];
      matrix.mutable_row<float>(i)[f] = static_cast<float>(value);
    }
  }
  return matrix;
}

Draws make_draws(std::size_t rows, std::size_t columns, std::uint32_t centroids,
                 std::uint32_t clusterings = 13) {
  return draw({.seed = 9,
               .layer = 1,
               .clusterings = clusterings,
               .centroids = centroids,
               .features = drawn_features(0.5, columns),
               .input_rows = static_cast<std::uint32_t>(rows),
               .input_features = static_cast<std::uint32_t>(columns)});
}

CodeMatrix encode(const BottomEngine& search, const Draws& draws, MatrixView rows,
                  std::uint32_t threads = 1) {
  Job job({.threads = threads});
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  search.encode(rows, codes, job);
  return codes;
}

double equal_share(const CodeMatrix& a, const CodeMatrix& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t v = 0; v < a.clusterings(); ++v) equal += a.at(i, v) == b.at(i, v) ? 1 : 0;
  }
  return static_cast<double>(equal) / static_cast<double>(a.rows() * a.clusterings());
}

// Those that compare prepared rows.
constexpr Metric kMetrics[] = {Metric::euclidean,   Metric::cosine,  Metric::manhattan,
                               Metric::chi_squared, Metric::hamming, Metric::jaccard};

// Chi-squared is for values of 0 or more.
Value values_for(Metric metric, const Value& value) {
  if (metric != Metric::chi_squared) return value;
  return [=](Random& r, std::size_t row, std::size_t column) {
    return std::fabs(value(r, row, column));
  };
}

constexpr BottomSettings kUsual{BottomKind::walk, 64, 0.5, 3.5, 0};

struct Case {
  const char* name;
  ElementType type;
  Value value;
};

std::vector<Case> cases() {
  const auto scaled = [](double offset, double factor) {
    return [=](Random& r, std::size_t, std::size_t) { return offset + factor * r.normal(); };
  };
  return {{"normal", ElementType::float32, normal},
          {"pixel", ElementType::uint8, pixel},
          {"few bytes", ElementType::uint8, few},
          {"few floats", ElementType::float32, few},
          {"sparse", ElementType::float32, sparse},
          {"offset", ElementType::float32, scaled(1e6, 1)},
          {"tiny", ElementType::float32, scaled(0, 1e-30)},
          {"huge", ElementType::float32, scaled(0, 1e30)},
          {"zeros", ElementType::float32, [](Random&, std::size_t, std::size_t) { return 0.0; }}};
}

TEST(WalkBottom, AllKeptRowsAndNoClosingIsExactSearch) {
  Job job({.threads = 2});
  for (const Metric metric : kMetrics) {
    for (const Case& data : cases()) {
      for (const std::size_t columns : {1UL, 2UL, 7UL, 40UL}) {
        const Value value = values_for(metric, data.value);
        const Matrix kept = make_rows(150, columns, data.type, columns, value);
        const Matrix rows = make_rows(30, columns, data.type, columns + 50, value);
        const Draws draws = make_draws(150, columns, 60);
        const auto walk =
            make_walk_bottom(kept, draws, metric, {BottomKind::walk, 150, 0, 0, 0}, 0, job);
        const auto exact = make_exact_bottom(kept, draws, metric);
        EXPECT_EQ(encode(*walk, draws, kept), encode(*exact, draws, kept))
            << data.name << ", columns " << columns << ", " << name_of(metric);
        EXPECT_EQ(encode(*walk, draws, rows), encode(*exact, draws, rows))
            << data.name << ", columns " << columns;
      }
    }
  }
}

TEST(WalkBottom, AClusteringWithoutADrawnNeighbourIsSearchedExactly) {
  Job job({.threads = 2});
  const Matrix kept = make_rows(400, 20, ElementType::float32, 1, normal);
  const Draws draws = make_draws(400, 20, 3);
  const BottomSettings one{BottomKind::walk, 1, 0, 0, 0};
  const CodeMatrix walk =
      encode(*make_walk_bottom(kept, draws, Metric::euclidean, one, 0, job), draws, kept);
  const CodeMatrix exact = encode(*make_exact_bottom(kept, draws, Metric::euclidean), draws, kept);
  // A list of one neighbour is the row itself: clusterings that drew it find it, all others are
  // searched exactly.
  EXPECT_EQ(walk, exact);
}

TEST(WalkBottom, ARowFarFromAllKeptRowsIsSearchedExactly) {
  Job job({.threads = 2});
  const Matrix kept = make_rows(300, 10, ElementType::float32, 1, normal);
  const Matrix far =
      make_rows(20, 10, ElementType::float32, 2,
                [](Random& r, std::size_t, std::size_t) { return 1e4 * r.normal(); });
  const Draws draws = make_draws(300, 10, 150);
  EXPECT_EQ(encode(*make_walk_bottom(kept, draws, Metric::euclidean, kUsual, 0, job), draws, far),
            encode(*make_exact_bottom(kept, draws, Metric::euclidean), draws, far));
}

TEST(WalkBottom, ThreadsBatchesAndOtherRowsDoNotChangeACode) {
  Job job({.threads = 2});
  for (const Metric metric : kMetrics) {
    for (const ElementType type : {ElementType::uint8, ElementType::float32}) {
      const Matrix kept = make_rows(1500, 30, type, 3, pixel);
      const Draws draws = make_draws(1500, 30, 700, 70);
      const auto walk = make_walk_bottom(kept, draws, metric, kUsual, 0, job);
      const CodeMatrix expected = encode(*walk, draws, kept);
      EXPECT_EQ(encode(*walk, draws, kept, 3), expected);
      for (const auto& [first, count] :
           {std::pair<std::size_t, std::size_t>{0, 1}, {200, 600}, {1499, 1}}) {
        const CodeMatrix part = encode(*walk, draws, kept.view().slice(first, count), 2);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t v = 0; v < draws.clusterings; ++v) {
            ASSERT_EQ(part.at(i, v), expected.at(first + i, v));
          }
        }
      }
    }
  }
}

TEST(WalkBottom, BytesAndFloatsOfTheSameValueGetTheSameCodes) {
  Job job({.threads = 2});
  const Matrix bytes = make_rows(800, 40, ElementType::uint8, 3, pixel);
  const Matrix floats = make_rows(800, 40, ElementType::float32, 3, pixel);
  const Draws draws = make_draws(800, 40, 400);
  for (const Metric metric : kMetrics) {
    if (metric == Metric::cosine) continue;
    const auto walk = make_walk_bottom(bytes, draws, metric, kUsual, 0, job);
    EXPECT_EQ(encode(*walk, draws, floats), encode(*walk, draws, bytes));
  }
}

TEST(WalkBottom, ADrawnRowFindsItself) {
  Job job({.threads = 2});
  const Matrix kept = make_rows(200, 12, ElementType::float32, 4, normal);
  const Draws draws = make_draws(200, 12, 100);
  const CodeMatrix codes =
      encode(*make_walk_bottom(kept, draws, Metric::euclidean, kUsual, 0, job), draws, kept);
  for (std::size_t v = 0; v < draws.clusterings; ++v) {
    for (std::size_t code = 0; code < 100; ++code) {
      EXPECT_EQ(codes.at(draws.rows_of(v)[code], v), code);
    }
  }
}

TEST(CalibrateBottom, BlobsAreWalkedWithTheQualityAskedFor) {
  const Matrix kept = make_blobs(3000, 60, 1);
  const Draws draws = make_draws(3000, 60, 1500, 100);
  Job job({.threads = 2});
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    const BottomSettings chosen = calibrate_bottom(
        kept, draws, metric, {.excess = 0.05, .recall = 0.995}, 1, kept.rows(), job);
    EXPECT_EQ(chosen.kind, BottomKind::walk);
    EXPECT_GE(chosen.recall, 0.995);
    EXPECT_LE(chosen.excess, 0.05);
    const auto measured = measure_walk(kept, draws, metric, chosen, 1, job);
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->recall, chosen.recall);
    EXPECT_EQ(measured->excess, chosen.excess);
    const auto walk = make_bottom_engine(kept.view(), draws, metric, chosen, 0, job);
    const auto exact = make_exact_bottom(kept, draws, metric);
    const Matrix fresh = make_blobs(500, 60, 2);
    EXPECT_GE(equal_share(encode(*walk, draws, kept, 2), encode(*exact, draws, kept, 2)), 0.995);
    EXPECT_GE(equal_share(encode(*walk, draws, fresh, 2), encode(*exact, draws, fresh, 2)), 0.99);
  }
}

TEST(CalibrateBottom, TheChoiceDoesNotDependOnThreads) {
  const Matrix kept = make_blobs(3000, 60, 1);
  const Draws draws = make_draws(3000, 60, 1500, 100);
  Job one({.threads = 1});
  Job three({.threads = 3});
  const BottomSettings chosen =
      calibrate_bottom(kept, draws, Metric::euclidean, {.excess = 0.02}, 5, kept.rows(), one);
  EXPECT_EQ(chosen.kind, BottomKind::walk);
  EXPECT_EQ(
      calibrate_bottom(kept, draws, Metric::euclidean, {.excess = 0.02}, 5, kept.rows(), three),
      chosen);
}

// Blobs of 0 or more, cut into few values: all metrics can compare them.
Matrix make_levels(std::size_t rows, std::uint64_t seed) {
  Matrix levels = make_blobs(rows, 60, seed);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t f = 0; f < 60; ++f) {
      float& cell = levels.mutable_row<float>(i)[f];
      cell = std::clamp(std::floor(cell / 2 + 2), 0.0F, 9.0F);
    }
  }
  return levels;
}

TEST(CalibrateBottom, MetricsWithoutProductsAreWalkedWithTheExcessAskedFor) {
  const Matrix kept = make_levels(3000, 1);
  const Draws draws = make_draws(3000, 60, 1500, 100);
  Job job({.threads = 2});
  for (const Metric metric : kMetrics) {
    if (metric == Metric::euclidean || metric == Metric::cosine) continue;
    SCOPED_TRACE(name_of(metric));
    const BottomSettings chosen =
        calibrate_bottom(kept, draws, metric, {.excess = 0.05}, 1, kept.rows(), job);
    EXPECT_EQ(chosen.kind, BottomKind::walk);
    EXPECT_LE(chosen.excess, 0.05);
    const auto measured = measure_walk(kept, draws, metric, chosen, 1, job);
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->recall, chosen.recall);
    EXPECT_EQ(measured->excess, chosen.excess);
    const auto walk = make_bottom_engine(kept.view(), draws, metric, chosen, 0, job);
    const auto exact = make_exact_bottom(kept, draws, metric);
    EXPECT_GE(equal_share(encode(*walk, draws, kept, 2), encode(*exact, draws, kept, 2)),
              chosen.recall - 0.02);
  }
}

// The data set letter: sixteen whole numbers from 0 to 15. Their squared differences are far below
// what 16 bits hold, and the margin rule once took their deviation for zero: it skipped nearly all
// neighbours, whatever the margin.
TEST(WalkBottom, AWideMarginSkipsLittleOnSmallWholeNumbers) {
  const auto small = [](Random& r, std::size_t, std::size_t) {
    return static_cast<double>(r.below(8));
  };
  const Matrix kept = make_rows(3000, 16, ElementType::uint8, 1, small);
  const Draws draws = make_draws(3000, 16, 1500, 20);
  Job job({.threads = 2});
  BottomSettings all{.kind = BottomKind::walk, .list_length = 64};
  BottomSettings wide = all;
  wide.margin = 5;
  const double unlimited = measure_walk(kept, draws, Metric::euclidean, all, 1, job)->recall;
  EXPECT_GT(measure_walk(kept, draws, Metric::euclidean, wide, 1, job)->recall, 0.98 * unlimited);
}

// Like the wine data without scaling: one column is a thousand times larger than the others. In
// clusterings that did not draw it, distances do not follow the distance on all features.
TEST(CalibrateBottom, ADominatingColumnIsLeftToExactSearch) {
  const auto wine = [](Random& r, std::size_t, std::size_t column) {
    return (column == 12 ? 1000 : 1) * r.normal();
  };
  const Matrix kept = make_rows(4000, 13, ElementType::float32, 1, wine);
  const Draws draws = make_draws(4000, 13, 2000, 60);
  Job job({.threads = 2});
  EXPECT_LT(measure_walk(kept, draws, Metric::euclidean, kUsual, 1, job)->recall, 0.9);
  EXPECT_GT(measure_walk(kept, draws, Metric::euclidean, kUsual, 1, job)->excess, 0.1);
  const BottomSettings chosen =
      calibrate_bottom(kept, draws, Metric::euclidean, {.excess = 0.05}, 1, kept.rows(), job);
  EXPECT_EQ(chosen, BottomSettings{});
}

// The excess by hand: the sampled pairs are all that differ from exact search.
TEST(CalibrateBottom, TheExcessIsHowMuchFartherTheFoundRowsAre) {
  const Matrix kept = make_rows(3000, 10, ElementType::float32, 1, normal);
  const Draws draws = make_draws(3000, 10, 1500, 8);
  Job job({.threads = 2});
  BottomSettings hasty{.kind = BottomKind::walk, .list_length = 4, .tau = 0.9, .margin = 0.5};
  const auto walk = make_bottom_engine(kept.view(), draws, Metric::euclidean, hasty, 0, job);
  const CodeMatrix found = encode(*walk, draws, kept);
  const CodeMatrix nearest =
      encode(*make_exact_bottom(kept, draws, Metric::euclidean), draws, kept);
  const auto length = [&](std::size_t row, std::size_t v, std::uint32_t code) {
    double sum = 0;
    for (const std::uint32_t j : draws.columns_of(v)) {
      const double step = kept.at(row, j) - kept.at(draws.rows_of(v)[code], j);
      sum += step * step;
    }
    return std::sqrt(sum);
  };
  double excess = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    for (std::size_t v = 0; v < draws.clusterings; ++v) {
      const double least = length(i, v, nearest.at(i, v));
      if (least == 0) continue;  // the row itself was drawn
      excess += std::min(1.0, length(i, v, found.at(i, v)) / least - 1);
      pairs += 1;
    }
  }
  const auto measured = measure_walk(kept, draws, Metric::euclidean, hasty, 1, job);
  ASSERT_TRUE(measured);
  EXPECT_GT(measured->excess, 0.01);
  EXPECT_NEAR(measured->excess, excess / pairs, 0.15 * excess / pairs);
}

TEST(CalibrateBottom, SmallDataIsSearchedExactly) {
  const Matrix kept = make_blobs(150, 13, 1);
  const Draws draws = make_draws(150, 13, 75, 400);
  Job job({.threads = 1});
  EXPECT_EQ(
      calibrate_bottom(kept, draws, Metric::euclidean, {.excess = 0.05}, 1, kept.rows(), job).kind,
      BottomKind::exact);
}

TEST(DrawnIndex, KnowsTheClusteringsThatDrewARowAndItsCodes) {
  const Draws draws = make_draws(90, 40, 30, 130);
  const DrawnIndex index(draws, 90, 40);
  EXPECT_EQ(index.words(), 3);
  std::size_t bits = 0;
  for (std::size_t row = 0; row < 90; ++row) {
    for (std::size_t v = 0; v < 130; ++v) {
      bits += index.drawn_by(row)[v / 64] >> (v % 64) & 1;
    }
  }
  EXPECT_EQ(bits, 30 * 130);
  for (std::size_t v = 0; v < 130; ++v) {
    for (std::uint32_t code = 0; code < 30; ++code) {
      EXPECT_EQ(index.code(draws.rows_of(v)[code], v), code);
    }
  }
}

}  // namespace
}  // namespace mbn
