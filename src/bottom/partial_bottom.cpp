// SPDX-License-Identifier: Apache-2.0
//
// Exact search at the bottom layer where cells may be missing, by matrix products, as in
// product_bottom.cpp. With m = 1 where a cell is there and 0 where it is missing, e the variance of
// a column, and all columns about their means, the distance of
// rows/partial_distance.hpp is
//
//     sum_f m_x e + sum_f [ m_x (x^2 - e) ] [ m_w ] + [ -2 m_x x ] [ m_w w ] + [ m_x ] [ m_w w^2 ],
//
// one product with three times as many inner steps, and a constant of the row. In float32 it is an
// estimate; the drawn rows within twice the error bound of the smallest are candidates, and the
// distance in double decides between them. So the answer is that of a plain loop in double.
//
// A row that has none of the features that a clustering drew is compared on all columns that it
// has. Where the kept rows have no missing cells, rows without any go the usual way, to the engine
// that the settings name: it finds the same distances without the masks.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "bottom/nearest_candidate.hpp"
#include "bottom/partial_bottom.hpp"
#include "kernels/dense_product.hpp"
#include "kernels/estimates.hpp"
#include "rows/gather.hpp"
#include "rows/missing_cells.hpp"
#include "rows/partial_distance.hpp"

namespace mbn {

namespace {

// Factors of the product that take the place of one feature.
constexpr std::size_t kParts = 3;

std::size_t estimate_stride(std::size_t centroids) {
  return (right_panels(centroids) | 1) * kRightPanel;
}

std::size_t padded_rows(std::size_t rows) {
  return left_panels(rows) * kLeftPanel;
}

struct Workspace {
  LargeArray<float> drawn;       // centroids x parts of features, packed
  LargeArray<float> batch;       // batch_rows x parts of features, packed
  LargeArray<float> estimates;   // padded batch_rows x estimate_stride
  std::vector<float> zeros;      // centroids
  std::vector<float> ones;       // centroids
  std::vector<float> cells;      // gathered features of a row, and of another
  std::vector<float> panel;      // kRightPanel x parts of features, before packing
  std::vector<double> expected;  // of the drawn features
  std::vector<double> sizes;     // batch_rows: the largest that the row's terms can add up to
  double largest_square = 0;     // of a drawn row's norm
};

class PartialBottom final : public BottomEngine {
 public:
  PartialBottom(MatrixView kept, const Draws& draws, std::size_t batch_rows,
                std::unique_ptr<BottomEngine> complete)
      : kept_(kept), draws_(draws), batch_rows_(batch_rows), complete_(std::move(complete)) {
    CellMoments moments = moments_of_cells(kept);
    centre_ = std::move(moments.mean);
    expected_ = expected_differences(kept);
  }

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const MatrixView rows = given.dense();
    if (complete_ == nullptr) return encode_partial(rows, codes, job);
    std::vector<std::uint32_t> whole;
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < rows.rows(); ++i) {
      (has_missing(rows, i) ? others : whole).push_back(i);
    }
    if (others.empty()) return complete_->encode(rows, codes, job);
    CodeMatrix some(others.size(), draws_.clusterings, draws_.centroids);
    encode_partial(gather_rows(rows, others), some, job);
    scatter(some, others, codes);
    if (whole.empty()) return;
    some = CodeMatrix(whole.size(), draws_.clusterings, draws_.centroids);
    complete_->encode(gather_rows(rows, whole), some, job);
    scatter(some, whole, codes);
  }

