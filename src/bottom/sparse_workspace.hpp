// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <mbn/sparse.hpp>

#include "bottom/pair_sums.hpp"

/// The data structures of bottom/sparse_bounds.cpp, which explains them.
namespace mbn::sparse_bounds {

/// The inverted index: for each feature, the kept rows that are nonzero there.
struct Postings {
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> rows;
  std::vector<float> sizes;  // absolute values

  explicit Postings(SparseView kept) : starts(kept.columns() + 1) {
    for (std::size_t j = 0; j < kept.rows(); ++j) {
      for (const std::uint32_t feature : kept.indices(j)) ++starts[feature + 1];
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    rows.resize(starts.back());
    sizes.resize(starts.back());
    std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t j = 0; j < kept.rows(); ++j) {
      for (std::size_t n = 0; n < kept.indices(j).size(); ++n) {
        const std::uint64_t place = next[kept.indices(j)[n]]++;
        rows[place] = static_cast<std::uint32_t>(j);
        sizes[place] = std::fabs(kept.values(j)[n]);
      }
    }
  }
};

/// 64 features of a row: a bit for each feature that is a nonzero of the row, and the number of
/// nonzeros in earlier blocks. Finds the position of a feature among the nonzeros.
struct CellBlock {
  std::uint64_t bits = 0;
  std::uint64_t before = 0;
};

/// A feature in which both rows are nonzero; `place` is its position among the nonzeros of the kept
/// row.
struct CommonCell {
  std::uint32_t place;
  std::uint32_t feature;
};

/// The work space for one row at a time; reused for many rows, by one thread.
struct Workspace {
  /// Features of a row, those of largest magnitude, whose product with each kept row is stored.
  static constexpr std::size_t kHeavy = 5;

  Workspace(SparseView kept, std::size_t longest, std::size_t clusterings, std::size_t words)
      : cells((kept.columns() + 63) / 64),
        overlap(kept.rows()),
        heavy(kHeavy * kept.rows()),
        lacking(clusterings),
        seen(kept.rows()),
        hits(words),
        reachable(64 * words),
        best(clusterings),
        decided(clusterings),
        winner(clusterings),
        common(longest + 1),
        products(longest + 1),
        masks(longest + 1) {}

  std::vector<CellBlock> cells;
  std::vector<float> overlap;         // A of each kept row
  std::vector<float> heavy;           // kept rows x kHeavy: products |x_f w_f| of those features
  std::vector<std::uint8_t> lacking;  // bit h: clustering v did not draw feature h of them
  std::vector<std::uint32_t> heavy_features;
  std::vector<std::uint8_t> seen;    // 1: kept row that was visited first
  std::vector<std::uint32_t> first;  // their numbers
  std::vector<std::uint64_t> hits;
  std::vector<float> reachable;       // what a bound must reach: lower end of the best score
  std::vector<DistanceRange> best;    // score of the winner
  std::vector<double> decided;        // its distance in double; NaN: not computed yet
  std::vector<std::uint32_t> winner;  // kept row
  std::vector<CommonCell> common;
  std::size_t common_count = 0;
  std::vector<std::int64_t> products;  // of the common features
  double unit = 0;                     // the value of one; 0: the products are not usable
  std::vector<std::uint64_t> masks;    // of the common features: 64 clusterings that drew them
  std::size_t row = 0;
  double slack = 0;         // relative error of a float32 sum over the row's nonzeros
  double underflow = 0;     // absolute error of the same
  double double_error = 0;  // error of a distance in double, which also sums |x|^2
  float bound_factor = 0;   // these three turn A and |w|^2 into an upper bound
  float bound_shift = 0;
  float square_factor = 0;
  float lowest = 0;  // of reachable
  bool improved = false;
};

}  // namespace mbn::sparse_bounds
