// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "neighbours/nearest_keeper.hpp"
#include "neighbours/neighbour_lists.hpp"
#include "neighbours/quantiser.hpp"
#include "rows/metric.hpp"

namespace mbn {
namespace {

using Value = std::function<double(Random&)>;

Matrix make_rows(std::size_t rows, std::size_t columns, ElementType type, std::uint64_t seed,
                 const Value& value) {
  Random random(seed, Purpose::generate);
  Matrix matrix(rows, columns, type);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (type == ElementType::float32) {
        matrix.mutable_row<float>(i)[j] = static_cast<float>(value(random));
      } else {
        matrix.mutable_row<std::uint8_t>(i)[j] = static_cast<std::uint8_t>(value(random));
      }
    }
  }
  return matrix;
}

double pixel(Random& random) {
  return random.below(256);
}
double few(Random& random) {
  return random.below(3);
}
double normal(Random& random) {
  return random.normal();
}

std::vector<float> floats_of(MatrixView rows, std::size_t row) {
  std::vector<float> values(rows.columns());
  for (std::size_t f = 0; f < values.size(); ++f) values[f] = rows.at(row, f);
  return values;
}

// The reference: sorts the kept rows by the distance in double.
void expect_lists(MatrixView kept, MatrixView rows, Metric metric, const NeighbourLists& lists) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    ASSERT_TRUE(lists.found(i));
    const auto x = floats_of(rows, i);
    std::vector<std::pair<double, std::uint32_t>> all(kept.rows());
    for (std::uint32_t j = 0; j < kept.rows(); ++j) {
      all[j] = {distance(metric, x.data(), floats_of(kept, j).data(), x.size()), j};
    }
    std::sort(all.begin(), all.end());
    for (std::size_t n = 0; n < lists.length(); ++n) {
      ASSERT_EQ(lists.numbers(i)[n], all[n].second) << "row " << i << ", rank " << n;
      ASSERT_EQ(lists.distances(i)[n], static_cast<float>(all[n].first));
    }
  }
}

NeighbourLists find(MatrixView kept, MatrixView rows, Metric metric, std::size_t length,
                    std::uint32_t threads = 1) {
  Job job({.threads = threads});
  return make_brute_force(kept, metric, nullptr, job)->find(rows, length, job);
}

void expect_equal(const NeighbourLists& a, const NeighbourLists& b, std::size_t first = 0) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t n = 0; n < a.length(); ++n) {
      ASSERT_EQ(a.numbers(i)[n], b.numbers(first + i)[n]);
      ASSERT_EQ(a.distances(i)[n], b.distances(first + i)[n]);
    }
  }
}

TEST(BruteForce, GivesTheListsOfSortingAllKeptRows) {
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    for (const std::size_t columns : {1UL, 3UL, 40UL}) {
      for (const auto& [type, value, far] :
           {std::tuple<ElementType, Value, bool>{ElementType::uint8, pixel, false},
            {ElementType::uint8, few, false},  // duplicates and ties
            {ElementType::float32, normal, false},
            {ElementType::float32, [](Random& r) { return 1e5 + r.normal(); }, true}}) {
        // With few columns there are few different cosines, and rows far from the origin all have
        // nearly the same: an estimate of 15 bits cannot tell them apart.
        if (metric == Metric::cosine && (columns < 40 || far)) continue;
        const Matrix kept = make_rows(300, columns, type, 1, value);
        const Matrix rows = make_rows(40, columns, type, 2, value);
        expect_lists(kept, rows, metric, find(kept, rows, metric, 20));
        expect_lists(kept, kept, metric, find(kept, kept, metric, 20));
      }
    }
  }
}

TEST(PanelForce, GivesTheListsOfSortingAllKeptRows) {
  for (const Metric metric :
       {Metric::manhattan, Metric::chi_squared, Metric::hamming, Metric::jaccard}) {
    for (const std::size_t columns : {1UL, 3UL, 40UL}) {
      for (const auto& [type, value] :
           {std::tuple<ElementType, Value>{ElementType::uint8, pixel},
            {ElementType::uint8, few},
            {ElementType::float32, [](Random& r) { return std::fabs(r.normal()); }}}) {
        const Matrix kept = make_rows(600, columns, type, 1, value);
        const Matrix rows = make_rows(40, columns, type, 2, value);
        expect_lists(kept, rows, metric, find(kept, rows, metric, 20));
        const NeighbourLists own = find(kept, kept, metric, 20);
        expect_lists(kept, kept, metric, own);
        expect_equal(find(kept, kept, metric, 20, 3), own);
        expect_equal(find(kept, kept.view().slice(100, 300), metric, 20, 2), own, 100);
      }
    }
  }
}

