// SPDX-License-Identifier: Apache-2.0
//
// Exact search at the bottom layer for sparse rows, one clustering at a time. An inverted index
// lists, for each drawn feature, the drawn rows that are nonzero there. Adding up along the
// nonzeros of x gives
//
//     <x, w>   on the drawn features, for all drawn rows w,
//
// at the cost of the nonzeros that x and the drawn rows have in common. The estimates of
// rows/metric.hpp follow. Candidates that float32 cannot tell apart are decided in double, as in
// product_bottom.cpp.
//
// It is faster than the upper bounds of sparse_bounds.cpp when clusterings draw few rows: the first
// drawn rows are then far down in the order on all features, and a bound over all clusterings
// excludes few kept rows.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "bottom/drawn_features.hpp"
#include "bottom/sparse_engines.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

constexpr std::size_t kLanes = 16;

struct Cell {
  std::uint32_t code;
  float value;
};

/// What one clustering drew.
struct Drawn {
  std::vector<std::uint32_t> starts;  // of each feature's nonzeros
  std::vector<Cell> cells;
  std::vector<float> offset;  // by code, padded to whole lanes with infinity
  std::vector<float> factor;
  std::vector<float> norm;
  double largest_norm = 0;
};

struct Space {
  std::vector<float> sums;  // inner products, then estimates, by code
  std::vector<std::uint32_t> candidates;
};

