// SPDX-License-Identifier: Apache-2.0
//
// Exact search at the bottom layer by matrix products: the distance of every row to every drawn row
// of every clustering.
//
// For one clustering, the drawn rows are gathered on the drawn features and packed once. Each batch
// of rows is packed too, and one matrix product gives <x, w> for all pairs, and with it the
// estimates
//
//     |w|^2 - 2 <x, w>      cosine: -<x, w> / |w|
//
// of rows/metric.hpp, which order the drawn rows as the distance does. The drawn rows whose
// estimate lies within twice the float32 error bound of the smallest are candidates. Mostly there
// is one, and it is the answer. Otherwise the candidates are gathered again, and their distances in
// double decide. So the answer is that of a plain loop in double, on any machine and for any batch,
// at the cost of a matrix product.
//
// Clusterings are independent: each is one task.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <vector>

#include "base/large_array.hpp"
#include "bottom/exact_engines.hpp"
#include "bottom/nearest_candidate.hpp"
#include "kernels/dense_product.hpp"
#include "kernels/estimates.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

double norm_of(const float* values, std::size_t count) {
  // Four independent sums: a single one would wait for the latency of each addition.
  std::array<double, 4> sums{};
  const auto square = [&](std::size_t i) {
    return static_cast<double>(values[i]) * static_cast<double>(values[i]);
  };
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += square(i + lane);
  }
  for (; i < count; ++i) sums[0] += square(i);
  return std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

// Columns of the estimates, padded to whole panels. The number of panels is odd: rows that lie a
// power of two apart would compete for the same few lines of a cache.
std::size_t estimate_stride(std::size_t centroids) {
  return (right_panels(centroids) | 1) * kRightPanel;
}

std::size_t padded_rows(std::size_t rows) {
  return left_panels(rows) * kLeftPanel;
}

