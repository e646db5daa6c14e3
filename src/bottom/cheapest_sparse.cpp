// SPDX-License-Identifier: Apache-2.0
//
// Chooses between the engines for sparse rows. Metrics without inner products have one of their
// own (sparse_terms.cpp); for the others there are two. Both are exact, so the choice changes the
// time only. One clustering at a time (sparse_direct.cpp) costs in proportion to the rows that all
// clusterings drew; all clusterings together (sparse_bounds.cpp) cost in proportion to the kept
// rows. On one core, a row of the 2,000 commonest words takes, in milliseconds:
//
//     V = 200                       draws / kept rows    one at a time    all together
//     debian_descr, k1 =   500           3.2             0.33             2.9
//     debian_descr, k1 = 2,000          12.7             0.91             2.7
//     20news,       k1 =   500          10.6             0.67             1.8
//     20news,       k1 = 1,000          21.2             1.1              1.7
//     20news,       k1 = 2,000          42.4             1.9              1.4
#include "bottom/sparse_engines.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

constexpr std::uint64_t kFewDraws = 24;  // times the kept rows

bool few_draws(std::uint64_t clusterings, std::uint64_t centroids, std::uint64_t kept_rows) {
  return clusterings * centroids <= kFewDraws * kept_rows;
}

}  // namespace

std::unique_ptr<BottomEngine> make_sparse_bottom(SparseView kept, const Draws& draws, Metric metric,
                                                 Job& job) {
  if (!has_dot_form(metric)) return make_sparse_terms(kept, draws, metric);
  return few_draws(draws.clusterings, draws.centroids, kept.rows())
             ? make_sparse_direct(kept, draws, metric, job)
             : make_sparse_bounds(kept, draws, metric, job);
}

std::uint64_t sparse_bottom_bytes(const SparseBottomSizes& sizes, std::uint64_t threads) {
  if (!has_dot_form(sizes.metric)) return sparse_terms_bytes(sizes, threads);
  return few_draws(sizes.clusterings, sizes.centroids, sizes.kept_rows)
             ? sparse_direct_bytes(sizes, threads)
             : sparse_bounds_bytes(sizes, threads);
}

double sparse_bottom_seconds(const SparseBottomSizes& sizes) {
  const auto draws = static_cast<double>(sizes.clusterings * sizes.centroids);
  const auto kept = static_cast<double>(sizes.kept_rows);
  if (!has_dot_form(sizes.metric)) return 5e-9 * draws;
  if (few_draws(sizes.clusterings, sizes.centroids, sizes.kept_rows)) return 3e-9 * draws;
  // Most of the time goes to kept rows whose upper bound reaches the best score of some clustering.
  return kept * (2e-8 + 1.5e-10 * static_cast<double>(sizes.clusterings));
}

}  // namespace mbn
