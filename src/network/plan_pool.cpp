// SPDX-License-Identifier: Apache-2.0
//
// A network is made from the rows of the pool, so its layers and the work of the fit are those of
// so many rows. All other rows then go through it in batches: they take time, and memory for a
// batch and for the engines that are kept from one to the next. Held in memory, all rows and their
// outputs come on top.
#include <fmt/format.h>

#include <algorithm>

#include <mbn/codes.hpp>
#include <mbn/error.hpp>
#include <mbn/pool.hpp>

#include "base/job.hpp"
#include "base/memory.hpp"
#include "network/planning.hpp"

namespace mbn {

namespace {

DataSize first_rows(const DataSize& all, std::uint64_t rows) {
  DataSize part = all;
  const double share = static_cast<double>(rows) / static_cast<double>(all.shape.rows);
  part.shape.rows = rows;
  part.nonzeros = static_cast<std::uint64_t>(share * static_cast<double>(all.nonzeros));
  part.given_bytes = static_cast<std::uint64_t>(share * static_cast<double>(all.given_bytes));
  return part;
}

std::uint64_t batch_bytes(const DataSize& all, const Plan& plan) {
  const std::uint64_t codes =
      2 * plan.clusterings * CodeMatrix::element_bytes(plan.layers[0].centroids);
  const std::uint64_t row = 2 * all.shape.columns * sizeof(float) + codes;
  return row * std::min<std::uint64_t>(all.shape.rows, stream_batch_rows(row, {}));
}

[[noreturn]] void refuse(std::uint64_t needed, std::uint64_t limit) {
  throw MemoryLimitExceeded(
      ErrorCode::memory,
      {fmt::format("this fit with all rows in memory needs at least {}, but there are only {}; a "
                   "smaller ",
                   readable_bytes(needed), readable_bytes(limit)),
       option("pool"), " needs less, and rows that are read in batches much less"},
      {.option = "memory_limit", .value = std::to_string(limit)});
}

Plan plan_pool(const DataSize& all, const FitOptions& options, const RunOptions& run,
               bool all_held) {
  const std::uint64_t rows = pool_size(all.shape.rows, options);
  if (rows == all.shape.rows) {
    Plan plan = plan_work(all, options, run).plan;
    plan.streaming_bytes = plan.peak_bytes;
    return plan;
  }
  const WorkPlan work = plan_work(first_rows(all, rows), options, run);
  Plan plan = work.plan;
  // Engines for few rows and for many can each take as much as the model.
  const std::uint64_t through = 2 * plan.model_bytes + batch_bytes(all, plan);
  plan.streaming_bytes = plan.peak_bytes + through;
  const std::uint64_t outputs =
      all.shape.rows * ((plan.components + options.map) * sizeof(float) + 2 * sizeof(float));
  plan.peak_bytes = plan.streaming_bytes + all.given_bytes + outputs;
  const double others = static_cast<double>(all.shape.rows - rows) / static_cast<double>(rows);
  plan.fit_seconds += others * (plan.fit_seconds - work.choosing_seconds);
  if (all_held) {
    // The data is in memory already, so it is not part of the free memory.
    const std::uint64_t needed = plan.peak_bytes - (run.memory_limit ? 0 : all.given_bytes);
    const std::uint64_t limit = usable_memory(run.memory_limit);
    if (needed > limit) refuse(needed, limit);
  }
  return plan;
}

}  // namespace

std::size_t stream_batch_rows(std::uint64_t row_bytes, const RunOptions& run) {
  constexpr std::uint64_t kMostRows = 1 << 17;
  constexpr std::uint64_t kUsualBytes = std::uint64_t{1} << 28;
  const std::uint64_t budget =
      run.memory_limit ? std::min(kUsualBytes, *run.memory_limit / 8) : kUsualBytes;
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(budget / std::max<std::uint64_t>(1, row_bytes), 1, kMostRows));
}

Plan plan_held(RowsView rows, const FitOptions& options, const RunOptions& run) {
  Job job(run);
  return plan_pool(size_of(rows, options, job), options, run, true);
}

Plan plan(Shape data, const FitOptions& options, const RunOptions& run) {
  return plan_pool(size_of(data), options, run, false);
}

Plan plan(RowsView rows, const FitOptions& options, const RunOptions& run) {
  Job job(run);
  return plan_pool(size_of(rows, options, job), options, run, false);
}

}  // namespace mbn
