// SPDX-License-Identifier: Apache-2.0
//
// Exact search at the bottom: every row meets every drawn row of every clustering.
//
// For one clustering, the drawn rows and a batch of rows are gathered on the drawn features, and
// one matrix product gives the estimates of rows/metric.hpp for all pairs. In each row, the drawn
// rows whose estimate lies within the error bound of the best are candidates. Mostly there is one,
// and it is the answer; otherwise the candidates are decided in double. So the answer is that of a
// plain loop in double, on any machine, for any batch, at the price of a matrix product.
//
// Clusterings are independent: each is one task.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <vector>

#include "bottom/bottom_engine.hpp"
#include "kernels/gemm.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

double norm_of(const float* values, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  }
  return std::sqrt(sum);
}

struct Workspace {
  std::vector<float> drawn;     // centroids x features
  std::vector<float> offset;    // centroids
  std::vector<float> factor;    // centroids
  std::vector<float> batch;     // batch_rows x features
  std::vector<float> estimate;  // batch_rows x centroids
  double largest_norm = 0;
};

class ExactBottom final : public BottomEngine {
 public:
  ExactBottom(MatrixView pool, const Draws& draws, Metric metric, std::size_t batch_rows)
      : pool_(pool), draws_(draws), metric_(metric), batch_rows_(batch_rows) {}

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const SerialBlas serial;
    const MatrixView rows = given.dense();
    const std::size_t batch_rows =
        batch_rows_ != 0 ? batch_rows_ : default_batch_rows(rows.rows(), draws_.centroids);
    std::vector<Workspace> spaces(job.threads());
    job.parallel(draws_.clusterings, [&](std::size_t clustering, unsigned worker) {
      Workspace& space = spaces[worker];
      gather_drawn(clustering, space);
      for (std::size_t first = 0; first < rows.rows(); first += batch_rows) {
        job.check();
        const std::size_t count = std::min(batch_rows, rows.rows() - first);
        encode_batch(clustering, rows.slice(first, count), first, codes, space);
      }
    });
  }

 private:
  void gather_drawn(std::size_t clustering, Workspace& space) const {
    const auto columns = draws_.columns_of(clustering);
    const auto drawn = draws_.rows_of(clustering);
    space.drawn.resize(drawn.size() * columns.size());
    space.offset.resize(drawn.size());
    space.factor.resize(drawn.size());
    space.largest_norm = 0;
    for (std::size_t j = 0; j < drawn.size(); ++j) {
      float* w = space.drawn.data() + j * columns.size();
      gather_features(pool_, drawn[j], columns, w);
      const double norm = norm_of(w, columns.size());
      const DotForm form = dot_form(metric_, norm * norm);
      space.offset[j] = form.offset;
      space.factor[j] = form.factor;
      space.largest_norm = std::max(space.largest_norm, norm);
    }
  }

  void encode_batch(std::size_t clustering, MatrixView rows, std::size_t first, CodeMatrix& codes,
                    Workspace& space) const {
    const auto columns = draws_.columns_of(clustering);
    const std::size_t centroids = draws_.centroids;
    space.batch.resize(rows.rows() * columns.size());
    space.estimate.resize(rows.rows() * centroids);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      gather_features(rows, i, columns, space.batch.data() + i * columns.size());
    }
    inner_products(space.batch.data(), rows.rows(), space.drawn.data(), centroids, columns.size(),
                   space.estimate.data());
    codes.visit([&](auto* cells) {
      using Code = std::remove_pointer_t<decltype(cells)>;
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        cells[(first + i) * draws_.clusterings + clustering] =
            static_cast<Code>(nearest(space.batch.data() + i * columns.size(), columns.size(),
                                      space.estimate.data() + i * centroids, space));
      }
    });
  }

  // The code of row `x`, whose inner products with the drawn rows are in `estimate`.
  std::uint32_t nearest(const float* x, std::size_t features, float* estimate,
                        const Workspace& space) const {
    const std::uint32_t centroids = draws_.centroids;
    float smallest = std::numeric_limits<float>::infinity();
    for (std::uint32_t j = 0; j < centroids; ++j) {
      estimate[j] = space.offset[j] + space.factor[j] * estimate[j];
      smallest = estimate[j] < smallest ? estimate[j] : smallest;
    }
    const double error =
        dot_form_error(metric_, norm_of(x, features), space.largest_norm, features);
    const double limit = static_cast<double>(smallest) + 2 * error;
    // Numbers too large for float32 make the estimate useless: then every drawn row is a candidate.
    const bool usable = std::isfinite(limit) && limit < static_cast<double>(FLT_MAX);
    std::uint32_t best = centroids;
    double best_distance = std::numeric_limits<double>::infinity();
    std::uint32_t only = centroids;
    std::uint32_t candidates = 0;
    const auto decide = [&](std::uint32_t j) {
      const double d = distance(metric_, x, space.drawn.data() + j * features, features);
      if (best == centroids || d < best_distance) {
        best = j;
        best_distance = d;
      }
    };
    for (std::uint32_t j = 0; j < centroids; ++j) {
      if (usable && !(static_cast<double>(estimate[j]) <= limit)) continue;
      if (++candidates == 1) {
        only = j;
        continue;
      }
      if (candidates == 2) decide(only);
      decide(j);
    }
    return candidates == 1 ? only : best;
  }

  MatrixView pool_;
  const Draws& draws_;
  Metric metric_;
  std::size_t batch_rows_;
};

}  // namespace

std::unique_ptr<BottomEngine> make_exact_bottom(MatrixView pool, const Draws& draws, Metric metric,
                                                std::size_t batch_rows) {
  return std::make_unique<ExactBottom>(pool, draws, metric, batch_rows);
}

std::size_t default_batch_rows(std::uint64_t rows, std::uint64_t centroids) {
  // Estimates of one batch fill about 4 MB: large enough for the matrix product, small for a cache.
  constexpr std::uint64_t kEstimates = 1U << 20;
  const std::uint64_t fitting = std::clamp<std::uint64_t>(kEstimates / centroids, 64, 8192);
  return static_cast<std::size_t>(std::min(std::max<std::uint64_t>(rows, 1), fitting));
}

std::uint64_t exact_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                 std::uint64_t batch_rows) {
  return sizeof(float) *
         (centroids * features + 2 * centroids + batch_rows * features + batch_rows * centroids);
}

}  // namespace mbn
