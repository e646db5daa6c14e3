// SPDX-License-Identifier: Apache-2.0
//
// Every engine of upper layers gives the codes of the plain loop, for any width, number of threads
// and batch.
#include "upper/upper_engines.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>

#include "kernels/every_target.hpp"
#include "upper/block_order.hpp"
#include "upper/upper_cases.hpp"
#include "upper/upper_index.hpp"

namespace mbn {
namespace {

using Factory = std::unique_ptr<UpperEngine> (*)(const CodeMatrix&, const Draws&);

struct Engine {
  const char* name;
  Factory make;
};

std::unique_ptr<UpperEngine> make_exact(const CodeMatrix& kept, const Draws& draws) {
  return make_exact_upper(kept, draws);
}
std::unique_ptr<UpperEngine> make_walk(const CodeMatrix& kept, const Draws& draws) {
  Job job({.threads = 2});
  return make_walk_upper(std::make_shared<UpperIndex>(kept, draws, job));
}
std::unique_ptr<UpperEngine> make_blocked(const CodeMatrix& kept, const Draws& draws) {
  Job job({.threads = 2});
  return make_blocked_upper(std::make_shared<UpperIndex>(kept, draws, job));
}

std::unique_ptr<UpperEngine> make_scan(const CodeMatrix& kept, const Draws& draws) {
  return make_scan_upper(kept, draws);
}

std::unique_ptr<UpperEngine> make_cheapest(const CodeMatrix& kept, const Draws& draws) {
  Job job({.threads = 2});
  return make_upper_engine(kept, draws, kept.rows(), job);
}

constexpr std::array kEngines = {Engine{"exact", &make_exact}, Engine{"walk", &make_walk},
                                 Engine{"blocked", &make_blocked}, Engine{"scan", &make_scan},
                                 Engine{"cheapest", &make_cheapest}};

CodeMatrix search(const UpperEngine& engine, const Draws& draws, const CodeMatrix& rows,
                  std::uint32_t threads = 1) {
  Job job({.threads = threads});
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  engine.encode(rows, codes, job);
  return codes;
}

struct Widths {
  std::size_t rows;
  std::uint32_t inputs;
  std::uint32_t below;
  std::uint32_t own;
};

class UpperEngines : public testing::TestWithParam<Widths> {};

TEST_P(UpperEngines, GiveTheCodesOfThePlainLoop) {
  const auto [count, inputs, below, own] = GetParam();
  const CodeMatrix rows = make_codes(count, inputs, below, 9);
  const UpperCase upper = make_upper(rows, own, inputs);
  const CodeMatrix expected = naive_codes(upper.kept, upper.draws, rows);
  for (const Engine& engine : kEngines) {
    SCOPED_TRACE(engine.name);
    const auto search_engine = engine.make(upper.kept, upper.draws);
    EXPECT_EQ(search(*search_engine, upper.draws, rows), expected);
    EXPECT_EQ(search(*search_engine, upper.draws, rows, 3), expected);
  }
}

// The cases: codes of 8, 16 and 32 bits in the layer below; from one centroid to all rows; fewer
// rows than a block, whole blocks, and a partial last block; one input; masks of one word, full or
// not, and of several words; more drawn features than a byte can count.
INSTANTIATE_TEST_SUITE_P(AllWidths, UpperEngines,
                         testing::Values(Widths{160, 30, 2, 1}, Widths{160, 30, 20, 10},
                                         Widths{160, 64, 256, 128}, Widths{160, 65, 257, 160},
                                         Widths{160, 30, 70000, 50}, Widths{300, 1, 9, 5},
                                         Widths{200, 1, 1, 200}, Widths{700, 20, 40, 600},
                                         Widths{90, 400, 30, 19}, Widths{60, 400, 300, 57},
                                         Widths{80, 401, 12, 58}, Widths{80, 130, 5, 64},
                                         Widths{1100, 7, 900, 1100}, Widths{50, 3, 4, 2},
                                         Widths{512, 25, 300, 40}, Widths{60, 700, 9, 6}));

TEST(UpperEngine, NewRowsMayHaveCodesThatNoDrawnRowHas) {
  const CodeMatrix rows = make_codes(50, 70, 300, 50);
  const CodeMatrix strangers = make_codes(40, 70, 300, 3, 12);
  const UpperCase upper = make_upper(rows, 20, 70);
  const CodeMatrix expected = naive_codes(upper.kept, upper.draws, strangers);
  for (const Engine& engine : kEngines) {
    SCOPED_TRACE(engine.name);
    EXPECT_EQ(search(*engine.make(upper.kept, upper.draws), upper.draws, strangers), expected);
  }
}

TEST(UpperEngine, ARowThatAgreesWithNoDrawnRowGetsCodeZero) {
  const CodeMatrix rows = make_codes(40, 12, 10, 4);
  const UpperCase upper = make_upper(rows, 15, 12);
  CodeMatrix kept(upper.kept.rows(), 12, 11);
  kept.visit([&]<class Code>(Code* cells) {
    for (std::size_t i = 0; i < kept.rows() * 12; ++i) {
      cells[i] = static_cast<Code>(upper.kept.at(i / 12, i % 12));
    }
  });
  CodeMatrix stranger(1, 12, 11);
  stranger.visit([]<class Code>(Code* cells) { std::fill_n(cells, 12, Code{10}); });
  for (const Engine& engine : kEngines) {
    SCOPED_TRACE(engine.name);
    EXPECT_EQ(search(*engine.make(kept, upper.draws), upper.draws, stranger),
              CodeMatrix(1, 12, 15));
  }
}

TEST(UpperEngine, ARowAloneHasTheCodesItHasInABatch) {
  const CodeMatrix rows = make_codes(150, 40, 25, 6);
  const UpperCase upper = make_upper(rows, 30, 40);
  const CodeMatrix expected = naive_codes(upper.kept, upper.draws, rows);
  for (const Engine& engine : kEngines) {
    SCOPED_TRACE(engine.name);
    const auto search_engine = engine.make(upper.kept, upper.draws);
    for (std::uint32_t row = 0; row < 150; row += 37) {
      const std::array one = {row};
      EXPECT_EQ(search(*search_engine, upper.draws, rows.gather(one)), expected.gather(one));
    }
    EXPECT_EQ(search(*search_engine, upper.draws, rows.gather({})).rows(), 0U);
  }
}

TEST(UpperEngine, EveryInstructionSetGivesTheSameCodes) {
  for (const std::uint32_t below : {30U, 300U}) {
    const CodeMatrix rows = make_codes(120, 77, below, 5);
    const UpperCase upper = make_upper(rows, 40, 77);
    const CodeMatrix expected = naive_codes(upper.kept, upper.draws, rows);
    on_every_target([&] {
      for (const Engine& engine : kEngines) {
        SCOPED_TRACE(engine.name);
        EXPECT_EQ(search(*engine.make(upper.kept, upper.draws), upper.draws, rows), expected);
      }
    });
  }
}

TEST(UpperEngine, AllGiveTheSameCodesOnAnyLayer) {
  rc::check("all engines give the codes of the plain loop", [] {
    const auto count = *rc::gen::inRange<std::uint32_t>(2, 120);
    const auto inputs = *rc::gen::inRange<std::uint32_t>(1, 100);
    const auto clusterings = *rc::gen::inRange<std::uint32_t>(1, 80);
    const auto below = *rc::gen::element<std::uint32_t>(1, 2, 7, 40, 255, 256, 257, 5000, 70000);
    const auto own = *rc::gen::inRange<std::uint32_t>(1, count + 1);
    const auto groups = *rc::gen::inRange<std::uint32_t>(1, 30);
    const double fraction = *rc::gen::element(0.1, 0.5, 0.9, 1.0);
    const CodeMatrix rows = make_codes(count, inputs, below, groups);
    const CodeMatrix strangers = make_codes(9, inputs, below, groups, 77);
    const UpperCase upper = make_upper(rows, own, clusterings, fraction);
    for (const Engine& engine : kEngines) {
      const auto search_engine = engine.make(upper.kept, upper.draws);
      for (const CodeMatrix* queries : {&rows, &strangers}) {
        RC_ASSERT(search(*search_engine, upper.draws, *queries) ==
                  naive_codes(upper.kept, upper.draws, *queries));
      }
    }
  });
}

TEST(UpperEngine, AgreementsAbove255AreCounted) {
  // All 700 features drawn, and rows that agree in more than 255 of them.
  const CodeMatrix rows = make_codes(60, 700, 9, 3);
  const UpperCase upper = make_upper(rows, 12, 20, 1.0);
  const CodeMatrix expected = naive_codes(upper.kept, upper.draws, rows);
  for (const Engine& engine : kEngines) {
    SCOPED_TRACE(engine.name);
    EXPECT_EQ(search(*engine.make(upper.kept, upper.draws), upper.draws, rows), expected);
  }
}

TEST(BlockOrder, NamesEveryRowOnceAndKeepsSimilarRowsTogether) {
  constexpr std::uint32_t kGroups = 40;
  for (const std::size_t rows : {0U, 5U, 20000U}) {
    for (const std::uint32_t threads : {1U, 3U}) {
      Job job({.threads = threads});
      const CodeMatrix codes = make_codes(rows, 30, 400, kGroups);
      std::vector<std::uint32_t> order = block_order(codes, job);
      std::size_t changes = 0;
      for (std::size_t i = 1; i < order.size(); ++i) {
        changes += order[i] % kGroups != order[i - 1] % kGroups ? 1 : 0;
      }
      EXPECT_LT(changes, std::max<std::size_t>(rows / 10, 5));
      std::sort(order.begin(), order.end());
      ASSERT_EQ(order.size(), rows);
      for (std::uint32_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
    }
  }
}

TEST(CheapestUpper, WideLayersWalkAndNarrowOnesGoInBlocks) {
  UpperSizes sizes{.rows = 70000,
                   .kept_rows = 70000,
                   .inputs = 400,
                   .centroids_below = 35000,
                   .clusterings = 400,
                   .centroids = 17500,
                   .features = 200};
  EXPECT_EQ(cheapest_upper(sizes, {.row = 2000, .block = 300000}), UpperKind::walk);
  sizes.kept_rows = 6500;
  sizes.centroids_below = 34;
  sizes.centroids = 17;
  EXPECT_EQ(cheapest_upper(sizes, {.row = 90000, .block = 500000}), UpperKind::blocked);
  // More kept rows than the index can number.
  sizes.kept_rows = 2'000'000;
  EXPECT_EQ(cheapest_upper(sizes, {.row = 90000, .block = 500000}), UpperKind::exact);
}

TEST(CheapestUpper, LikenessIsMeasured) {
  // All rows equal: a row, and a block, agrees with every kept row in every feature.
  const Likeness equal = estimate_likeness(CodeMatrix(100, 7, 50), 100);
  EXPECT_DOUBLE_EQ(equal.row, 700);
  EXPECT_DOUBLE_EQ(equal.block, 700);
  // Two codes, half of the rows each: a row agrees with half of the kept rows, a block with all of
  // them.
  CodeMatrix halves(100, 7, 50);
  halves.visit([]<class Code>(Code* cells) {
    for (std::size_t i = 0; i < 700; ++i) cells[i] = static_cast<Code>(i / 7 % 2);
  });
  const Likeness half = estimate_likeness(halves, 100);
  EXPECT_DOUBLE_EQ(half.row, 350);
  EXPECT_DOUBLE_EQ(half.block, 700);
  EXPECT_DOUBLE_EQ(estimate_likeness(CodeMatrix(0, 7, 50), 100).row, 0);
}

TEST(CheapestUpper, BytesGrowWithTheThreads) {
  const UpperSizes sizes{.rows = 5000,
                         .kept_rows = 5000,
                         .inputs = 400,
                         .centroids_below = 2500,
                         .clusterings = 400,
                         .centroids = 1250,
                         .features = 200};
  EXPECT_GT(upper_engine_bytes(sizes, 4), upper_engine_bytes(sizes, 1));
  EXPECT_GE(upper_engine_bytes(sizes, 1), UpperIndex::bytes(sizes));
}

}  // namespace
}  // namespace mbn
