// SPDX-License-Identifier: Apache-2.0
//
// Exact search at the bottom layer for sparse rows, all clusterings of one row together, by upper
// bounds. A higher score is a smaller distance:
//
//     cosine       <x, w>_v / |w|_v                 v: on the features that clustering v drew
//     Euclidean    2 <x, w>_v - |w|_v^2             (|x - w|^2 = |x|^2 - score)
//
// An inverted index of the kept rows gives, for every kept row w, the overlap on all features,
//
//     A = sum_f |x_f w_f|  >=  |<x, w>_v|        for every clustering v,
//
// at the cost of the common nonzeros. A and the norm |w|_v, from a table, give an upper bound of
// the score in every clustering at once, and one vector comparison with the best scores so far
// (kernels/reaching.hpp) finds the clusterings in which w could still win. Only those compute its
// score.
//
// The kept rows with the best score on all features are visited first; after them the bound of
// hardly any row reaches the best score of a clustering. Where it does, the bound is first made
// sharper: the products of the row's five largest features are taken out of A in clusterings that
// did not draw them. If it still reaches, the common features are found once for the pair of rows,
// and each such clustering adds up those that it drew. On 20-Newsgroups a clustering computes the
// score of about one of 500 drawn rows.
//
// 32 rows are searched together, a tile of 64 kept rows at a time, because the table of norms is
// far larger than a cache.
//
// Sums are in float32 with the error bound of rows/metric.cpp, so a score is an interval. Intervals
// that overlap are decided in double, in the fixed order of dense rows: the codes are the same as
// those of dense rows.
#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "base/large_array.hpp"
#include "bottom/drawn_features.hpp"
#include "bottom/drawn_index.hpp"
#include "bottom/sparse_engines.hpp"
#include "bottom/sparse_workspace.hpp"
#include "kernels/reaching.hpp"

namespace mbn {

namespace {

using sparse_bounds::CellBlock;
using sparse_bounds::Postings;
using sparse_bounds::Workspace;

constexpr std::uint32_t kNone = ~0U;
constexpr std::size_t kTaskRows = 32;  // rows that are searched together
constexpr std::size_t kTileRows = 64;  // of the kept rows
// Kept rows that are visited first, in order of their score on all features.
constexpr std::size_t kFirst = 96;
constexpr std::size_t kHeavy = Workspace::kHeavy;
constexpr double kUnderflow = 1e-37;
constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr DistanceRange kUnknown{-std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};

float in_range(double value) {
  return static_cast<float>(std::min(value, static_cast<double>(FLT_MAX)));
}

float rounded_down(double value) {
  if (value < -static_cast<double>(FLT_MAX)) return -kInfinite;
  const float near = in_range(value);
  return static_cast<double>(near) <= value ? near : std::nextafter(near, -kInfinite);
}

// The products of one pair of rows are added up as integers, in units of A / 2^40: that needs no
// branch, and its rounding error is far smaller than that of A itself.
constexpr double kUnits = 1099511627776.0;

class SparseBounds final : public BottomEngine {
 public:
  SparseBounds(SparseView kept, const Draws& draws, Metric metric, Job& job)
      : kept_(kept),
        draws_(draws),
        cosine_(metric == Metric::cosine),
        metric_(metric),
        index_(draws, kept.rows(), 0),
        features_(draws, kept.columns()),
        postings_(kept) {
    for (std::size_t j = 0; j < kept.rows(); ++j) {
      longest_ = std::max(longest_, kept.indices(j).size());
    }
    build_terms(job);
  }

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const SparseView rows = given.sparse();
    std::vector<std::vector<std::unique_ptr<Workspace>>> spaces(job.threads());
    const std::size_t side_by_side = std::min(kTaskRows, std::max<std::size_t>(1, rows.rows()));
    job.parallel(blocks(rows.rows(), kTaskRows), [&](std::size_t task, unsigned worker) {
      auto& own = spaces[worker];
      while (own.size() < side_by_side) {
        own.push_back(
            std::make_unique<Workspace>(kept_, longest_, draws_.clusterings, features_.words()));
      }
      const std::size_t first = task * kTaskRows;
      search(rows, first, std::min(kTaskRows, rows.rows() - first), own);
      for (std::size_t i = 0; first + i < rows.rows() && i < kTaskRows; ++i) {
        write(first + i, *own[i], codes);
      }
    });
  }