TEST(BruteForce, AListLongerThanTheKeptRowsHasThemAll) {
  const Matrix kept = make_rows(9, 6, ElementType::float32, 1, normal);
  const NeighbourLists lists = find(kept, kept, Metric::euclidean, 50);
  EXPECT_EQ(lists.length(), 9);
  expect_lists(kept, kept, Metric::euclidean, lists);
}

TEST(BruteForce, NoLengthGivesEmptyLists) {
  const Matrix kept = make_rows(40, 6, ElementType::uint8, 1, pixel);
  const NeighbourLists lists = find(kept, kept, Metric::euclidean, 0);
  EXPECT_EQ(lists.rows(), 40);
  EXPECT_EQ(lists.length(), 0);
}

TEST(BruteForce, ThreadsAndBatchesDoNotChangeAList) {
  for (const ElementType type : {ElementType::uint8, ElementType::float32}) {
    const Matrix kept = make_rows(2500, 20, type, 1, pixel);
    const NeighbourLists expected = find(kept, kept, Metric::euclidean, 30);
    expect_equal(find(kept, kept, Metric::euclidean, 30, 3), expected);
    // A part of the kept rows takes another code path than all of them, and must get the same
    // lists.
    expect_equal(find(kept, kept.view().slice(700, 1100), Metric::euclidean, 30, 2), expected, 700);
    expect_equal(find(kept, kept.view().slice(2499, 1), Metric::euclidean, 30), expected, 2499);
  }
}

TEST(BruteForce, BytesAndFloatsOfTheSameValueGetTheSameLists) {
  const Matrix bytes = make_rows(500, 30, ElementType::uint8, 3, pixel);
  const Matrix floats = make_rows(500, 30, ElementType::float32, 3, pixel);
  expect_equal(find(floats, floats, Metric::euclidean, 25),
               find(bytes, bytes, Metric::euclidean, 25));
  expect_equal(find(bytes, floats, Metric::euclidean, 25),
               find(bytes, bytes, Metric::euclidean, 25));
}

TEST(BruteForce, ARowFarFromAllKeptRowsHasNoList) {
  const Matrix kept = make_rows(100, 8, ElementType::float32, 1, normal);
  Matrix rows = make_rows(2, 8, ElementType::float32, 2, normal);
  rows.mutable_row<float>(1)[3] = 1e20F;
  const NeighbourLists lists = find(kept, rows, Metric::euclidean, 5);
  EXPECT_TRUE(lists.found(0));
  EXPECT_FALSE(lists.found(1));
}

TEST(Quantiser, KeepsProductsInRange) {
  for (const double size : {1e-30, 1.0, 1e15}) {
    const Matrix kept =
        make_rows(50, 700, ElementType::float32, 1, [&](Random& r) { return size * r.normal(); });
    for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
      const Quantiser quantiser(kept, metric);
      std::vector<std::int16_t> cells(quantiser.stride());
      for (std::size_t i = 0; i < kept.rows(); ++i) {
        quantiser.quantise(kept, i, cells.data());
        const std::int32_t norm = quantiser.squared_norm(cells.data());
        EXPECT_GT(norm, 1 << 26);
        EXPECT_LE(norm, 1 << 29);
      }
    }
  }
}

TEST(NearestKeeper, KeepsTheSameInAnyOrder) {
  NearestKeeper forward(1, 4);
  NearestKeeper backward(1, 4);
  const std::vector<std::int32_t> estimates{5, -3, 5, 9, 5, 5, -3, 7, 5, 5, 8, 1};
  const auto count = static_cast<std::uint32_t>(estimates.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (estimates[i] < forward.limits()[0]) forward.offer(0, estimates[i], i);
    const std::uint32_t j = count - 1 - i;
    if (estimates[j] < backward.limits()[0]) backward.offer(0, estimates[j], j);
  }
  for (NearestKeeper* keeper : {&forward, &backward}) {
    std::vector<std::uint32_t> numbers(4);
    std::vector<std::int32_t> found(4);
    ASSERT_EQ(keeper->sorted(0, numbers, found), 4);
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 6, 11, 0}));
    EXPECT_EQ(found, (std::vector<std::int32_t>{-3, -3, 1, 5}));
  }
}

}  // namespace
}  // namespace mbn
