// SPDX-License-Identifier: Apache-2.0
#include "network/outliers.hpp"

#include <algorithm>
#include <cmath>

#include "neighbours/neighbour_lists.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"
#include "rows/missing_cells.hpp"
#include "rows/partial_distance.hpp"

namespace mbn {

namespace {

constexpr std::size_t kNeighbours = 6;
constexpr std::size_t kAsked = 1000;
constexpr std::size_t kRowsPerTask = 64;

// From what orders kept rows (rows/metric.hpp) to a Euclidean distance or to 1 - cosine; other
// metrics need no change.
double length_of(Metric metric, double deciding) {
  if (metric == Metric::euclidean) return std::sqrt(std::max(0.0, deciding));
  return metric == Metric::cosine ? std::max(0.0, 1 + deciding) : deciding;
}

double last_of_nearest(std::vector<double>& all) {
  const auto last =
      all.begin() + static_cast<std::ptrdiff_t>(std::min(kNeighbours, all.size()) - 1);
  std::nth_element(all.begin(), last, all.end());
  return *last;
}

// Exact search, for rows without a list because they are far from all kept rows.
double by_looking_at_all(MatrixView kept, Metric metric, MatrixView rows, std::size_t row) {
  std::vector<float> x(rows.columns());
  std::vector<float> w(rows.columns());
  copy_row(rows, row, x.data());
  std::vector<double> all;
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    copy_row(kept, i, w.data());
    all.push_back(distance(metric, x.data(), w.data(), w.size()));
  }
  return last_of_nearest(all);
}

std::vector<double> dense_distances(MatrixView kept, Metric metric, MatrixView rows, Job& job) {
  const auto finder = tree_pays(kept.shape(), metric)
                          ? make_tree(kept)
                          : make_brute_force(kept, metric, nullptr, job);
  const std::size_t length = std::min(kNeighbours, kept.rows());
  const NeighbourLists lists = finder->find(rows, length, job);
  std::vector<double> distances(rows.rows());
  job.parallel(rows.rows(), [&](std::size_t i, unsigned) {
    const double deciding = lists.found(i) ? static_cast<double>(lists.distances(i).back())
                                           : by_looking_at_all(kept, metric, rows, i);
    distances[i] = length_of(metric, deciding);
  });
  return distances;
}

// Where cells may be missing: the distance on the columns that the row has, brought to all columns.
double partial_length(MatrixView kept, const std::vector<double>& expected, MatrixView rows,
                      std::size_t row) {
  const std::size_t columns = rows.columns();
  std::vector<float> x(columns);
  std::vector<float> w(columns);
  copy_row(rows, row, x.data());
  std::vector<double> all;
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    copy_row(kept, i, w.data());
    all.push_back(partial_distance(x.data(), w.data(), expected.data(), columns));
  }
  double there = 0;
  for (const float value : x) there += std::isnan(value) ? 0 : 1;
  return std::sqrt(last_of_nearest(all) * static_cast<double>(columns) / std::max(there, 1.0));
}

// Rows without missing cells among kept rows without any go the usual way.
std::vector<double> partial_distances(MatrixView kept, MatrixView rows, Job& job) {
  std::vector<std::uint32_t> whole;
  std::vector<std::uint32_t> others;
  const bool all_partial = has_missing(kept);
  for (std::uint32_t i = 0; i < rows.rows(); ++i) {
    (all_partial || has_missing(rows, i) ? others : whole).push_back(i);
  }
  std::vector<double> distances(rows.rows());
  const std::vector<double> expected = expected_differences(kept);
  job.parallel(others.size(), [&](std::size_t n, unsigned) {
    distances[others[n]] = partial_length(kept, expected, rows, others[n]);
  });
  if (whole.empty()) return distances;
  const std::vector<double> usual =
      dense_distances(kept, Metric::euclidean, gather_rows(rows, whole), job);
  for (std::size_t n = 0; n < whole.size(); ++n) distances[whole[n]] = usual[n];
  return distances;
}

double squared_length(SparseView rows, std::size_t row) {
  double sum = 0;
  for (const float value : rows.values(row)) sum += static_cast<double>(value) * value;
  return sum;
}

// For the metrics without inner products.
std::vector<double> sparse_distances_by_pairs(SparseView kept, Metric metric, SparseView rows,
                                              Job& job) {
  std::vector<double> distances(rows.rows());
  job.parallel(rows.rows(), [&](std::size_t i, unsigned) {
    std::vector<double> all(kept.rows());
    for (std::size_t j = 0; j < kept.rows(); ++j) {
      all[j] = distance(metric, SparseCells{rows.indices(i), rows.values(i)},
                        SparseCells{kept.indices(j), kept.values(j)});
    }
    distances[i] = last_of_nearest(all);
  });
  return distances;
}

std::vector<double> sparse_distances(SparseView kept, Metric metric, SparseView rows, Job& job) {
  if (!has_dot_form(metric)) return sparse_distances_by_pairs(kept, metric, rows, job);
  std::vector<double> kept_squares(kept.rows());
  for (std::size_t i = 0; i < kept.rows(); ++i) kept_squares[i] = squared_length(kept, i);
  std::vector<double> distances(rows.rows());
  job.parallel(blocks(rows.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
    std::vector<float> x(kept.columns());
    std::vector<double> all(kept.rows());
    const std::size_t last = std::min(rows.rows(), (task + 1) * kRowsPerTask);
    for (std::size_t i = task * kRowsPerTask; i < last; ++i) {
      const auto at = rows.indices(i);
      for (std::size_t n = 0; n < at.size(); ++n) x[at[n]] = rows.values(i)[n];
      const double square = squared_length(rows, i);
      for (std::size_t j = 0; j < kept.rows(); ++j) {
        double dot = 0;
        const auto columns = kept.indices(j);
        const auto values = kept.values(j);
        for (std::size_t n = 0; n < columns.size(); ++n) {
          dot += static_cast<double>(x[columns[n]]) * values[n];
        }
        // Prepared rows have norm 1 or 0 when the metric is cosine.
        all[j] = metric == Metric::cosine ? -dot : square + kept_squares[j] - 2 * dot;
      }
      distances[i] = length_of(metric, last_of_nearest(all));
      for (const std::uint32_t column : at) x[column] = 0;
    }
  });
  return distances;
}

}  // namespace

std::vector<double> distances_to_kept(const BottomLayer& bottom, Metric given, RowsView rows,
                                      Job& job) {
  if (bottom.settings.partial) {
    return partial_distances(bottom.kept.view().dense(), rows.dense(), job);
  }
  const Metric metric = compared_by(given);
  return bottom.is_sparse()
             ? sparse_distances(bottom.kept.view().sparse(), metric, rows.sparse(), job)
             : dense_distances(bottom.kept.view().dense(), metric, rows.dense(), job);
}

double usual_distance_to_kept(const BottomLayer& bottom, Metric metric, Job& job) {
  const std::uint64_t kept = bottom.kept.rows();
  std::vector<std::uint32_t> asked;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(kept, kAsked); ++i) {
    asked.push_back(static_cast<std::uint32_t>(i * kept / std::min<std::uint64_t>(kept, kAsked)));
  }
  const Rows rows = gather(bottom.kept, asked);
  std::vector<double> distances = distances_to_kept(bottom, metric, rows, job);
  std::erase(distances, 0.0);
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

}  // namespace mbn
