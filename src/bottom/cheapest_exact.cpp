// SPDX-License-Identifier: Apache-2.0
//
// Which of the exact engines encodes dense rows. Metrics without inner products have one of their
// own; for the others there are two. The codes are the same, so this decides time
// only. How many points a tree looks at depends on the data far more than on their sizes: on 29,000
// drawn rows of 9 features, a query takes 5 microseconds on a table of measurements (shuttle) and
// 60 on Gaussian noise; the matrix product takes 390 and 40, because nearly equal distances must be
// decided in double. So both encode a few rows by one clustering, and the quicker one does the
// rest.
#include <algorithm>

#include "base/stopwatch.hpp"
#include "bottom/exact_engines.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

// With more features a tree looks at nearly all points; with fewer drawn rows both take no time.
constexpr std::size_t kMostFeatures = 16;
constexpr std::size_t kFewestCentroids = 256;
constexpr std::size_t kSampledRows = 48;
// Fewer rows are not worth a trial.
constexpr std::size_t kFewRows = 8 * kSampledRows;

class CheapestExact final : public BottomEngine {
 public:
  CheapestExact(MatrixView kept, const Draws& draws, Metric metric, std::size_t batch_rows)
      : kept_(kept),
        draws_(draws),
        metric_(metric),
        product_(make_product_bottom(kept, draws, metric, batch_rows)),
        tree_(make_tree_bottom(kept, draws)) {}

  void encode(RowsView rows, CodeMatrix& codes, Job& job) const override {
    (tree_is_quicker(rows.dense(), job) ? tree_ : product_)->encode(rows, codes, job);
  }

 private:
  bool tree_is_quicker(MatrixView rows, const Job& job) const {
    if (metric_ != Metric::euclidean || draws_.features > kMostFeatures ||
        draws_.centroids < kFewestCentroids || rows.rows() < kFewRows) {
      return false;
    }
    job.check();
    std::vector<std::uint32_t> sample(kSampledRows);
    for (std::size_t i = 0; i < kSampledRows; ++i) {
      sample[i] = static_cast<std::uint32_t>(i * rows.rows() / kSampledRows);
    }
    const Matrix few = gather_rows(rows, sample);
    const Draws one = draws_.only(0);
    // What making a tree costs counts as it will: for all rows, not for these few.
    const double all = static_cast<double>(rows.rows()) / kSampledRows;
    const double tree_fixed = seconds_of(*make_tree_bottom(kept_, one), few.view().slice(0, 1));
    const double tree = seconds_of(*make_tree_bottom(kept_, one), few) - tree_fixed;
    const double product = seconds_of(*make_product_bottom(kept_, one, metric_, kSampledRows), few);
    return tree_fixed + std::max(tree, 0.0) * all < product * all;
  }

  double seconds_of(const BottomEngine& engine, MatrixView rows) const {
    Job alone({.threads = 1});
    CodeMatrix codes(rows.rows(), 1, draws_.centroids);
    const ThreadStopwatch watch;  // one thread: the calling one does the work
    engine.encode(rows, codes, alone);
    return watch.seconds();
  }

  MatrixView kept_;
  const Draws& draws_;
  Metric metric_;
  std::unique_ptr<BottomEngine> product_;
  std::unique_ptr<BottomEngine> tree_;
};

}  // namespace

std::unique_ptr<BottomEngine> make_exact_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                                std::size_t batch_rows) {
  if (!has_dot_form(metric)) return make_panel_bottom(kept, draws, metric, batch_rows);
  return std::make_unique<CheapestExact>(kept, draws, metric, batch_rows);
}

std::uint64_t exact_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                 std::uint64_t batch_rows) {
  const std::uint64_t product = product_bottom_bytes(centroids, features, batch_rows);
  return features <= kMostFeatures ? std::max(product, tree_bottom_bytes(centroids, features))
                                   : product;
}

}  // namespace mbn
