// SPDX-License-Identifier: Apache-2.0
//
// What neighbourhoods do not tell of a map. With D the distance in the data and M that on the map,
// over triplets of different rows t = (i, j, k) drawn at random (Wang, Huang, Rudin and Shaposhnik
// 2021 draw five for each row i),
//
//   random triplets   = share of t with  [D(i,j) < D(i,k)] = [M(i,j) < M(i,k)],
//
// where < goes by the row number when distances are equal: equal on the map only is then as good as
// a guess, and equal in both is right. The triplets of row i come from a stream of its own, so they
// are the same on any number of threads. Right ones are counted in whole numbers.
//
//   1-NN              = share of i with  label(argmin_{j != i} M(i,j)) = label(i).
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <mbn/cluster.hpp>
#include <mbn/evaluate.hpp>

#include "base/job.hpp"
#include "base/random.hpp"
#include "evaluate/compared_rows.hpp"
#include "rows/scaler.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kTripletsPerRow = 5;
constexpr std::uint32_t kRestarts = 10;
constexpr std::size_t kRowsPerTask = 64;

/// The sum of `body(row)`, whole numbers, over rows on many threads.
template <class Body>
std::uint64_t sum_over(std::span<const std::uint32_t> rows, Job& job, const Body& body) {
  const std::size_t tasks = blocks(rows.size(), kRowsPerTask);
  std::vector<std::uint64_t> parts(tasks);
  job.stage("map scores", 1.0, tasks);
  job.parallel(tasks, [&](std::size_t task, unsigned) {
    const std::size_t first = task * kRowsPerTask;
    const auto own = rows.subspan(first, std::min(kRowsPerTask, rows.size() - first));
    for (const std::uint32_t row : own) parts[task] += body(row);
  });
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

/// Two different rows that are not `row`, the smaller number first.
std::pair<std::uint32_t, std::uint32_t> draw_others(Random& random, std::uint32_t row,
                                                    std::uint32_t rows) {
  const auto skip = [](std::uint32_t drawn, std::uint32_t taken) {
    return drawn + (drawn >= taken ? 1 : 0);
  };
  const std::uint32_t first = skip(random.below(rows - 1), row);
  const std::uint32_t second =
      skip(skip(random.below(rows - 2), std::min(row, first)), std::max(row, first));
  return std::minmax(first, second);
}

std::uint64_t right_triplets(MatrixView data, Metric metric, MatrixView embedding,
                             std::uint32_t row) {
  Random random(0, Purpose::triplets, row);
  std::uint64_t right = 0;
  for (std::uint32_t t = 0; t < kTripletsPerRow; ++t) {
    const auto [j, k] = draw_others(random, row, static_cast<std::uint32_t>(data.rows()));
    // j is the smaller number, so it is the nearer one of equal distances.
    const auto nearer_first = [row, j = j, k = k](MatrixView rows, Metric by, const char* what) {
      return compared_distance(rows, by, row, j, what) <= compared_distance(rows, by, row, k, what);
    };
    if (nearer_first(data, metric, "data") ==
        nearer_first(embedding, Metric::euclidean, "embedding")) {
      ++right;
    }
  }
  return right;
}

std::uint32_t nearest_row(MatrixView rows, std::uint32_t row) {
  std::pair<double, std::uint32_t> best{0, row};
  for (std::uint32_t other = 0; other < rows.rows(); ++other) {
    if (other == row) continue;
    const double distance = squared_distance(rows, row, other, "embedding");
    if (best.second == row || distance < best.first) best = {distance, other};
  }
  return best.second;
}

std::size_t count_classes(std::span<const std::int32_t> labels) {
  std::vector<std::int32_t> values(labels.begin(), labels.end());
  std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

double nmi_of_kmeans(MatrixView embedding, std::span<const std::int32_t> labels,
                     std::size_t classes, const RunOptions& run) {
  const KMeansOptions options{.clusters = static_cast<std::uint32_t>(classes),
                              .restarts = kRestarts};
  return normalized_mutual_information(kmeans(embedding, options, run).labels, labels);
}

double triplet_accuracy(MatrixView data, Metric metric, MatrixView embedding, std::uint32_t sample,
                        const RunOptions& run) {
  require_pair(data, embedding);
  Job job(run);
  // Not every row is drawn, but every cell has to be a number.
  require_finite(data, job);
  require_finite(embedding, job);
  if (data.rows() < 3) return 1;
  const std::vector<std::uint32_t> asked = sampled_rows(data.rows(), sample);
  const std::uint64_t right = sum_over(
      asked, job, [&](std::uint32_t row) { return right_triplets(data, metric, embedding, row); });
  return static_cast<double>(right) / (static_cast<double>(asked.size()) * kTripletsPerRow);
}

}  // namespace

double random_triplet_accuracy(MatrixView data, MatrixView embedding, std::uint32_t sample,
                               const RunOptions& run) {
  return triplet_accuracy(data, Metric::euclidean, embedding, sample, run);
}

double nearest_neighbour_accuracy(MatrixView embedding, std::span<const std::int32_t> labels,
                                  std::uint32_t sample, const RunOptions& run) {
  require_pair(embedding, embedding);
  require_labels(labels, embedding.rows());
  Job job(run);
  require_finite(embedding, job);
  if (embedding.rows() < 2) return 0;
  const std::vector<std::uint32_t> asked = sampled_rows(embedding.rows(), sample);
  const std::uint64_t right = sum_over(asked, job, [&](std::uint32_t row) -> std::uint64_t {
    return labels[nearest_row(embedding, row)] == labels[row] ? 1 : 0;
  });
  return static_cast<double>(right) / static_cast<double>(asked.size());
}

MapScores score_map(MatrixView data, MatrixView embedding, const MapScoreOptions& options,
                    const RunOptions& run) {
  require_pair(data, embedding);
  if (!options.labels.empty()) require_labels(options.labels, data.rows());
  const ComparedRows compared(data, options.metric);
  MapScores scores;
  scores.random_triplets =
      triplet_accuracy(compared.view(), compared.metric(), embedding, options.sample, run);
  if (options.labels.empty()) return scores;
  const std::size_t classes = count_classes(options.labels);
  // Means of classes are compared by Euclidean distance only.
  if (classes > 2 && compared.metric() == Metric::euclidean) {
    scores.centroid_triplets =
        centroid_triplet_accuracy(compared.view(), embedding, options.labels, run);
  }
  scores.nearest_neighbour =
      nearest_neighbour_accuracy(embedding, options.labels, options.sample, run);
  scores.kmeans_nmi = nmi_of_kmeans(embedding, options.labels, classes, run);
  return scores;
}

}  // namespace mbn