class SparseDirect final : public BottomEngine {
 public:
  SparseDirect(SparseView kept, const Draws& draws, Metric metric, Job& job)
      : kept_(kept),
        draws_(draws),
        metric_(metric),
        features_(draws, kept.columns()),
        drawn_(draws.clusterings) {
    job.parallel(draws_.clusterings, [&](std::size_t v, unsigned) { build(v); });
  }

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const SparseView rows = given.sparse();
    std::vector<double> norms(rows.rows());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (const float x : rows.values(i))
        norms[i] += static_cast<double>(x) * static_cast<double>(x);
      norms[i] = std::sqrt(norms[i]);
    }
    std::vector<Space> spaces(job.threads());
    job.parallel(draws_.clusterings, [&](std::size_t v, unsigned worker) {
      Space& space = spaces[worker];
      space.sums.resize(drawn_[v].offset.size());
      codes.visit([&](auto* cells) {
        using Code = std::remove_pointer_t<decltype(cells)>;
        for (std::size_t i = 0; i < rows.rows(); ++i) {
          if (i % 1024 == 0) job.check();
          cells[i * draws_.clusterings + v] =
              static_cast<Code>(nearest(rows, i, norms[i], v, space));
        }
      });
    });
  }

 private:
  void build(std::size_t v) {
    Drawn& drawn = drawn_[v];
    const auto members = draws_.rows_of(v);
    const std::size_t padded = blocks(members.size(), kLanes) * kLanes;
    drawn.starts.assign(kept_.columns() + 1, 0);
    drawn.offset.assign(padded, std::numeric_limits<float>::infinity());
    drawn.factor.assign(padded, 0);
    drawn.norm.assign(padded, 0);
    for (const std::uint32_t j : members) {
      for (const std::uint32_t feature : kept_.indices(j)) {
        if (features_.drew(v, feature)) ++drawn.starts[feature + 1];
      }
    }
    std::partial_sum(drawn.starts.begin(), drawn.starts.end(), drawn.starts.begin());
    drawn.cells.resize(drawn.starts.back());
    std::vector<std::uint32_t> next(drawn.starts.begin(), drawn.starts.end() - 1);
    for (std::uint32_t code = 0; code < members.size(); ++code) {
      double square = 0;
      const auto values = kept_.values(members[code]);
      const auto at = kept_.indices(members[code]);
      for (std::size_t n = 0; n < at.size(); ++n) {
        if (!features_.drew(v, at[n])) continue;
        drawn.cells[next[at[n]]++] = {code, values[n]};
        square += static_cast<double>(values[n]) * static_cast<double>(values[n]);
      }
      const DotForm form = dot_form(metric_, square);
      drawn.offset[code] = form.offset;
      drawn.factor[code] = form.factor;
      drawn.norm[code] = static_cast<float>(std::sqrt(square));
      drawn.largest_norm = std::max(drawn.largest_norm, std::sqrt(square));
    }
  }

  /// Inner products with all drawn rows. False when the row has no nonzero in common with any.
  bool add_up(const SparseView& rows, std::size_t row, const Drawn& drawn, float* sums) const {
    std::fill_n(sums, drawn.offset.size(), 0.0F);
    const auto at = rows.indices(row);
    const auto values = rows.values(row);
    std::size_t touched = 0;
    for (std::size_t n = 0; n < at.size(); ++n) {
      const float x = values[n];
      const Cell* cell = drawn.cells.data() + drawn.starts[at[n]];
      const Cell* last = drawn.cells.data() + drawn.starts[at[n] + 1];
      touched += static_cast<std::size_t>(last - cell);
      for (; cell != last; ++cell) sums[cell->code] += x * cell->value;
    }
    return touched != 0;
  }

  std::uint32_t nearest(const SparseView& rows, std::size_t row, double norm, std::size_t v,
                        Space& space) const {
    const Drawn& drawn = drawn_[v];
    float* sums = space.sums.data();
    std::vector<std::uint32_t>& candidates = space.candidates;
    // Without a common nonzero all drawn rows are equally far, and the lowest code wins.
    if (!add_up(rows, row, drawn, sums) && metric_ == Metric::cosine) return 0;
    const float smallest = estimate(drawn, sums);
    const std::size_t terms = rows.indices(row).size();
    const double error = dot_form_error(metric_, norm, drawn.largest_norm, terms);
    const double limit = static_cast<double>(smallest) + 2 * error;
    // Values too large for float32 make the estimates useless: then every drawn row is a candidate.
    if (!std::isfinite(limit) || !(limit < static_cast<double>(FLT_MAX))) {
      candidates.resize(draws_.centroids);
      std::iota(candidates.begin(), candidates.end(), 0U);
      return decide(rows, row, v, candidates);
    }
    find_candidates(sums, drawn.offset.size(), limit, candidates);
    if (candidates.size() == 1) return candidates[0];
    // The limit above uses the largest norm of all drawn rows; the error bound of each row by its
    // own norm is sharper.
    double reach = limit;
    const auto own_error = [&](std::uint32_t code) {
      return dot_form_error(metric_, norm, static_cast<double>(drawn.norm[code]) * (1 + 1e-6),
                            terms);
    };
    for (const std::uint32_t code : candidates) {
      reach = std::min(reach, static_cast<double>(sums[code]) + own_error(code));
    }
    std::erase_if(candidates, [&](std::uint32_t code) {
      return static_cast<double>(sums[code]) - own_error(code) > reach;
    });
    return candidates.size() == 1 ? candidates[0] : decide(rows, row, v, candidates);
  }

  /// Codes whose estimate is not above the limit, ascending.
  static void find_candidates(const float* estimates, std::size_t padded, double limit,
                              std::vector<std::uint32_t>& candidates) {
    candidates.clear();
    const float near = std::nextafter(static_cast<float>(limit), FLT_MAX);  // at least the limit
    for (std::size_t j = 0; j < padded; j += kLanes) {
      int inside = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        inside += estimates[j + lane] <= near ? 1 : 0;
      if (inside == 0) continue;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (estimates[j + lane] <= near) candidates.push_back(static_cast<std::uint32_t>(j + lane));
      }
    }
  }

  /// Turns inner products into estimates and returns the smallest.
  static float estimate(const Drawn& drawn, float* sums) {
    std::array<float, kLanes> least;
    least.fill(std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < drawn.offset.size(); j += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const float value = drawn.offset[j + lane] + drawn.factor[j + lane] * sums[j + lane];
        sums[j + lane] = value;
        least[lane] = value < least[lane] ? value : least[lane];
      }
    }
    return *std::min_element(least.begin(), least.end());
  }

  std::uint32_t decide(const SparseView& rows, std::size_t row, std::size_t v,
                       std::span<const std::uint32_t> candidates) const {
    const auto members = draws_.rows_of(v);
    std::uint32_t best = candidates[0];
    double best_distance = std::numeric_limits<double>::infinity();
    for (const std::uint32_t code : candidates) {
      const double distance = features_.distance(metric_, v, rows, row, kept_, members[code]);
      if (!(distance < best_distance)) continue;
      best = code;
      best_distance = distance;
    }
    return best;
  }

  SparseView kept_;
  const Draws& draws_;
  Metric metric_;
  DrawnFeatures features_;
  std::vector<Drawn> drawn_;
};

}  // namespace

std::unique_ptr<BottomEngine> make_sparse_direct(SparseView kept, const Draws& draws, Metric metric,
                                                 Job& job) {
  return std::make_unique<SparseDirect>(kept, draws, metric, job);
}

std::uint64_t sparse_direct_bytes(const SparseBottomSizes& sizes, std::uint64_t threads) {
  const std::uint64_t nonzeros_per_row =
      sizes.nonzeros / std::max<std::uint64_t>(1, sizes.kept_rows);
  const std::uint64_t drawn =
      (sizes.columns + 1) * sizeof(std::uint32_t) +
      sizes.centroids * ((nonzeros_per_row + 1) * sizeof(Cell) + 3 * sizeof(float));
  return sizes.clusterings * drawn + DrawnFeatures::bytes(sizes.clusterings, sizes.columns) +
         threads * (sizes.centroids * 8 + sizes.columns * 4);
}

}  // namespace mbn
