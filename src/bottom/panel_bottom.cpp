// SPDX-License-Identifier: Apache-2.0
//
// Exact search at the bottom layer for dense rows and metrics without inner products: the distance
// of every row to every drawn row of every clustering, estimated in float32 by blocks
// (rows/pair_estimates.hpp). The drawn rows whose estimate lies within the error of the smallest
// are candidates. Mostly there is one; otherwise distances in double decide. So the answer is that
// of a plain loop in double, on any machine and for any batch. Counts (Hamming, and Jaccard on few
// columns) are exact, and the first of the smallest is the answer.
//
// Clusterings are independent: each is one task.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <vector>

#include "bottom/exact_engines.hpp"
#include "bottom/nearest_candidate.hpp"
#include "kernels/dense_product.hpp"
#include "kernels/estimates.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"
#include "rows/pair_estimates.hpp"

namespace mbn {

namespace {

struct Workspace {
  PackedKept drawn;
  PlainRows batch;
  LargeArray<float> estimates;
  std::vector<float> x;
  std::vector<float> w;
};

// The largest estimate that a candidate can have, rounded up.
float candidate_limit(float smallest, PairEstimates::Error error) {
  if (error.relative == 0 && error.tiny == 0) return smallest;
  const double limit =
      (1 + error.relative) / (1 - error.relative) * (static_cast<double>(smallest) + error.tiny) +
      error.tiny;
  return std::nextafter(static_cast<float>(limit), std::numeric_limits<float>::infinity());
}

class PanelBottom final : public BottomEngine {
 public:
  PanelBottom(MatrixView kept, const Draws& draws, Metric metric, std::size_t batch_rows)
      : kept_(kept), draws_(draws), metric_(metric), batch_rows_(batch_rows), estimates_(metric) {}

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const MatrixView rows = given.dense();
    const std::size_t batch_rows =
        batch_rows_ != 0 ? batch_rows_ : default_batch_rows(rows.rows(), draws_.centroids);
    std::vector<Workspace> spaces(job.threads());
    job.parallel(draws_.clusterings, [&](std::size_t clustering, unsigned worker) {
      Workspace& space = spaces[worker];
      estimates_.gather(kept_, draws_.rows_of(clustering), draws_.columns_of(clustering),
                        space.drawn);
      for (std::size_t first = 0; first < rows.rows(); first += batch_rows) {
        job.check();
        const std::size_t count = std::min(batch_rows, rows.rows() - first);
        encode_batch(clustering, rows.slice(first, count), first, codes, space);
      }
    });
  }

 private:
  void encode_batch(std::size_t clustering, MatrixView rows, std::size_t first, CodeMatrix& codes,
                    Workspace& space) const {
    const std::size_t stride = right_panels(draws_.centroids) * kRightPanel;
    estimates_.gather(rows, draws_.columns_of(clustering), space.batch);
    space.estimates.resize(rows.rows() * stride);
    estimates_.estimate(space.batch, space.drawn, draws_.features, space.estimates.data(), stride);
    const PairEstimates::Error error = estimates_.error(space.batch, space.drawn, draws_.features);
    codes.visit([&](auto* cells) {
      using Code = std::remove_pointer_t<decltype(cells)>;
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        cells[(first + i) * draws_.clusterings + clustering] = static_cast<Code>(
            nearest(clustering, rows, i, space.estimates.data() + i * stride, error, space));
      }
    });
  }

  std::uint32_t nearest(std::size_t clustering, MatrixView rows, std::size_t row,
                        const float* estimates, PairEstimates::Error error,
                        Workspace& space) const {
    const std::size_t centroids = draws_.centroids;
    const float smallest = *std::min_element(estimates, estimates + centroids);
    const bool usable = error.relative < 1 && smallest < FLT_MAX;
    const float limit = usable ? candidate_limit(smallest, error) : 0;
    const auto next_candidate = [&](std::size_t from) {
      return usable ? find_at_most(estimates, from, centroids, limit) : from;
    };
    if (usable && limit == smallest) return static_cast<std::uint32_t>(next_candidate(0));
    const auto columns = draws_.columns_of(clustering);
    const auto drawn = draws_.rows_of(clustering);
    space.x.resize(columns.size());
    space.w.resize(columns.size());
    return nearest_candidate(
        centroids, next_candidate, [&] { gather_features(rows, row, columns, space.x.data()); },
        [&](std::size_t j) {
          gather_features(kept_, drawn[j], columns, space.w.data());
          return distance(metric_, space.x.data(), space.w.data(), columns.size());
        });
  }

  MatrixView kept_;
  const Draws& draws_;
  Metric metric_;
  std::size_t batch_rows_;
  PairEstimates estimates_;
};

}  // namespace

std::unique_ptr<BottomEngine> make_panel_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                                std::size_t batch_rows) {
  return std::make_unique<PanelBottom>(kept, draws, metric, batch_rows);
}

}  // namespace mbn
