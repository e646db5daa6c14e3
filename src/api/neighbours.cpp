// SPDX-License-Identifier: Apache-2.0
//
// A k-d tree for any number of columns. With many it looks at nearly all rows, and is then as slow
// as comparing with each of them; embeddings and maps have few.
#include <mbn/neighbours.hpp>

#include <fmt/format.h>

#include <cmath>

#include <mbn/error.hpp>

#include "base/job.hpp"
#include "neighbours/kd_tree.hpp"
#include "rows/gather.hpp"
#include "rows/scaler.hpp"

namespace mbn {

namespace {

constexpr std::size_t kRowsPerTask = 64;

std::vector<float> cells_of(MatrixView rows) {
  std::vector<float> cells(rows.rows() * rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    copy_row(rows, i, cells.data() + i * rows.columns());
  }
  return cells;
}

}  // namespace

struct Neighbours::State {
  explicit State(MatrixView all)
      : rows(all.rows()), columns(all.columns()), tree(cells_of(all), all.columns()) {}

  std::size_t rows;
  std::size_t columns;
  KdTree tree;
};

Neighbours::Neighbours(MatrixView rows) {
  Job job({});
  require_finite(rows, job);
  state_ = std::make_shared<const State>(rows);
}

std::size_t Neighbours::rows() const {
  return state_->rows;
}

std::size_t Neighbours::columns() const {
  return state_->columns;
}

NearestRows Neighbours::find(MatrixView queries, std::uint32_t count, const RunOptions& run) const {
  if (count < 1 || count > rows()) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        fmt::format("{} neighbours are wanted of {} rows; ask for 1 to all", count, rows()),
        {.option = "count", .value = std::to_string(count)});
  }
  if (queries.columns() != columns()) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          fmt::format("the queries have {} columns, but the rows {}; give the same",
                                      queries.columns(), columns()));
  }
  Job job(run);
  require_finite(queries, job);
  NearestRows found{std::vector<std::uint32_t>(queries.rows() * count),
                    Matrix(queries.rows(), count)};
  job.stage("neighbours", 1, blocks(queries.rows(), kRowsPerTask));
  job.parallel(blocks(queries.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
    std::vector<float> x(columns());
    const std::size_t last = std::min(queries.rows(), (task + 1) * kRowsPerTask);
    for (std::size_t row = task * kRowsPerTask; row < last; ++row) {
      copy_row(queries, row, x.data());
      const std::vector<TreeNeighbour> nearest = state_->tree.nearest(x.data(), count);
      for (std::size_t n = 0; n < count; ++n) {
        found.rows[row * count + n] = nearest[n].number;
        found.distances.mutable_row<float>(row)[n] =
            static_cast<float>(std::sqrt(nearest[n].distance));
      }
    }
  });
  return found;
}

}  // namespace mbn
