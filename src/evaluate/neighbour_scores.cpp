// SPDX-License-Identifier: Apache-2.0
//
// Venna and Kaski's measures, for n rows and neighbourhoods of k. Let r(i, j) be the place of row j
// when all other rows are sorted by their distance from row i in the data, s(i, j) the same on the
// map, counted from 1, ties by row number:
//
//   trustworthiness = 1 - 2 / (m k (2n - 3k - 1)) * sum_i sum_{j: s(i,j) <= k} max(0, r(i,j) - k)
//   continuity      = the same with r and s exchanged
//   preservation    = 1 / (m k) * sum_i |{j: s(i,j) <= k and r(i,j) <= k}|
//
// The sums run over m sampled rows i, all of them when the sample is large enough. The divisor
// needs k < n/2, so k is lowered to that when there are few rows.
//
// Nearly all time goes into distances in the data. A task takes a few sampled rows together, so
// that a data row that is in the cache meets them all. Nothing needs to be sorted: the k nearest
// come from a heap, and places are counted. Penalties are integers, so sums are exact.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>

#include "base/job.hpp"
#include "evaluate/compared_rows.hpp"

namespace mbn {

namespace {

constexpr std::size_t kMostQueries = 8;
/// Distances that a task holds at a time, so that many rows do not take much memory.
constexpr std::size_t kTaskDistances = std::size_t{1} << 21;

/// Distance first, then the row number for ties.
using Neighbour = std::pair<double, std::uint32_t>;

/// Distances of some rows to all rows: `distances[q * n + j]` for query q and row j.
void fill_distances(MatrixView rows, Metric metric, std::span<const std::uint32_t> queries,
                    const char* what, double* distances) {
  const std::size_t count = rows.rows();
  if (metric != Metric::euclidean) {
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t q = 0; q < queries.size(); ++q) {
        distances[q * count + j] = compared_distance(rows, metric, queries[q], j, what);
      }
    }
    return;
  }
  rows.visit([&](auto* cells) {
    using T = std::remove_cvref_t<decltype(*cells)>;
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t q = 0; q < queries.size(); ++q) {
        const double distance =
            squared_distance(rows.row<T>(queries[q]), rows.row<T>(j), rows.columns());
        require_usable(distance, what, queries[q], j);
        distances[q * count + j] = distance;
      }
    }
  });
}

/// The `k` nearest rows, nearest first, without the row itself.
void find_nearest(std::span<const double> distances, std::uint32_t self, std::size_t k,
                  std::vector<Neighbour>& nearest) {
  nearest.clear();
  const auto count = static_cast<std::uint32_t>(distances.size());
  for (std::uint32_t j = 0; j < count; ++j) {
    if (j == self) continue;
    const Neighbour candidate{distances[j], j};
    if (nearest.size() == k) {
      if (!(candidate < nearest.front())) continue;
      std::pop_heap(nearest.begin(), nearest.end());
      nearest.pop_back();
    }
    nearest.push_back(candidate);
    std::push_heap(nearest.begin(), nearest.end());
  }
  std::sort_heap(nearest.begin(), nearest.end());
}

/// The sum of max(0, place - k) over the rows of `others`, places being those among `distances`.
std::uint64_t penalty(std::span<const double> distances, std::uint32_t self,
                      const std::vector<Neighbour>& others, std::vector<Neighbour>& targets,
                      std::vector<std::uint64_t>& between) {
  targets.clear();
  for (const Neighbour& other : others) {
    targets.emplace_back(distances[other.second], other.second);
  }
  std::sort(targets.begin(), targets.end());
  // between[t]: rows that stand after target t - 1 and not after target t.
  between.assign(targets.size() + 1, 0);
  const auto count = static_cast<std::uint32_t>(distances.size());
  for (std::uint32_t j = 0; j < count; ++j) {
    if (j == self) continue;
    const auto place = std::lower_bound(targets.begin(), targets.end(), Neighbour{distances[j], j});
    ++between[static_cast<std::size_t>(place - targets.begin())];
  }
  std::uint64_t sum = 0;
  std::uint64_t place = 0;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    place += between[t];
    if (place > targets.size()) sum += place - targets.size();
  }
  return sum;
}

struct Totals {
  std::uint64_t intruders = 0;  ///< penalties of rows near on the map only
  std::uint64_t missing = 0;    ///< penalties of rows near in the data only
  std::uint64_t shared = 0;     ///< rows near in both
};

/// What one thread needs besides the results.
struct Workspace {
  std::vector<double> data_distances;
  std::vector<double> map_distances;
  std::vector<Neighbour> data_nearest;
  std::vector<Neighbour> map_nearest;
  std::vector<Neighbour> targets;
  std::vector<std::uint64_t> between;
};