// The largest float that is not above `limit`, so that comparing floats with it is exact.
float float_limit(double limit) {
  const auto nearest = static_cast<float>(limit);
  return static_cast<double>(nearest) <= limit
             ? nearest
             : std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

struct Workspace {
  LargeArray<float> drawn;      // centroids x features, packed
  LargeArray<float> batch;      // batch_rows x features, packed
  LargeArray<float> estimates;  // padded batch_rows x estimate_stride
  std::vector<float> offset;    // centroids
  std::vector<float> factor;    // centroids
  std::vector<double> norms;    // batch_rows
  std::vector<float> panel;     // kRightPanel x features: gathered rows, before packing
  double largest_norm = 0;
};

class ProductBottom final : public BottomEngine {
 public:
  ProductBottom(MatrixView kept, const Draws& draws, Metric metric, std::size_t batch_rows)
      : kept_(kept), draws_(draws), metric_(metric), batch_rows_(batch_rows) {}

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const MatrixView rows = given.dense();
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

 private:
  void pack_drawn(std::size_t clustering, Workspace& space) const {
    const auto columns = draws_.columns_of(clustering);
    const auto drawn = draws_.rows_of(clustering);
    const std::size_t features = columns.size();
    space.drawn.resize(right_panels(drawn.size()) * kRightPanel * features);
    space.panel.resize(kRightPanel * features);
    space.offset.resize(drawn.size());
    space.factor.resize(drawn.size());
    space.largest_norm = 0;
    for (std::size_t first = 0; first < drawn.size(); first += kRightPanel) {
      const std::size_t count = std::min(kRightPanel, drawn.size() - first);
      for (std::size_t j = 0; j < count; ++j) {
        float* const w = space.panel.data() + j * features;
        gather_features(kept_, drawn[first + j], columns, w);
        const double norm = norm_of(w, features);
        const DotForm form = dot_form(metric_, norm * norm);
        space.offset[first + j] = form.offset;
        space.factor[first + j] = form.factor;
        space.largest_norm = std::max(space.largest_norm, norm);
      }
      pack_right({space.panel.data(), 1, features}, features, count, 0, 1,
                 space.drawn.data() + first * features);
    }
  }

  void pack_batch(std::size_t clustering, MatrixView rows, Workspace& space) const {
    const auto columns = draws_.columns_of(clustering);
    const std::size_t features = columns.size();
    space.batch.resize(padded_rows(rows.rows()) * features);
    space.norms.resize(rows.rows());
    for (std::size_t first = 0; first < rows.rows(); first += kLeftPanel) {
      const std::size_t count = std::min(kLeftPanel, rows.rows() - first);
      for (std::size_t i = 0; i < count; ++i) {
        float* const x = space.panel.data() + i * features;
        gather_features(rows, first + i, columns, x);
        space.norms[first + i] = norm_of(x, features);
      }
      pack_left({space.panel.data(), features, 1}, count, features, 0, 1,
                space.batch.data() + first * features);
    }
  }

  void encode_batch(std::size_t clustering, MatrixView rows, std::size_t first, CodeMatrix& codes,
                    Workspace& space) const {
    const std::size_t stride = estimate_stride(draws_.centroids);
    pack_batch(clustering, rows, space);
    // Whole panels, padded with zeros, so that the product has no edge tiles.
    const std::size_t padded = padded_rows(rows.rows());
    space.estimates.resize(padded * stride);
    multiply_blocks(space.batch.data(), space.drawn.data(), padded, draws_.features,
                    right_panels(draws_.centroids) * kRightPanel, space.estimates.data(), stride);
    codes.visit([&](auto* cells) {
      using Code = std::remove_pointer_t<decltype(cells)>;
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        cells[(first + i) * draws_.clusterings + clustering] = static_cast<Code>(
            nearest(clustering, rows, i, space.estimates.data() + i * stride, space));
      }
    });
  }

  // The code of a row whose inner products with the drawn rows are in `estimates`.
  std::uint32_t nearest(std::size_t clustering, MatrixView rows, std::size_t row, float* estimates,
                        Workspace& space) const {
    const std::size_t centroids = draws_.centroids;
    const float smallest =
        finish_estimates(space.offset.data(), space.factor.data(), centroids, estimates);
    const double limit =
        static_cast<double>(smallest) +
        2 * dot_form_error(metric_, space.norms[row], space.largest_norm, draws_.features);
    // Values too large for float32 make the estimates useless: then every drawn row is a candidate.
    const bool usable = std::isfinite(limit) && limit < static_cast<double>(FLT_MAX);
    const float most = float_limit(limit);
    const auto next_candidate = [&](std::size_t from) {
      return usable ? find_at_most(estimates, from, centroids, most) : from;
    };
    const auto columns = draws_.columns_of(clustering);
    const auto drawn = draws_.rows_of(clustering);
    float* const x = space.panel.data();
    float* const w = x + columns.size();
    return nearest_candidate(
        centroids, next_candidate, [&] { gather_features(rows, row, columns, x); },
        [&](std::size_t j) {
          gather_features(kept_, drawn[j], columns, w);
          return distance(metric_, x, w, columns.size());
        });
  }

  MatrixView kept_;
  const Draws& draws_;
  Metric metric_;
  std::size_t batch_rows_;
};

}  // namespace

std::unique_ptr<BottomEngine> make_product_bottom(MatrixView kept, const Draws& draws,
                                                  Metric metric, std::size_t batch_rows) {
  return std::make_unique<ProductBottom>(kept, draws, metric, batch_rows);
}

std::size_t default_batch_rows(std::uint64_t rows, std::uint64_t centroids) {
  // Estimates of one batch fill about 4 MB: large enough for the matrix product, small for a cache.
  constexpr std::uint64_t kEstimates = 1U << 20;
  const std::uint64_t fitting = std::clamp<std::uint64_t>(kEstimates / centroids, 64, 8192);
  return static_cast<std::size_t>(std::min(std::max<std::uint64_t>(rows, 1), fitting));
}

std::uint64_t product_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                   std::uint64_t batch_rows) {
  const std::uint64_t drawn = right_panels(centroids) * kRightPanel;
  const std::uint64_t rows = padded_rows(batch_rows);
  return sizeof(float) * (drawn * features + 2 * centroids + rows * features +
                          rows * estimate_stride(centroids) + kRightPanel * features) +
         sizeof(double) * batch_rows;
}

}  // namespace mbn
