// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/plan.hpp>

#include "api/other_rows.hpp"
#include "api/refreshed.hpp"
#include "base/job.hpp"
#include "base/memory.hpp"
#include "base/notes.hpp"
#include "base/part_of.hpp"
#include "base/random.hpp"
#include "network/pool.hpp"
#include "network/refresh.hpp"
#include "rows/kinds.hpp"

namespace mbn {

namespace {

// Share of encoding in the time of an update.
constexpr double kEncodingShare = 0.6;
// So many rows are compared with those that the network drew.
constexpr std::uint32_t kSampledRows = 256;
// The sampled rows' median outlier score from which the network hardly knows such rows.
constexpr float kUnlike = 2;

void require_memory(const Model& model, std::uint64_t rows, const RunOptions& run) {
  const Job job(run);
  // The new model, and its bytes while it is made.
  const std::uint64_t needed =
      refresh_bytes(ModelAccess::data(model), rows, run, job.threads()) + 2 * model.memory_bytes();
  const std::uint64_t limit = usable_memory(run.memory_limit);
  if (needed <= limit) return;
  throw MemoryLimitExceeded(
      ErrorCode::memory,
      fmt::format("an update on {} rows needs {}, but there are only {}; give a random part of "
                  "the rows, and label the others by the new model",
                  rows, readable_bytes(needed), readable_bytes(limit)),
      {.option = "memory_limit", .value = std::to_string(limit)});
}

void check(const Model& model, RowsView rows, const RunOptions& run) {
  const std::uint64_t least = std::max<std::uint64_t>(2, model.options().clusters.count_or(0));
  if (rows.rows() < least) {
    throw InvalidArgument(
        ErrorCode::too_small,
        fmt::format("an update needs at least {} rows, but there are {}; give more rows", least,
                    rows.rows()));
  }
  check_solver(model.options().solver, rows.rows());
  require_memory(model, rows.rows(), run);
}

// Rows that lie outside of all that the network drew are put among the old ones as well as it can
// be done. That is no error, but whoever updates should know.
void look_at_rows(const Model& model, RowsView rows, const RunOptions& run, Notes& notes) {
  Random random(0, Purpose::sample, 2);
  const std::vector<std::uint32_t> sample =
      draw_or_all(random, static_cast<std::uint32_t>(rows.rows()), kSampledRows);
  std::vector<float> scores = model.outlier_scores(gather(rows, sample), without_progress(run));
  const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 2);
  std::nth_element(scores.begin(), middle, scores.end());
  if (*middle < kUnlike) return;
  notes.add({NoteCode::rows_unlike,
             {fmt::format("half of these rows lie {:.1f} times as far from the rows that the "
                          "network drew as those from each other; it knows little of such rows, "
                          "and a new fit serves better",
                          *middle)}});
}

}  // namespace

FitResult update(const Model& model, RowsView rows, const RunOptions& run) {
  const Pool pool = draw_pool(rows, model.options());
  check(model, pool.rows, run);
  const CodeMatrix codes = model.codes(pool.rows, 0, part_of(run, 0, kEncodingShare));
  Notes notes(run);
  look_at_rows(model, pool.rows, run, notes);
  const RunOptions rest = part_of(run, kEncodingShare, 1);
  Job job(rest);
  FitResult result = refreshed(refresh(copy_of(model), pool.rows, codes, rest, job), notes);
  if (pool.is_part()) add_other_rows(result, rows, pool.numbers, without_progress(run));
  return result;
}

}  // namespace mbn
