// SPDX-License-Identifier: Apache-2.0
//
// Exact search at the bottom layer for sparse rows and metrics without inner products, one
// clustering at a time. With h(v) what a nonzero adds against a zero and g(x, w) what a pair of
// nonzeros adds, all on the drawn features,
//
//     distance = sum h(x) + sum h(w) + sum over common nonzeros of (g(x, w) - h(x) - h(w)).
//
//                  h(v)    g(x, w)
//     Manhattan    |v|     |x - w|
//     chi-squared  v       (x - w)^2 / (x + w)
//     Hamming      1       1 if x and w differ
//     Jaccard      1       0;  divided by the number of columns where either is not zero
//
// An inverted index lists, for each feature, the drawn rows that are nonzero there; adding up along
// the nonzeros of x gives the last sum for all drawn rows. It is an estimate in float32, with an
// error of at most gamma times (sum h(x) + sum h(w)); candidates that it cannot tell apart are
// decided in double. Counts are exact, and so is the order of their fractions up to 2,800 columns
// (rows/pair_estimates.cpp): the first of the smallest is then the answer.
//
// The index of a clustering is made when its turn comes and dropped afterwards, so that the memory
// does not grow with the clusterings.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "bottom/drawn_features.hpp"
#include "bottom/sparse_engines.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

// Above this the sums of two rows may leave the range of float32.
constexpr float kLargestSum = 1e30F;
constexpr std::size_t kExactFractions = 2800;

struct Cell {
  std::uint32_t code;
  float value;
};

struct Workspace {
  std::vector<std::uint32_t> starts;  // of each feature's nonzeros
  std::vector<std::uint32_t> next;
  std::vector<Cell> cells;
  std::vector<float> alone;  // sum h(w), by code
  std::vector<float> sums;   // over common nonzeros, then estimates, by code
};