 private:
  static void scatter(const CodeMatrix& some, std::span<const std::uint32_t> numbers,
                      CodeMatrix& codes) {
    codes.visit([&]<class Code>(Code* to) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t v = 0; v < codes.clusterings(); ++v) {
          to[numbers[i] * codes.clusterings() + v] = static_cast<Code>(some.at(i, v));
        }
      }
    });
  }

  void encode_partial(MatrixView rows, CodeMatrix& codes, Job& job) const {
    const std::size_t batch_rows =
        batch_rows_ != 0 ? batch_rows_ : default_batch_rows(rows.rows(), draws_.centroids);
    std::vector<Workspace> spaces(job.threads());
    job.parallel(draws_.clusterings, [&](std::size_t clustering, unsigned worker) {
      Workspace& space = spaces[worker];
      pack_drawn(clustering, space);
      for (std::size_t first = 0; first < rows.rows(); first += batch_rows) {
        job.check();
        const std::size_t count = std::min(batch_rows, rows.rows() - first);
        encode_batch(clustering, rows.slice(first, count), first, codes, space);
      }
    });
  }

  void pack_drawn(std::size_t clustering, Workspace& space) const {
    const auto columns = draws_.columns_of(clustering);
    const auto drawn = draws_.rows_of(clustering);
    const std::size_t inner = kParts * columns.size();
    space.cells.resize(2 * columns.size());
    space.expected.resize(columns.size());
    for (std::size_t f = 0; f < columns.size(); ++f) space.expected[f] = expected_[columns[f]];
    space.drawn.resize(right_panels(drawn.size()) * kRightPanel * inner);
    space.panel.resize(kRightPanel * inner);
    space.zeros.assign(drawn.size(), 0.0F);
    space.ones.assign(drawn.size(), 1.0F);
    space.largest_square = 0;
    for (std::size_t first = 0; first < drawn.size(); first += kRightPanel) {
      const std::size_t count = std::min(kRightPanel, drawn.size() - first);
      for (std::size_t j = 0; j < count; ++j) {
        gather_features(kept_, drawn[first + j], columns, space.cells.data());
        spread_drawn(columns, space.panel.data() + j * inner, space);
      }
      pack_right({space.panel.data(), 1, inner}, inner, count, 0, 1,
                 space.drawn.data() + first * inner);
    }
  }

  // m, m w, m w^2 of the drawn row in `space.cells`.
  void spread_drawn(std::span<const std::uint32_t> columns, float* out, Workspace& space) const {
    const std::size_t features = columns.size();
    double square = 0;
    for (std::size_t f = 0; f < features; ++f) {
      const bool there = !std::isnan(space.cells[f]);
      const double w = there ? double{space.cells[f]} - centre_[columns[f]] : 0;
      out[f] = there ? 1.0F : 0.0F;
      out[features + f] = static_cast<float>(w);
      out[2 * features + f] = static_cast<float>(w * w);
      square += w * w;
    }
    space.largest_square = std::max(space.largest_square, square);
  }

  void pack_batch(std::size_t clustering, MatrixView rows, Workspace& space) const {
    const auto columns = draws_.columns_of(clustering);
    const std::size_t inner = kParts * columns.size();
    space.batch.resize(padded_rows(rows.rows()) * inner);
    space.sizes.resize(rows.rows());
    for (std::size_t first = 0; first < rows.rows(); first += kLeftPanel) {
      const std::size_t count = std::min(kLeftPanel, rows.rows() - first);
      for (std::size_t i = 0; i < count; ++i) {
        gather_features(rows, first + i, columns, space.cells.data());
        space.sizes[first + i] = spread_row(columns, space.panel.data() + i * inner, space);
      }
      pack_left({space.panel.data(), inner, 1}, count, inner, 0, 1,
                space.batch.data() + first * inner);
    }
  }

  // m (x^2 - e), -2 m x, m of the row in `space.cells`. Returns an upper bound of the sum of the
  // sizes of its terms with any drawn row; -1 when the row has none of the features.
  double spread_row(std::span<const std::uint32_t> columns, float* out, Workspace& space) const {
    const std::size_t features = columns.size();
    double square = 0;
    double expected = 0;
    bool any = false;
    for (std::size_t f = 0; f < features; ++f) {
      const bool there = !std::isnan(space.cells[f]);
      const double x = there ? double{space.cells[f]} - centre_[columns[f]] : 0;
      const double e = there ? space.expected[f] : 0;
      out[f] = static_cast<float>(x * x - e);
      out[features + f] = static_cast<float>(-2 * x);
      out[2 * features + f] = there ? 1.0F : 0.0F;
      square += x * x;
      expected += e;
      any |= there;
    }
    if (!any) return -1;
    return square + expected + 2 * std::sqrt(square * space.largest_square) + space.largest_square;
  }

  void encode_batch(std::size_t clustering, MatrixView rows, std::size_t first, CodeMatrix& codes,
                    Workspace& space) const {
    const std::size_t stride = estimate_stride(draws_.centroids);
    pack_batch(clustering, rows, space);
    const std::size_t padded = padded_rows(rows.rows());
    space.estimates.resize(padded * stride);
    multiply_blocks(space.batch.data(), space.drawn.data(), padded, kParts * draws_.features,
                    right_panels(draws_.centroids) * kRightPanel, space.estimates.data(), stride);
    codes.visit([&]<class Code>(Code* cells) {
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        cells[(first + i) * draws_.clusterings + clustering] = static_cast<Code>(
            space.sizes[i] < 0
                ? nearest_on_all(clustering, rows, i)
                : nearest(clustering, rows, i, space.estimates.data() + i * stride, space));
      }
    });
  }

  // The code of a row whose estimates are these.
  std::uint32_t nearest(std::size_t clustering, MatrixView rows, std::size_t row, float* estimates,
                        Workspace& space) const {
    const std::size_t centroids = draws_.centroids;
    const float smallest =
        finish_estimates(space.zeros.data(), space.ones.data(), centroids, estimates);
    const double limit = double{smallest} + 2 * error_bound(space.sizes[row]);
    // Values too large for float32 make the estimates useless: then every drawn row is a candidate.
    const bool usable = std::isfinite(limit) && limit < double{FLT_MAX};
    const float most = std::nextafter(static_cast<float>(limit), FLT_MAX);
    const auto next_candidate = [&](std::size_t from) {
      return usable ? find_at_most(estimates, from, centroids, most) : from;
    };
    const auto columns = draws_.columns_of(clustering);
    const auto drawn = draws_.rows_of(clustering);
    float* const x = space.cells.data();
    float* const w = x + columns.size();
    return nearest_candidate(
        centroids, next_candidate, [&] { gather_features(rows, row, columns, x); },
        [&](std::size_t j) {
          gather_features(kept_, drawn[j], columns, w);
          return partial_distance(x, w, space.expected.data(), columns.size());
        });
  }

  // Of an estimate whose terms are this large together: each inner step rounds once or twice, and
  // so does each factor when it is made.
  double error_bound(double size) const {
    constexpr double kUnit = FLT_EPSILON / 2;
    const double terms = 2 * static_cast<double>(kParts * draws_.features) + 16;
    const double gamma = terms * kUnit / (1 - terms * kUnit);
    return gamma * size + 8 * terms * double{FLT_MIN};
  }

  std::uint32_t nearest_on_all(std::size_t clustering, MatrixView rows, std::size_t row) const {
    const auto drawn = draws_.rows_of(clustering);
    std::vector<float> x(rows.columns());
    std::vector<float> w(rows.columns());
    copy_row(rows, row, x.data());
    std::uint32_t best = 0;
    double best_distance = 0;
    for (std::uint32_t j = 0; j < drawn.size(); ++j) {
      copy_row(kept_, drawn[j], w.data());
      const double d = partial_distance(x.data(), w.data(), expected_.data(), x.size());
      if (j > 0 && !(d < best_distance)) continue;
      best = j;
      best_distance = d;
    }
    return best;
  }

  MatrixView kept_;
  const Draws& draws_;
  std::size_t batch_rows_;
  std::unique_ptr<BottomEngine> complete_;  // for rows without missing cells; null: none
  std::vector<double> centre_;              // of the columns, among the kept rows
  std::vector<double> expected_;            // [column]
};

}  // namespace

std::unique_ptr<BottomEngine> make_partial_bottom(MatrixView kept, const Draws& draws,
                                                  std::size_t batch_rows,
                                                  std::unique_ptr<BottomEngine> complete) {
  return std::make_unique<PartialBottom>(kept, draws, batch_rows, std::move(complete));
}

std::uint64_t partial_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                   std::uint64_t batch_rows) {
  return exact_bottom_bytes(centroids, kParts * features, batch_rows);
}

double partial_bottom_seconds(std::uint64_t rows, std::uint64_t clusterings,
                              std::uint64_t centroids, std::uint64_t features) {
  // Measured on one core, for each pair of a row and a drawn row, and for each inner step.
  constexpr double kPair = 1.2e-9;
  constexpr double kStep = 2.4e-11;
  return static_cast<double>(rows) * static_cast<double>(clusterings * centroids) *
         (kPair + kStep * static_cast<double>(kParts * features));
}

}  // namespace mbn