 private:
  std::size_t padded() const { return 64 * features_.words(); }
  const float* terms(std::size_t kept_row) const { return terms_.data() + kept_row * padded(); }

  // terms_: 1 / |w|_v (cosine) or |w|_v^2 (Euclidean) for each kept row w and clustering v that
  // drew it.
  void build_terms(Job& job) {
    terms_.assign(kept_.rows() * padded(), std::nanf(""));
    extreme_.assign(kept_.rows(), 0);
    square_.assign(kept_.rows(), 0);
    job.parallel(blocks(kept_.rows(), 64), [&](std::size_t task, unsigned) {
      std::vector<double> squares(padded());
      const std::size_t last = std::min(kept_.rows(), (task + 1) * 64);
      for (std::size_t j = task * 64; j < last; ++j) build_terms_of(j, squares);
    });
  }

  void build_terms_of(std::size_t j, std::vector<double>& squares) {
    std::fill(squares.begin(), squares.end(), 0.0);
    double all = 0;
    for (std::size_t n = 0; n < kept_.indices(j).size(); ++n) {
      const auto value = static_cast<double>(kept_.values(j)[n]);
      all += value * value;
      const std::uint64_t* mask = features_.drawn_by(kept_.indices(j)[n]);
      for (std::size_t word = 0; word < features_.words(); ++word) {
        for (std::uint64_t bits = mask[word]; bits != 0; bits &= bits - 1) {
          squares[64 * word + static_cast<std::size_t>(std::countr_zero(bits))] += value * value;
        }
      }
    }
    const std::uint64_t* drawn_by = index_.drawn_by(j);
    float* out = terms_.data() + j * padded();
    float extreme = cosine_ ? 0 : FLT_MAX;
    for (std::size_t v = 0; v < draws_.clusterings; ++v) {
      if ((drawn_by[v / 64] >> (v % 64) & 1) == 0) continue;
      if (cosine_) {
        out[v] = squares[v] == 0 ? 0 : in_range(1 / std::sqrt(squares[v]));
        extreme = std::max(extreme, out[v]);
      } else {
        out[v] = in_range(squares[v]);
        extreme = std::min(extreme, out[v]);
      }
    }
    extreme_[j] = extreme;
    square_[j] = in_range(all);
  }

  void search(const SparseView& rows, std::size_t first, std::size_t count,
              std::span<const std::unique_ptr<Workspace>> spaces) const {
    for (std::size_t i = 0; i < count; ++i) {
      Workspace& space = *spaces[i];
      begin(rows, first + i, space);
      order_first(space);
      for (const std::uint32_t j : space.first) {
        space.seen[j] = 1;
        look(rows, j, space);
      }
      find_lowest(space);
    }
    for (std::size_t tile = 0; tile < kept_.rows(); tile += kTileRows) {
      const std::size_t last = std::min(kept_.rows(), tile + kTileRows);
      for (std::size_t i = 0; i < count; ++i) look_at_tile(rows, tile, last, *spaces[i]);
    }
    for (std::size_t i = 0; i < count; ++i) end(rows, first + i, *spaces[i]);
  }

  void look_at_tile(const SparseView& rows, std::size_t tile, std::size_t last,
                    Workspace& space) const {
    if (space.improved) find_lowest(space);
    for (std::size_t j = tile; j < last; ++j) {
      const float bound = bound_of(j, space);
      const float reach = cosine_ ? bound * extreme_[j] : bound - extreme_[j];
      if (!(reach < space.lowest) && space.seen[j] == 0) {
        look(rows, static_cast<std::uint32_t>(j), space);
      }
    }
  }

  // Sets the work space back to zeros, at the cost of what was used.
  void end(const SparseView& rows, std::size_t row, Workspace& space) const {
    for (const std::uint32_t j : space.first) space.seen[j] = 0;
    for (const std::uint32_t feature : rows.indices(row)) space.cells[feature / 64] = {};
    for (std::size_t h = 0; h < space.heavy_features.size(); ++h) {
      const std::size_t feature = space.heavy_features[h];
      for (std::uint64_t p = postings_.starts[feature]; p < postings_.starts[feature + 1]; ++p) {
        space.heavy[kHeavy * postings_.rows[p] + h] = 0;
      }
    }
  }

