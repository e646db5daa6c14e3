// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <mbn/plan.hpp>

#include "base/job.hpp"

namespace mbn {

/// A plan with what only the fitter needs: expected shares of the time, for progress.
struct WorkPlan {
  Plan plan;
  std::uint64_t forced_batch_rows = 0;  ///< when memory is short; 0 lets the engine choose
  std::vector<double> layer_share;      ///< of the whole time, one per layer
  double projection_share = 0;
  double clustering_share = 0;
  double map_share = 0;
  double choosing_seconds = 0;  ///< part of the plan's fit_seconds; 0 when nothing is open
};

/// Data as the network will work on it.
struct DataSize {
  Shape shape;
  bool is_sparse = false;         ///< the network works on compressed rows
  std::uint64_t nonzeros = 0;     ///< of sparse rows
  std::uint64_t given_bytes = 0;  ///< what the caller holds
  bool converts = false;          ///< from dense to sparse or back

  std::uint64_t worked_bytes() const;
};
DataSize size_of(Shape shape);
DataSize size_of(RowsView rows, const FitOptions& options, Job& job);

/// The plan of a fit of the rows that a network is made from: never more than its pool. Where
/// something is open, it has the layers of the usual decay, with memory and sizes of files for the
/// most that `choose` may take, and the time of choosing.
WorkPlan plan_work(const DataSize& data, const FitOptions& options, const RunOptions& run);

/// The plan of a fit whose options are all known.
WorkPlan plan_known(const DataSize& data, const FitOptions& options, const RunOptions& run);

/// Rows that `transform` takes at a time through a network whose layers have these widths.
std::size_t transform_batch_rows(std::uint64_t rows, std::uint64_t clusterings,
                                 std::uint64_t widest, const RunOptions& run);

/// Rows of this many bytes each, with all that is made of them, that are read and worked on at a
/// time when they come in batches.
std::size_t stream_batch_rows(std::uint64_t row_bytes, const RunOptions& run);

/// `plan` for rows that are all in memory. MemoryLimitExceeded when they, their outputs and the
/// network do not fit together.
Plan plan_held(RowsView rows, const FitOptions& options, const RunOptions& run);

}  // namespace mbn
