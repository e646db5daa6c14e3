// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/generate.hpp>

namespace mbn {
namespace {

constexpr std::array<ToyKind, 6> kKinds{ToyKind::gaussians, ToyKind::moons,   ToyKind::ring,
                                        ToyKind::compound,  ToyKind::outlier, ToyKind::swissroll};

std::size_t classes_of(ToyKind kind) {
  switch (kind) {
    case ToyKind::moons:
      return 2;
    case ToyKind::compound:
      return 6;
    case ToyKind::swissroll:
      return 4;
    default:
      return 3;
  }
}

std::map<std::int32_t, std::size_t> class_sizes(const Table& table) {
  std::map<std::int32_t, std::size_t> sizes;
  for (const std::int32_t label : table.labels->values) ++sizes[label];
  return sizes;
}

std::vector<float> cells_of(const Table& table) {
  std::vector<float> cells;
  for (std::size_t i = 0; i < table.rows.rows(); ++i) {
    const float* row = table.rows.dense().row<float>(i);
    cells.insert(cells.end(), row, row + table.rows.columns());
  }
  return cells;
}

struct Centre {
  std::vector<double> mean;
  double deviation = 0;  ///< root of the mean variance of the columns
};

std::vector<Centre> centres_of(const Table& table, std::size_t classes) {
  const std::size_t columns = table.rows.columns();
  std::vector<Centre> centres(classes, Centre{std::vector<double>(columns), 0});
  auto sizes = class_sizes(table);
  const auto each = [&](auto&& body) {
    for (std::size_t i = 0; i < table.rows.rows(); ++i) {
      const std::int32_t label = table.labels->values[i];
      const auto size = static_cast<double>(sizes[label]);
      for (std::size_t c = 0; c < columns; ++c) {
        body(centres[static_cast<std::size_t>(label)], size, c,
             double{table.rows.dense().at(i, c)});
      }
    }
  };
  each([](Centre& centre, double size, std::size_t c, double x) { centre.mean[c] += x / size; });
  each([&](Centre& centre, double size, std::size_t c, double x) {
    centre.deviation +=
        (x - centre.mean[c]) * (x - centre.mean[c]) / size / static_cast<double>(columns);
  });
  for (Centre& centre : centres) centre.deviation = std::sqrt(centre.deviation);
  return centres;
}

double distance(const Centre& a, const Centre& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.mean.size(); ++c) {
    sum += (a.mean[c] - b.mean[c]) * (a.mean[c] - b.mean[c]);
  }
  return std::sqrt(sum);
}

TEST(Generate, HasANameForEveryKind) {
  EXPECT_EQ(name_of(ToyKind::swissroll), "swissroll");
  EXPECT_EQ(name_of(ToyKind::ring), "ring");
}

TEST(Generate, SameSeedSameRows) {
  for (const ToyKind kind : kKinds) {
    const Table one = generate({.kind = kind, .rows = 5000, .seed = 4});
    const Table same = generate({.kind = kind, .rows = 5000, .seed = 4});
    const Table other = generate({.kind = kind, .rows = 5000, .seed = 5});
    EXPECT_EQ(cells_of(one), cells_of(same));
    EXPECT_EQ(one.labels->values, same.labels->values);
    EXPECT_NE(cells_of(one), cells_of(other));
    EXPECT_NE(one.labels->values, other.labels->values);
  }
}

TEST(Generate, EveryClassHasARowWhenThereAreEnough) {
  for (const ToyKind kind : kKinds) {
    for (std::size_t rows = 1; rows < 20; ++rows) {
      const Table table = generate({.kind = kind, .rows = rows});
      EXPECT_EQ(table.rows.rows(), rows);
      EXPECT_EQ(table.labels->values.size(), rows);
      EXPECT_EQ(class_sizes(table).size(), std::min(rows, classes_of(kind)));
      for (const float cell : cells_of(table)) EXPECT_TRUE(std::isfinite(cell));
    }
  }
}

TEST(Generate, ColumnsHaveNames) {
  const auto names = [](ToyKind kind, std::uint32_t columns) {
    return generate({.kind = kind, .rows = 10, .columns = columns}).columns;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(ToyKind::gaussians, 1), (Names{"x"}));
  EXPECT_EQ(names(ToyKind::moons, 9), (Names{"x", "y"}));
  EXPECT_EQ(names(ToyKind::swissroll, 2), (Names{"x", "y", "z"}));
  EXPECT_EQ(names(ToyKind::gaussians, 4), (Names{"x1", "x2", "x3", "x4"}));
}

TEST(Generate, GaussiansKeepApartInAnyNumberOfColumns) {
  for (const std::uint32_t columns : {1U, 2U, 3U, 50U, 500U}) {
    for (const std::uint32_t clusters : {2U, 7U, 40U}) {
      const Table table = generate({.rows = 8000, .columns = columns, .clusters = clusters});
      const std::vector<Centre> centres = centres_of(table, clusters);
      for (std::size_t a = 0; a < clusters; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          EXPECT_GT(distance(centres[a], centres[b]),
                    2.5 * (centres[a].deviation + centres[b].deviation));
        }
      }
    }
  }
}

