// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <mbn/choose.hpp>
#include <mbn/fit.hpp>

#include "base/job.hpp"
#include "base/part_of.hpp"
#include "network/planning.hpp"
#include "network/pool.hpp"

namespace mbn {

namespace {

double seconds_of_choosing(RowsView pool, const FitOptions& options, const RunOptions& run) {
  Job job(run);
  return plan_work(size_of(pool, options, job), options, run).choosing_seconds;
}

}  // namespace

Fitter begin_fit(RowsView rows, const FitOptions& options, const RunOptions& run,
                 const std::filesystem::path& checkpoint) {
  if (!checkpoint.empty() && std::filesystem::exists(checkpoint)) {
    return Fitter::resume(checkpoint, rows, options, run);
  }
  if (!is_open(options)) return {rows, options, run};
  validate(options);
  // Throws what a fit would throw, before the long work of choosing.
  const double seconds = plan_held(rows, options, run).fit_seconds;
  const Pool pool = draw_pool(rows, options);
  const double share = seconds_of_choosing(pool.rows, options, run) / seconds;
  Selection selection = choose(pool.rows, options, part_of(run, 0, share));
  const bool keeps = !checkpoint.empty() && !selection.empty();
  Fitter fitter(rows, apply(selection, options), part_of(run, share, 1), std::move(selection));
  if (keeps) fitter.save_checkpoint(checkpoint);
  return fitter;
}

FitResult fit_transform(RowsView rows, const FitOptions& options, const RunOptions& run,
                        const std::filesystem::path& checkpoint, ColumnFacts columns) {
  Fitter fitter = begin_fit(rows, options, run, checkpoint);
  fitter.name_columns(std::move(columns.names));
  fitter.keep_means(std::move(columns.means));
  fitter.keep_coding(std::move(columns.coding));
  while (!fitter.done()) {
    fitter.add_layer();
    if (!checkpoint.empty()) fitter.save_checkpoint(checkpoint);
  }
  FitResult result = fitter.finish();
  if (!checkpoint.empty()) std::filesystem::remove(checkpoint);
  return result;
}

Model fit(RowsView rows, const FitOptions& options, const RunOptions& run) {
  return fit_transform(rows, options, run).model;
}

}  // namespace mbn