void score_row(std::span<const double> data_distances, std::uint32_t row, std::size_t k,
               Workspace& work, Totals& totals) {
  const std::span<const double> map_distances = work.map_distances;
  find_nearest(data_distances, row, k, work.data_nearest);
  find_nearest(map_distances, row, k, work.map_nearest);
  totals.intruders += penalty(data_distances, row, work.map_nearest, work.targets, work.between);
  totals.missing += penalty(map_distances, row, work.data_nearest, work.targets, work.between);
  // A row near on the map is shared when the data's k-th neighbour is not before it.
  for (const Neighbour& near : work.map_nearest) {
    const Neighbour in_data{data_distances[near.second], near.second};
    if (!(work.data_nearest.back() < in_data)) ++totals.shared;
  }
}

void require_valid(MatrixView data, MatrixView embedding, std::uint32_t neighbours) {
  require_pair(data, embedding);
  if (neighbours == 0) {
    throw InvalidArgument(ErrorCode::out_of_range, {option("neighbours"), " is 0; give at least 1"},
                          {.option = "neighbours", .value = "0"});
  }
}

/// How many sampled rows a task takes: fewer when memory is short. Does not change a result.
std::size_t queries_per_task(MatrixView data, MatrixView embedding,
                             std::optional<std::uint64_t> memory_limit, const Job& job) {
  const std::size_t rows = data.rows();
  std::size_t queries = std::clamp<std::size_t>(kTaskDistances / rows, 1, kMostQueries);
  if (!memory_limit) return queries;
  const std::uint64_t limit = *memory_limit;
  const std::uint64_t given = data.shape().bytes() + embedding.shape().bytes();
  const auto needed = [&](std::size_t count) {
    return given + std::uint64_t{job.threads()} * (count + 1) * rows * sizeof(double);
  };
  while (queries > 1 && needed(queries) > limit) --queries;
  if (needed(queries) > limit) {
    throw MemoryLimitExceeded(
        ErrorCode::memory,
        fmt::format("neighbour scores of {} rows on {} threads need {} bytes with their data, the "
                    "limit is {}; use fewer threads or score fewer rows",
                    rows, job.threads(), needed(queries), limit),
        {.option = "memory_limit", .value = std::to_string(limit)});
  }
  return queries;
}

Totals collect(const ComparedRows& compared, MatrixView embedding,
               std::span<const std::uint32_t> sample, std::size_t k,
               std::optional<std::uint64_t> memory_limit, Job& job) {
  const MatrixView data = compared.view();
  const std::size_t rows = data.rows();
  const std::size_t block = queries_per_task(data, embedding, memory_limit, job);
  const std::size_t tasks = blocks(sample.size(), block);
  std::vector<Workspace> workspaces(job.threads());
  std::vector<Totals> parts(tasks);
  job.stage("neighbour scores", 1.0, tasks);
  job.parallel(tasks, [&](std::size_t task, unsigned worker) {
    Workspace& work = workspaces[worker];
    const std::size_t first = task * block;
    const auto queries = sample.subspan(first, std::min(block, sample.size() - first));
    work.data_distances.resize(queries.size() * rows);
    work.map_distances.resize(rows);
    fill_distances(data, compared.metric(), queries, "data", work.data_distances.data());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      fill_distances(embedding, Metric::euclidean, queries.subspan(q, 1), "embedding",
                     work.map_distances.data());
      const auto distances = std::span<const double>(work.data_distances).subspan(q * rows, rows);
      score_row(distances, queries[q], k, work, parts[task]);
    }
  });
  Totals totals;
  for (const Totals& part : parts) {
    totals.intruders += part.intruders;
    totals.missing += part.missing;
    totals.shared += part.shared;
  }
  return totals;
}

}  // namespace

NeighbourScores score_neighbours(MatrixView data, MatrixView embedding, std::uint32_t neighbours,
                                 std::uint32_t sample, const RunOptions& run, Metric metric) {
  require_valid(data, embedding, neighbours);
  const ComparedRows compared(data, metric);
  const std::size_t rows = data.rows();
  // With one or two rows there is only one possible neighbourhood, and it is always kept.
  if (rows < 3) return {1, 1, 1};
  const std::size_t k = std::min<std::size_t>(neighbours, (rows - 1) / 2);

  Job job(run);
  const std::vector<std::uint32_t> asked = sampled_rows(rows, sample);
  const Totals totals = collect(compared, embedding, asked, k, run.memory_limit, job);

  const auto n = static_cast<double>(rows);
  const auto pairs = static_cast<double>(asked.size()) * static_cast<double>(k);
  const double worst = pairs * (2 * n - 3 * static_cast<double>(k) - 1) / 2;
  return {1 - static_cast<double>(totals.intruders) / worst,
          1 - static_cast<double>(totals.missing) / worst,
          static_cast<double>(totals.shared) / pairs};
}

}  // namespace mbn