TEST(Generate, GaussiansAreUnequalInSizeAndSpread) {
  const Table table = generate({.rows = 6000, .columns = 5, .clusters = 4});
  const auto sizes = class_sizes(table);
  EXPECT_GT(sizes.at(0), 5 * sizes.at(3) / 2);
  std::vector<double> deviations;
  for (const Centre& centre : centres_of(table, 4)) deviations.push_back(centre.deviation);
  std::sort(deviations.begin(), deviations.end());
  EXPECT_NEAR(deviations.front(), 0.5, 0.05);
  EXPECT_NEAR(deviations.back(), 1.5, 0.1);
}

TEST(Generate, RowsAreInRandomOrder) {
  const Table table = generate({.rows = 900});
  const auto half = table.labels->values.begin() + 450;
  const auto first_half = std::count(table.labels->values.begin(), half, 0);
  EXPECT_NEAR(static_cast<double>(first_half),
              static_cast<double>(std::count(half, table.labels->values.end(), 0)), 90);
}

TEST(Generate, OneMoonIsDenserAndMoonsDoNotTouch) {
  const Table table = generate({.kind = ToyKind::moons, .rows = 800});
  const auto sizes = class_sizes(table);
  EXPECT_GT(sizes.at(0), 2 * sizes.at(1));
  for (std::size_t i = 0; i < 800; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (table.labels->values[i] == table.labels->values[j]) continue;
      EXPECT_GT(std::hypot(table.rows.dense().at(i, 0) - table.rows.dense().at(j, 0),
                           table.rows.dense().at(i, 1) - table.rows.dense().at(j, 1)),
                1.5);
    }
  }
}

TEST(Generate, TheRingIsOpenAndHoldsTheBlobs) {
  const Table table = generate({.kind = ToyKind::ring, .rows = 3000});
  for (std::size_t i = 0; i < 3000; ++i) {
    const float x = table.rows.dense().at(i, 0);
    const float y = table.rows.dense().at(i, 1);
    if (table.labels->values[i] == 0) {
      EXPECT_NEAR(std::hypot(x, y), 10, 0.41);
      EXPECT_FALSE(y < 0 && std::abs(x) < 4) << "the ring is closed at " << x << ", " << y;
    } else {
      EXPECT_LT(std::hypot(x, y), 9.4);
    }
  }
}

TEST(Generate, ExactlyOneOutlierFarAway) {
  for (const std::size_t rows : {3UL, 10UL, 5000UL}) {
    const Table table = generate({.kind = ToyKind::outlier, .rows = rows});
    EXPECT_EQ(class_sizes(table).at(2), 1U);
    for (std::size_t i = 0; i < rows; ++i) {
      const bool far = std::hypot(table.rows.dense().at(i, 0), table.rows.dense().at(i, 1)) > 100;
      EXPECT_EQ(far, table.labels->values[i] == 2);
    }
  }
  EXPECT_EQ(class_sizes(generate({.kind = ToyKind::outlier, .rows = 2})).size(), 2U);
}

TEST(Generate, SwissRollIsASpiralInQuarters) {
  const Table table = generate({.kind = ToyKind::swissroll, .rows = 4000});
  std::array<double, 4> least{1e9, 1e9, 1e9, 1e9};
  std::array<double, 4> most{};
  for (std::size_t i = 0; i < 4000; ++i) {
    const double radius = std::hypot(table.rows.dense().at(i, 0), table.rows.dense().at(i, 2));
    EXPECT_NEAR(radius * std::cos(radius), table.rows.dense().at(i, 0), 1e-4);
    const auto label = static_cast<std::size_t>(table.labels->values[i]);
    least[label] = std::min(least[label], radius);
    most[label] = std::max(most[label], radius);
  }
  for (std::size_t quarter = 1; quarter < 4; ++quarter) {
    EXPECT_LE(most[quarter - 1], least[quarter] + 1e-5);
  }
  for (const auto& [label, size] : class_sizes(table)) EXPECT_EQ(size, 1000U) << label;
}

TEST(Generate, WrongOptionsAreRefused) {
  EXPECT_THROW(generate({.rows = 0}), InvalidArgument);
  EXPECT_THROW(generate({.rows = std::uint64_t{1} << 40}), InvalidArgument);
  EXPECT_THROW(generate({.columns = 0}), InvalidArgument);
  EXPECT_THROW(generate({.clusters = 0}), InvalidArgument);
  EXPECT_THROW(generate({.clusters = 10001}), InvalidArgument);
  EXPECT_THROW(generate({.kind = static_cast<ToyKind>(99)}), InvalidArgument);
  EXPECT_NO_THROW(generate({.kind = ToyKind::moons, .columns = 0, .clusters = 0}));
}

}  // namespace
}  // namespace mbn
