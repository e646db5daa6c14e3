// SPDX-License-Identifier: Apache-2.0
//
// k-means looks for centres with a small sum of squared distances,
//
//     objective = sum_i min_c |x_i - centre_c|^2.
//
// Lloyd's iteration finds a local minimum only, so it is run from many k-means++ starts, and the
// lowest objective wins (ties: the first start). Each start runs on one thread with its own random
// stream, so the result does not depend on the threads. Every thread keeps only its best run, so
// memory does not grow with the number of starts.
//
// Clusters are then numbered by size. A row with a tie between two centres belongs to the lower
// number, and renumbering changes which one that is. So rows are assigned once more, and clusters
// numbered again if any row moved. That ends: each move goes to a lower number, that is, to a
// cluster that is not smaller, so the sizes of the first clusters taken together only grow. The
// labels are then those of `nearest_centres`.
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <mbn/cluster.hpp>
#include <mbn/error.hpp>

#include "base/job.hpp"
#include "cluster/lloyd.hpp"
#include "cluster/start.hpp"

namespace mbn {

namespace {

constexpr std::size_t kRowsPerTask = 256;
// Only rows with NaN could need more.
constexpr int kMostRenumberings = 100;

void validate(MatrixView rows, const KMeansOptions& options) {
  if (options.clusters == 0 || options.restarts == 0 || options.max_iterations == 0) {
    throw InvalidArgument(ErrorCode::out_of_range,
                          {"k-means needs at least 1 cluster, restart and iteration, but ",
                           option("clusters"), fmt::format(" is {}, ", options.clusters),
                           option("restarts"), fmt::format(" {} and ", options.restarts),
                           option("max_iterations"), fmt::format(" {}", options.max_iterations)});
  }
  if (options.clusters > rows.rows()) {
    throw InvalidArgument(ErrorCode::too_small,
                          fmt::format("k-means cannot make {} clusters of {} rows; ask for at most "
                                      "{} clusters or give more rows",
                                      options.clusters, rows.rows(), rows.rows()),
                          {.option = "clusters", .value = std::to_string(options.clusters)});
  }
  if (rows.rows() > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    throw InvalidArgument(ErrorCode::too_large,
                          fmt::format("k-means takes at most {} rows, but there are {}",
                                      std::numeric_limits<std::int32_t>::max(), rows.rows()));
  }
}

struct Candidate {
  lloyd::Run run;
  std::size_t restart = 0;

  bool better_than(const std::optional<Candidate>& other) const {
    if (!other || run.objective < other->run.objective) return true;
    return run.objective == other->run.objective && restart < other->restart;
  }
};

lloyd::Run best_run(MatrixView rows, const KMeansOptions& options, Job& job) {
  std::vector<std::optional<Candidate>> best(job.threads());
  job.parallel(options.restarts, [&](std::size_t restart, unsigned worker) {
    lloyd::Centres starts = lloyd::draw_starts(rows, options.clusters, options.seed,
                                               static_cast<std::uint32_t>(restart));
    Candidate candidate{
        lloyd::run_lloyd(rows, std::move(starts), options.max_iterations, [&] { job.check(); }),
        restart};
    if (candidate.better_than(best[worker])) best[worker] = std::move(candidate);
  });
  std::optional<Candidate> winner;
  for (std::optional<Candidate>& candidate : best) {
    if (candidate && candidate->better_than(winner)) winner = std::move(candidate);
  }
  return std::move(winner->run);
}

template <class T>
void assign_block(MatrixView rows, const lloyd::Centres& centres, std::size_t first,
                  std::size_t last, std::int32_t* labels) {
  lloyd::RowBuffer buffer(rows.columns());
  for (std::size_t i = first; i < last; ++i) {
    const lloyd::Nearest found = lloyd::nearest(buffer.load(rows.row<T>(i)), centres);
    labels[i] = static_cast<std::int32_t>(found.centre);
  }
}

std::vector<std::int32_t> assign(MatrixView rows, const lloyd::Centres& centres, Job& job) {
  std::vector<std::int32_t> labels(rows.rows());
  job.parallel(blocks(rows.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
    const std::size_t first = task * kRowsPerTask;
    const std::size_t last = std::min(first + kRowsPerTask, rows.rows());
    if (rows.type() == ElementType::float32) {
      assign_block<float>(rows, centres, first, last, labels.data());
    } else {
      assign_block<std::uint8_t>(rows, centres, first, last, labels.data());
    }
  });
  return labels;
}

/// The centres by decreasing number of rows, ties by their first row, empty ones last.
lloyd::Centres by_size(const lloyd::Centres& centres, const std::vector<std::int32_t>& labels) {
  std::vector<std::size_t> sizes(centres.count);
  std::vector<std::size_t> first_rows(centres.count, labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto c = static_cast<std::size_t>(labels[i]);
    if (sizes[c]++ == 0) first_rows[c] = i;
  }
  std::vector<std::size_t> order(centres.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : first_rows[a] < first_rows[b];
  });
  lloyd::Centres sorted = centres;
  for (std::size_t c = 0; c < order.size(); ++c) {
    // The centre of an empty cluster is arbitrary: it becomes a copy of the first, which wins every
    // tie with it.
    const std::size_t source = sizes[order[c]] > 0 ? order[c] : order[0];
    std::copy_n(centres.row(source), centres.width, sorted.row(c));
  }
  return sorted;
}

Matrix to_matrix(const lloyd::Centres& centres, std::size_t columns) {
  Matrix matrix(centres.count, columns);
  for (std::size_t c = 0; c < centres.count; ++c) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix.mutable_row<float>(c)[j] = static_cast<float>(centres.row(c)[j]);
    }
  }
  return matrix;
}

lloyd::Centres from_matrix(MatrixView matrix) {
  lloyd::Centres centres(matrix.rows(), matrix.columns());
  for (std::size_t c = 0; c < matrix.rows(); ++c) {
    for (std::size_t j = 0; j < matrix.columns(); ++j) {
      centres.row(c)[j] = double{matrix.at(c, j)};
    }
  }
  return centres;
}

}  // namespace

KMeans kmeans(MatrixView rows, const KMeansOptions& options, const RunOptions& run) {
  validate(rows, options);
  Job job(run);
  job.stage("clusters", 1.0, options.restarts + blocks(rows.rows(), kRowsPerTask));
  lloyd::Run best = best_run(rows, options, job);

  std::vector<std::int32_t> labels = std::move(best.labels);
  lloyd::Centres centres = std::move(best.centres);
  for (int pass = 0; pass < kMostRenumberings; ++pass) {
    lloyd::Centres sorted = by_size(centres, labels);
    if (pass > 0 && sorted.cells == centres.cells) break;
    centres = std::move(sorted);
    labels = assign(rows, centres, job);
  }
  KMeans result;
  result.centres = to_matrix(centres, rows.columns());
  result.labels = std::move(labels);
  result.objective = best.objective;
  result.iterations = best.iterations;
  return result;
}

std::vector<std::int32_t> nearest_centres(MatrixView rows, MatrixView centres,
                                          const RunOptions& run) {
  if (centres.rows() == 0) {
    throw InvalidArgument(ErrorCode::too_small,
                          "there are 0 centres to choose from; give at least 1");
  }
  if (centres.columns() != rows.columns()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("rows have {} columns but centres have {}; give rows of the space in which the "
                    "centres were found",
                    rows.columns(), centres.columns()));
  }
  Job job(run);
  job.stage("clusters", 1.0, blocks(rows.rows(), kRowsPerTask));
  return assign(rows, from_matrix(centres), job);
}

}  // namespace mbn