class SparseTerms final : public BottomEngine {
 public:
  SparseTerms(SparseView kept, const Draws& draws, Metric metric)
      : kept_(kept), draws_(draws), metric_(metric), features_(draws, kept.columns()) {}

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const SparseView rows = given.sparse();
    std::vector<Workspace> spaces(job.threads());
    job.parallel(draws_.clusterings, [&](std::size_t v, unsigned worker) {
      Workspace& space = spaces[worker];
      index(v, space);
      codes.visit([&](auto* cells) {
        using Code = std::remove_pointer_t<decltype(cells)>;
        for (std::size_t i = 0; i < rows.rows(); ++i) {
          if (i % 1024 == 0) job.check();
          cells[i * draws_.clusterings + v] = static_cast<Code>(nearest(rows, i, v, space));
        }
      });
    });
  }

 private:
  bool counts() const { return metric_ == Metric::hamming || metric_ == Metric::jaccard; }
  float alone(float value) const { return counts() ? 1.0F : std::fabs(value); }
  // g(x, w) - h(x) - h(w)
  float together(float x, float w) const {
    if (metric_ == Metric::hamming) return x == w ? -2.0F : -1.0F;
    if (metric_ == Metric::jaccard) return -2;
    const float difference = x - w;
    if (metric_ == Metric::manhattan) {
      return std::fabs(difference) - std::fabs(x) - std::fabs(w);
    }
    const float sum = x + w;
    return difference * (difference / sum) - sum;
  }

  void index(std::size_t v, Workspace& space) const {
    const auto members = draws_.rows_of(v);
    space.starts.assign(kept_.columns() + 1, 0);
    for (const std::uint32_t j : members) {
      for (const std::uint32_t feature : kept_.indices(j)) {
        if (features_.drew(v, feature)) ++space.starts[feature + 1];
      }
    }
    std::partial_sum(space.starts.begin(), space.starts.end(), space.starts.begin());
    space.cells.resize(space.starts.back());
    space.next.assign(space.starts.begin(), space.starts.end() - 1);
    space.alone.assign(members.size(), 0);
    for (std::uint32_t code = 0; code < members.size(); ++code) {
      const auto values = kept_.values(members[code]);
      const auto at = kept_.indices(members[code]);
      for (std::size_t n = 0; n < at.size(); ++n) {
        if (values[n] == 0 || !features_.drew(v, at[n])) continue;
        space.cells[space.next[at[n]]++] = {code, values[n]};
        space.alone[code] += alone(values[n]);
      }
    }
  }

  // Fills `sums` over the common nonzeros; returns sum h(x).
  float add_up(const SparseView& rows, std::size_t row, std::size_t v, Workspace& space) const {
    space.sums.assign(draws_.centroids, 0);
    const auto at = rows.indices(row);
    const auto values = rows.values(row);
    float own = 0;
    for (std::size_t n = 0; n < at.size(); ++n) {
      if (values[n] == 0 || !features_.drew(v, at[n])) continue;
      own += alone(values[n]);
      // Stored zeros of kept rows leave gaps at the ends of the lists.
      for (std::uint32_t c = space.starts[at[n]]; c < space.next[at[n]]; ++c) {
        space.sums[space.cells[c].code] += together(values[n], space.cells[c].value);
      }
    }
    return own;
  }

  std::uint32_t nearest(const SparseView& rows, std::size_t row, std::size_t v,
                        Workspace& space) const {
    const float own = add_up(rows, row, v, space);
    const std::size_t terms = rows.indices(row).size() + longest_;
    const bool exact =
        metric_ == Metric::hamming || (metric_ == Metric::jaccard && terms <= kExactFractions);
    const double roundings = exact ? 0 : (static_cast<double>(terms) + 8) * FLT_EPSILON;
    bool usable = roundings < 0.5;
    double reach = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < space.sums.size(); ++j) {
      const float all = own + space.alone[j];
      usable = usable && all <= kLargestSum;
      space.sums[j] = estimate(all, space.sums[j]);
      reach = std::min(reach, static_cast<double>(space.sums[j]) + error(all, roundings));
    }
    if (!usable) reach = std::numeric_limits<double>::infinity();
    return decide(rows, row, v, own, roundings, reach, space);
  }

  float estimate(float all, float common) const {
    if (metric_ != Metric::jaccard) return all + common;
    const float either = all + common / 2;
    return either > 0 ? (all + common) / either : 0;
  }

  double error(float all, double roundings) const {
    if (roundings == 0) return 0;
    if (metric_ == Metric::jaccard) return FLT_EPSILON;
    return 4 * (roundings * static_cast<double>(all) + static_cast<double>(FLT_MIN));
  }

  std::uint32_t decide(const SparseView& rows, std::size_t row, std::size_t v, float own,
                       double roundings, double reach, const Workspace& space) const {
    const auto members = draws_.rows_of(v);
    const auto distance_to = [&](std::uint32_t code) {
      return features_.distance(metric_, v, rows, row, kept_, members[code]);
    };
    constexpr std::uint32_t kNone = ~0U;
    std::uint32_t best = kNone;
    double best_distance = -1;  // not computed yet
    for (std::uint32_t code = 0; code < members.size(); ++code) {
      const float all = own + space.alone[code];
      if (!(static_cast<double>(space.sums[code]) - error(all, roundings) <= reach)) continue;
      if (best == kNone) {
        best = code;
        if (roundings == 0 && std::isfinite(reach)) break;
        continue;
      }
      if (best_distance < 0) best_distance = distance_to(best);
      const double d = distance_to(code);
      if (!(d < best_distance)) continue;
      best = code;
      best_distance = d;
    }
    return best == kNone ? 0 : best;
  }

  SparseView kept_;
  const Draws& draws_;
  Metric metric_;
  DrawnFeatures features_;
  std::size_t longest_ = longest_row(kept_);

  static std::size_t longest_row(const SparseView& rows) {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      longest = std::max(longest, rows.indices(i).size());
    }
    return longest;
  }
};

}  // namespace

std::unique_ptr<BottomEngine> make_sparse_terms(SparseView kept, const Draws& draws,
                                                Metric metric) {
  return std::make_unique<SparseTerms>(kept, draws, metric);
}

std::uint64_t sparse_terms_bytes(const SparseBottomSizes& sizes, std::uint64_t threads) {
  const std::uint64_t nonzeros_per_row =
      sizes.nonzeros / std::max<std::uint64_t>(1, sizes.kept_rows) + 1;
  return DrawnFeatures::bytes(sizes.clusterings, sizes.columns) +
         threads * (2 * (sizes.columns + 1) * sizeof(std::uint32_t) +
                    sizes.centroids * (nonzeros_per_row * sizeof(Cell) + 2 * sizeof(float)));
}

}  // namespace mbn