  void begin(const SparseView& rows, std::size_t row, Workspace& space) const {
    const auto at = rows.indices(row);
    const auto values = rows.values(row);
    const double count = static_cast<double>(at.size());
    space.row = row;
    space.slack = (count + 16) * static_cast<double>(FLT_EPSILON);
    space.underflow = (count + 1) * kUnderflow;
    double row_square = 0;
    std::fill(space.overlap.begin(), space.overlap.end(), 0.0F);
    std::fill(space.winner.begin(), space.winner.end(), kNone);
    std::fill(space.reachable.begin(), space.reachable.end(), -kInfinite);
    std::fill(space.hits.begin(), space.hits.end(), 0U);
    for (std::size_t n = 0; n < at.size(); ++n) {
      CellBlock& block = space.cells[at[n] / 64];
      if (block.bits == 0) block.before = n;
      block.bits |= std::uint64_t{1} << (at[n] % 64);
      row_square += static_cast<double>(values[n]) * static_cast<double>(values[n]);
      add_overlaps(at[n], std::fabs(values[n]), space);
      if (values[n] == 0) continue;
      for (std::size_t word = 0; word < features_.words(); ++word) {
        space.hits[word] |= features_.drawn_by(at[n])[word];
      }
    }
    find_heavy(rows, row, space);
    // Widened to cover their own rounding errors.
    space.double_error =
        2 * space.slack * row_square * DBL_EPSILON / static_cast<double>(FLT_EPSILON);
    space.bound_factor = static_cast<float>((cosine_ ? 1 : 2) * (1 + 2 * space.slack));
    space.bound_shift = in_range(4 * space.underflow + 2 * space.double_error);
    space.square_factor = static_cast<float>(cosine_ ? 0 : 2 * space.slack);
    if (!cosine_) return;
    // A row that is zero on the drawn features is equally far from all drawn rows, and the lowest
    // code wins.
    for (std::size_t v = 0; v < draws_.clusterings; ++v) {
      if ((space.hits[v / 64] >> (v % 64) & 1) != 0) continue;
      space.winner[v] = draws_.rows_of(v)[0];
      space.reachable[v] = kInfinite;
    }
  }

  void add_overlaps(std::size_t feature, float size, Workspace& space) const {
    const std::uint64_t end = postings_.starts[feature + 1];
    for (std::uint64_t p = postings_.starts[feature]; p < end; ++p) {
      space.overlap[postings_.rows[p]] += size * postings_.sizes[p];
    }
  }

  void find_heavy(const SparseView& rows, std::size_t row, Workspace& space) const {
    const auto at = rows.indices(row);
    const auto values = rows.values(row);
    std::vector<std::uint32_t> order(at.size());
    std::iota(order.begin(), order.end(), 0U);
    const std::size_t count = std::min(kHeavy, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), [&](std::uint32_t a, std::uint32_t b) {
                        return std::fabs(values[a]) != std::fabs(values[b])
                                   ? std::fabs(values[a]) > std::fabs(values[b])
                                   : a < b;
                      });
    space.heavy_features.clear();
    std::fill(space.lacking.begin(), space.lacking.end(), std::uint8_t{0});
    for (std::size_t h = 0; h < count; ++h) {
      const std::uint32_t feature = at[order[h]];
      const float size = std::fabs(values[order[h]]);
      space.heavy_features.push_back(feature);
      for (std::uint64_t p = postings_.starts[feature]; p < postings_.starts[feature + 1]; ++p) {
        space.heavy[kHeavy * postings_.rows[p] + h] = size * postings_.sizes[p];
      }
      const std::uint64_t* mask = features_.drawn_by(feature);
      for (std::size_t v = 0; v < draws_.clusterings; ++v) {
        const bool lacks = (mask[v / 64] >> (v % 64) & 1) == 0;
        space.lacking[v] |= static_cast<std::uint8_t>((lacks ? 1U : 0U) << h);
      }
    }
  }

