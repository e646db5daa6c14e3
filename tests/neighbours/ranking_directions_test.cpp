// SPDX-License-Identifier: Apache-2.0
#include "neighbours/ranking_directions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"
#include "neighbours/neighbour_lists.hpp"

namespace mbn {
namespace {

constexpr std::size_t kColumns = 120;

// Rows that vary mostly along 12 hidden factors, with some noise in every column.
Matrix make_rows(std::size_t rows, ElementType type, std::uint64_t seed) {
  Matrix matrix(rows, kColumns, type);
  Random random(seed, Purpose::generate);
  for (std::size_t i = 0; i < rows; ++i) {
    std::array<double, 12> factors{};
    for (double& factor : factors) factor = random.normal();
    for (std::size_t f = 0; f < kColumns; ++f) {
      double cell = 100 + 2 * random.normal();
      for (std::size_t k = 0; k < factors.size(); ++k) {
        cell += factors[k] * 12 * std::sin(static_cast<double>((k + 1) * (f + 3)));
      }
      if (type == ElementType::uint8) {
        matrix.mutable_row<std::uint8_t>(i)[f] =
            static_cast<std::uint8_t>(std::clamp(cell, 0.0, 255.0));
      } else {
        matrix.mutable_row<float>(i)[f] = static_cast<float>(cell);
      }
    }
  }
  return matrix;
}

RankingDirections directions_of(MatrixView kept, std::uint32_t count = 16) {
  Job job({.threads = 2});
  return find_ranking_directions(kept, Quantiser(kept, Metric::euclidean), count, job);
}

NeighbourLists find(MatrixView kept, MatrixView rows, const RankingDirections* directions,
                    std::uint32_t threads = 1) {
  Job job({.threads = threads});
  return make_brute_force(kept, Metric::euclidean, directions, job)->find(rows, 20, job);
}

TEST(RankingDirections, AreOrthogonalAndHoldTheVariance) {
  const Matrix kept = make_rows(900, ElementType::float32, 1);
  const Quantiser quantiser(kept, Metric::euclidean);
  const RankingDirections directions = directions_of(kept);
  ASSERT_EQ(directions.count, 16U);
  EXPECT_TRUE(directions.sound());
  const Projector projector(directions, quantiser);
  std::vector<std::int16_t> cells(900 * 16);
  std::vector<std::int32_t> norms(900);
  projector.project(kept, 0, 900, cells.data(), norms.data());
  double along = 0;
  double all = 0;
  for (const std::int16_t cell : cells) along += static_cast<double>(cell) * cell;
  for (const std::int32_t norm : norms) all += norm;
  EXPECT_GT(along / all, 0.97);
  EXPECT_LT(along / all, 1.0);
}

TEST(RankingDirections, SoundDetectsBadDirections) {
  const RankingDirections good = directions_of(make_rows(300, ElementType::uint8, 1), 4);
  ASSERT_TRUE(good.sound());
  RankingDirections longer = good;
  for (std::size_t f = 0; f < kColumns; ++f) longer.cells[f] = 32767;
  EXPECT_FALSE(longer.sound());
  RankingDirections twice = good;
  std::copy_n(twice.cells.begin(), kColumns, twice.cells.begin() + kColumns);
  EXPECT_FALSE(twice.sound());
  RankingDirections far = good;
  std::fill(far.centre.begin(), far.centre.end(), std::int16_t{32767});
  EXPECT_FALSE(far.sound());
  RankingDirections missing = good;
  missing.cells.pop_back();
  EXPECT_FALSE(missing.sound());
}

TEST(RankingDirections, ListsHoldNearlyAllNeighboursWithTheirTrueDistances) {
  for (const ElementType type : {ElementType::uint8, ElementType::float32}) {
    const Matrix kept = make_rows(1500, type, 1);
    const Matrix rows = make_rows(200, type, 2);
    const RankingDirections directions = directions_of(kept);
    for (const MatrixView queries : {rows.view(), kept.view()}) {
      const NeighbourLists exact = find(kept, queries, nullptr);
      const NeighbourLists ranked = find(kept, queries, &directions);
      std::size_t missed = 0;
      for (std::size_t i = 0; i < queries.rows(); ++i) {
        for (std::size_t n = 0; n < 20; ++n) {
          const auto numbers = exact.numbers(i);
          const auto at = std::find(numbers.begin(), numbers.end(), ranked.numbers(i)[n]);
          if (at == numbers.end()) {
            ++missed;
          } else {
            ASSERT_EQ(ranked.distances(i)[n], exact.distances(i)[at - numbers.begin()]);
          }
          if (n > 0) {
            ASSERT_GE(ranked.distances(i)[n], ranked.distances(i)[n - 1]);
          }
        }
      }
      EXPECT_LT(static_cast<double>(missed), 0.01 * static_cast<double>(20 * queries.rows()));
    }
  }
}

TEST(RankingDirections, AListDependsOnItsRowOnly) {
  const Matrix kept = make_rows(700, ElementType::uint8, 1);
  const RankingDirections directions = directions_of(kept);
  const NeighbourLists all = find(kept, kept, &directions);
  on_every_target([&] {
    const NeighbourLists three = find(kept, kept, &directions, 3);
    const NeighbourLists some = find(kept, kept.view().slice(300, 5), &directions);
    for (std::size_t i = 0; i < 700; ++i) {
      ASSERT_TRUE(std::ranges::equal(three.numbers(i), all.numbers(i)));
    }
    for (std::size_t i = 0; i < 5; ++i) {
      ASSERT_TRUE(std::ranges::equal(some.numbers(i), all.numbers(300 + i)));
    }
  });
}

TEST(RankingDirections, ARowFarFromAllKeptRowsHasNoList) {
  const Matrix kept = make_rows(300, ElementType::float32, 1);
  Matrix far = make_rows(2, ElementType::float32, 2);
  for (std::size_t f = 0; f < kColumns; ++f) far.mutable_row<float>(1)[f] = 1e9F;
  const RankingDirections directions = directions_of(kept);
  const NeighbourLists lists = find(kept, far, &directions);
  EXPECT_TRUE(lists.found(0));
  EXPECT_FALSE(lists.found(1));
}

TEST(RankingDirections, PayForManyRowsOfManyColumns) {
  EXPECT_TRUE(directions_pay({70000, 784}, 70000, Metric::euclidean));
  EXPECT_FALSE(directions_pay({70000, 784}, 70000, Metric::cosine));
  EXPECT_FALSE(directions_pay({70000, 50}, 70000, Metric::euclidean));
  EXPECT_FALSE(directions_pay({5000, 784}, 5000, Metric::euclidean));
}

}  // namespace
}  // namespace mbn
