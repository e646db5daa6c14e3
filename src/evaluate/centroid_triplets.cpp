// SPDX-License-Identifier: Apache-2.0
//
// With c_u the mean of the rows of class u in the data and m_u that on the map, over all classes u
// and all pairs v < w of other classes,
//
//   centroid triplets = share with  [|c_u - c_v| <= |c_u - c_w|] = [|m_u - m_v| <= |m_u - m_w|].
//
// Classes are numbered in the order of their labels; equal distances go by that number, as they do
// by the row number for triplets of rows. Means are summed in double, row after row of one class,
// by one thread each, so their bits do not depend on the number of threads. Triplets grow with the
// cube of the classes: where these are many, all triplets of some of them are taken.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <mbn/evaluate.hpp>

#include "base/job.hpp"
#include "base/random.hpp"
#include "evaluate/compared_rows.hpp"
#include "rows/scaler.hpp"

namespace mbn {

namespace {

/// 256 x 255 x 254 / 2 triplets: 8 million.
constexpr std::size_t kMostClasses = 256;

/// The rows of each class that counts, ascending.
using Classes = std::vector<std::vector<std::uint32_t>>;

Classes classes_of(std::span<const std::int32_t> labels) {
  std::vector<std::uint32_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return labels[a] < labels[b]; });
  Classes classes;
  for (const std::uint32_t row : order) {
    if (classes.empty() || labels[classes.back().front()] != labels[row]) classes.emplace_back();
    classes.back().push_back(row);
  }
  if (classes.size() <= kMostClasses) return classes;

  Random random(0, Purpose::triplets);
  std::vector<std::uint32_t> drawn =
      draw_without_replacement(random, static_cast<std::uint32_t>(classes.size()), kMostClasses);
  std::sort(drawn.begin(), drawn.end());
  Classes kept;
  for (const std::uint32_t number : drawn) kept.push_back(std::move(classes[number]));
  return kept;
}

std::vector<double> centroid_of(MatrixView rows, std::span<const std::uint32_t> members) {
  std::vector<double> sums(rows.columns());
  rows.visit([&](const auto* cells) {
    for (const std::uint32_t row : members) {
      const auto* const from = cells + row * rows.row_stride();
      for (std::size_t column = 0; column < sums.size(); ++column) sums[column] += from[column];
    }
  });
  for (double& sum : sums) sum /= static_cast<double>(members.size());
  return sums;
}

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t column = 0; column < a.size(); ++column) {
    sum += (a[column] - b[column]) * (a[column] - b[column]);
  }
  return sum;
}

/// distances[u * classes + v], between the centroids of rows.
std::vector<double> centroid_distances(MatrixView rows, const Classes& classes, Job& job) {
  const std::size_t count = classes.size();
  std::vector<std::vector<double>> centroids(count);
  job.parallel(count,
               [&](std::size_t u, unsigned) { centroids[u] = centroid_of(rows, classes[u]); });
  std::vector<double> distances(count * count);
  job.parallel(count, [&](std::size_t u, unsigned) {
    for (std::size_t v = 0; v < count; ++v) {
      distances[u * count + v] = squared_distance(centroids[u], centroids[v]);
    }
  });
  return distances;
}

/// The pairs v < w of other classes that are in the same order from u in both.
std::uint64_t right_pairs(std::size_t u, std::span<const double> data,
                          std::span<const double> map) {
  std::uint64_t right = 0;
  for (std::size_t w = 0; w < data.size(); ++w) {
    for (std::size_t v = 0; v < w; ++v) {
      if (v != u && w != u && (data[v] <= data[w]) == (map[v] <= map[w])) ++right;
    }
  }
  return right;
}

}  // namespace

double centroid_triplet_accuracy(MatrixView data, MatrixView embedding,
                                 std::span<const std::int32_t> labels, const RunOptions& run) {
  require_pair(data, embedding);
  require_labels(labels, data.rows());
  const Classes classes = classes_of(labels);
  const std::size_t count = classes.size();
  Job job(run);
  job.stage("map scores", 1.0, 5 * count);
  require_finite(data, job);
  require_finite(embedding, job);
  if (count < 3) return 1;

  const std::vector<double> in_data = centroid_distances(data, classes, job);
  const std::vector<double> on_map = centroid_distances(embedding, classes, job);
  std::vector<std::uint64_t> right(count);
  job.parallel(count, [&](std::size_t u, unsigned) {
    right[u] = right_pairs(u, std::span(in_data).subspan(u * count, count),
                           std::span(on_map).subspan(u * count, count));
  });
  const auto n = static_cast<double>(count);
  return static_cast<double>(std::accumulate(right.begin(), right.end(), std::uint64_t{0})) /
         (n * (n - 1) * (n - 2) / 2);
}

}  // namespace mbn