  // The kept rows with the best scores on all features, best first.
  void order_first(Workspace& space) const {
    const auto likely = [&](std::uint32_t j) {
      return cosine_ ? space.overlap[j] : 2 * space.overlap[j] - square_[j];
    };
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      return likely(a) != likely(b) ? likely(a) > likely(b) : a < b;
    };
    auto& first = space.first;
    first.clear();
    float limit = -kInfinite;
    const auto cut = [&] {
      if (first.size() <= kFirst) return;
      std::nth_element(first.begin(), first.begin() + kFirst - 1, first.end(), better);
      first.resize(kFirst);
      limit = likely(first.back());
    };
    for (std::uint32_t j = 0; j < kept_.rows(); ++j) {
      // With infinities or NaN the order is arbitrary: that costs time, but changes no code.
      if (likely(j) <= limit) continue;
      first.push_back(j);
      if (first.size() == 2 * kFirst) cut();
    }
    cut();
    std::sort(first.begin(), first.end(), better);
  }

  void find_lowest(Workspace& space) const {
    space.lowest =
        *std::min_element(space.reachable.begin(), space.reachable.begin() + draws_.clusterings);
    space.improved = false;
  }

  // An upper bound of <x, w> on any features; for Euclidean of twice that, plus the error of the
  // norm.
  float bound_of(std::size_t j, const Workspace& space) const {
    const float bound = space.overlap[j] * space.bound_factor + square_[j] * space.square_factor +
                        space.bound_shift;
    return std::min(bound, FLT_MAX);
  }

  // Computes the score of kept row j in the clusterings in which it could still win.
  void look(const SparseView& rows, std::uint32_t j, Workspace& space) const {
    const float bound = bound_of(j, space);
    const auto reaching = cosine_ ? reaching_scaled : reaching_shifted;
    if (!reaching(terms(j), space.reachable.data(), bound, features_.words(), space.hits.data())) {
      return;
    }
    if (!still_reaching(j, bound, space)) return;
    find_common(rows, j, space);
    for (std::size_t word = 0; word < features_.words(); ++word) {
      if (space.hits[word] == 0) continue;
      for (std::size_t n = 0; n < space.common_count; ++n) {
        space.masks[n] = features_.drawn_by(space.common[n].feature)[word];
      }
      for (std::uint64_t bits = space.hits[word]; bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits));
        const auto v = static_cast<std::uint32_t>(64 * word) + bit;
        consider(rows, v, j, score(j, v, bit, space), space);
      }
    }
  }

  // Clears the hits whose bound no longer reaches without the largest features that their
  // clustering did not draw. False when no hit is left.
  bool still_reaching(std::uint32_t j, float bound, Workspace& space) const {
    std::array<float, std::size_t{1} << kHeavy> without{};
    for (std::size_t h = 0; h < kHeavy; ++h) {
      const float product = space.heavy[kHeavy * j + h] * (cosine_ ? 1.0F : 2.0F);
      const std::size_t half = std::size_t{1} << h;
      for (std::size_t set = 0; set < half; ++set) without[half + set] = without[set] + product;
    }
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < features_.words(); ++word) {
      for (std::uint64_t bits = space.hits[word]; bits != 0; bits &= bits - 1) {
        const std::size_t v = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
        const float most = bound - without[space.lacking[v]];
        const float reach = cosine_ ? most * terms(j)[v] : most - terms(j)[v];
        if (reach < space.reachable[v]) space.hits[word] &= ~(bits & -bits);
      }
      any |= space.hits[word];
    }
    return any != 0;
  }

  void find_common(const SparseView& rows, std::uint32_t j, Workspace& space) const {
    const auto at = kept_.indices(j);
    std::size_t count = 0;
    for (std::size_t n = 0; n < at.size(); ++n) {
      space.common[count] = {static_cast<std::uint32_t>(n), at[n]};
      count += space.cells[at[n] / 64].bits >> (at[n] % 64) & 1;
    }
    space.common_count = count;
    const auto overlap = static_cast<double>(space.overlap[j]);
    const double scale = kUnits / overlap;
    const bool usable = std::isfinite(overlap) && std::isfinite(scale);
    space.unit = usable ? overlap / kUnits : 0;
    if (!usable) return;
    const auto x = rows.values(space.row);
    const auto w = kept_.values(j);
    for (std::size_t n = 0; n < count; ++n) {
      const CellBlock& block = space.cells[space.common[n].feature / 64];
      const std::uint64_t below = (std::uint64_t{1} << (space.common[n].feature % 64)) - 1;
      const std::size_t place =
          block.before + static_cast<std::size_t>(std::popcount(block.bits & below));
      space.products[n] = static_cast<std::int64_t>(
          static_cast<double>(x[place]) * static_cast<double>(w[space.common[n].place]) * scale);
    }
  }

  DistanceRange score(std::uint32_t j, std::uint32_t v, std::uint32_t bit,
                      const Workspace& space) const {
    std::uint64_t any = 0;
    std::int64_t units = 0;
    for (std::size_t n = 0; n < space.common_count; ++n) {
      const std::uint64_t drawn = space.masks[n] >> bit & 1;
      any |= drawn;
      units += space.products[n] & -static_cast<std::int64_t>(drawn);
    }
    if (any != 0 && space.unit == 0) return kUnknown;
    const double sum = static_cast<double>(units) * space.unit;
    const auto term = static_cast<double>(terms(j)[v]);
    const auto overlap = static_cast<double>(space.overlap[j]);
    const double error = overlap * space.slack + space.underflow;
    DistanceRange range;
    if (cosine_) {
      if (any == 0) return {0, 0};
      // The inverse of a norm close to zero is too inaccurate.
      if (term > 1e30) return kUnknown;
      const double middle = sum * term;
      range = {middle - error * term, middle + error * term};
    } else {
      const double middle = 2 * sum - term;
      const double half = 2 * error + space.slack * term + space.double_error + space.underflow;
      range = {middle - half, middle + half};
    }
    return std::isfinite(range.low) && std::isfinite(range.high) && term < 1e38 ? range : kUnknown;
  }

  void consider(const SparseView& rows, std::uint32_t v, std::uint32_t j, DistanceRange range,
                Workspace& space) const {
    DistanceRange& best = space.best[v];
    const std::uint32_t winner = space.winner[v];
    if (winner != kNone && range.high < best.low) return;
    bool wins = winner == kNone || range.low > best.high;
    double distance = std::numeric_limits<double>::quiet_NaN();
    if (!wins) {
      // The intervals overlap: compare the distances in double.
      double& known = space.decided[v];
      if (std::isnan(known)) {
        known = features_.distance(metric_, v, rows, space.row, kept_, winner);
      }
      distance = features_.distance(metric_, v, rows, space.row, kept_, j);
      wins = distance < known || (distance == known && index_.code(j, v) < index_.code(winner, v));
    }
    if (!wins) return;
    best = range;
    space.decided[v] = distance;
    space.winner[v] = j;
    space.reachable[v] = rounded_down(range.low);
    space.improved = true;
  }

  void write(std::size_t row, const Workspace& space, CodeMatrix& codes) const {
    codes.visit([&](auto* cells) {
      using Code = std::remove_pointer_t<decltype(cells)>;
      auto* out = cells + row * draws_.clusterings;
      for (std::uint32_t v = 0; v < draws_.clusterings; ++v) {
        out[v] = static_cast<Code>(index_.code(space.winner[v], v));
      }
    });
  }

  SparseView kept_;
  const Draws& draws_;
  bool cosine_;
  Metric metric_;
  DrawnIndex index_;
  DrawnFeatures features_;
  Postings postings_;
  std::size_t longest_ = 0;     // most nonzeros of a kept row
  LargeArray<float> terms_;     // kept rows x clusterings, padded; NaN: not drawn
  std::vector<float> extreme_;  // of each kept row: the term that makes its score largest
  std::vector<float> square_;   // |w|^2
};

}  // namespace

std::unique_ptr<BottomEngine> make_sparse_bounds(SparseView kept, const Draws& draws, Metric metric,
                                                 Job& job) {
  return std::make_unique<SparseBounds>(kept, draws, metric, job);
}

std::uint64_t sparse_bounds_bytes(const SparseBottomSizes& sizes, std::uint64_t threads) {
  const std::uint64_t padded = (sizes.clusterings + 63) / 64 * 64;
  const std::uint64_t tables = sizes.kept_rows * padded * sizeof(float) + sizes.nonzeros * 8 +
                               sizes.columns * 16 +
                               sizes.clusterings * (sizes.kept_rows / 8 + sizes.centroids * 4) +
                               DrawnFeatures::bytes(sizes.clusterings, sizes.columns);
  const std::uint64_t workspace =
      sizes.columns / 4 + sizes.kept_rows * (5 + 4 * kHeavy) + sizes.clusterings * 40;
  return tables + threads * kTaskRows * workspace;
}

}  // namespace mbn
