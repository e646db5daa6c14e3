// SPDX-License-Identifier: Apache-2.0
//
// Training itself is network/training.cpp. Here checkpoints become files, and the result a Model.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "api/model_access.hpp"
#include "api/other_rows.hpp"
#include "base/job.hpp"
#include "base/part_of.hpp"
#include "network/pool.hpp"
#include "network/settle_options.hpp"
#include "network/training.hpp"
#include "rows/hash.hpp"
#include "rows/missing_cells.hpp"
#include "store/model_file.hpp"

namespace mbn {

namespace {

// Blocks decide the network as the rows do.
std::uint64_t hash_of(const Training& training) {
  std::uint64_t hash = hash_rows(training.rows());
  for (const ColumnBlock& block : training.options().blocks) {
    constexpr std::uint64_t kPrime = 1'099'511'628'211;
    hash = (hash ^ block.first) * kPrime;
    hash = (hash ^ block.count) * kPrime;
  }
  return hash;
}

// Of the whole time. Where there are more rows than the pool has, all must be sound and fit in
// memory before the work starts.
double share_of_training(RowsView all, const Pool& pool, const FitOptions& options,
                         const RunOptions& run) {
  if (!pool.is_part()) return 1;
  Job job(without_progress(run));
  require_values(all, options.missing, job);
  const double seconds = plan_held(all, options, run).fit_seconds;
  return std::min(1.0, plan(pool.rows, options, run).fit_seconds / seconds);
}

// Rows outside the pool take memory too, which the training does not know of.
RunOptions without_held(RunOptions run, RowsView all, const Pool& pool) {
  if (!pool.is_part() || !run.memory_limit) return run;
  *run.memory_limit -= std::min(*run.memory_limit - 1, all.bytes());
  return run;
}

FitOptions settled_for(RowsView rows, const FitOptions& options, const RunOptions& run) {
  validate(options);
  Job job(run);
  return settle_options(options, size_of(rows, options, job));
}

// What is open is taken from another fit.
void take_open(FitOptions& options, const FitOptions& other) {
  if (!options.decay) options.decay = other.decay;
  if (options.scale == Scale::automatic) options.scale = other.scale;
  if (options.clusters == Clusters::find) options.clusters = other.clusters;
}

}  // namespace

struct Fitter::State {
  State(RowsView rows, const FitOptions& options, const RunOptions& run)
      : all(rows),
        pool(draw_pool(rows, options)),
        run_options(run),
        training_share(share_of_training(all, pool, options, run)),
        job(part_of(run, 0, training_share)),
        notes(run),
        training(pool.rows, options, without_held(run, all, pool), job, notes) {}

  RowsView all;
  Pool pool;
  RunOptions run_options;
  double training_share;
  Job job;
  Notes notes;
  Training training;
};

Fitter::Fitter(RowsView rows, const FitOptions& options, const RunOptions& run,
               Selection selection) {
  if (is_open(settled_for(rows, options, run))) {
    throw InvalidArgument(ErrorCode::wrong_order,
                          {option("decay"), ", ", option("scale"), " or ", option("clusters"),
                           " are left open; choose them first, or begin with begin_fit"});
  }
  state_ = std::make_unique<State>(rows, options, run);
  // Of few rows no number of clusters is tried: there is one.
  if (selection.empty() && selection.clusters != 1) return;
  state_->notes.add({NoteCode::options_chosen, describe(selection)});
  if (auto why = doubt(selection)) {
    state_->notes.add({NoteCode::unsure_clusters, *std::move(why)});
  }
  state_->training.so_far().model.selection = std::move(selection);
}
Fitter::~Fitter() = default;
Fitter::Fitter(Fitter&&) noexcept = default;
Fitter& Fitter::operator=(Fitter&&) noexcept = default;

const Plan& Fitter::plan() const {
  return state_->training.plan();
}

std::uint32_t Fitter::layers_done() const {
  return static_cast<std::uint32_t>(state_->training.layers_done());
}

bool Fitter::done() const {
  return state_->training.done();
}

const CodeMatrix& Fitter::codes() const {
  return state_->training.so_far().codes;
}

void Fitter::add_layer() {
  if (done()) {
    throw InvalidArgument(ErrorCode::wrong_order, "all layers are built already; call finish");
  }
  state_->training.add_layer();
}

void Fitter::name_columns(std::vector<std::string> names) {
  const std::size_t columns = state_->training.rows().columns();
  if (!names.empty() && names.size() != columns) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          fmt::format("there are {} column names for {} columns; give one for each",
                                      names.size(), columns));
  }
  state_->training.so_far().model.column_names = std::move(names);
}

void Fitter::keep_means(std::vector<double> means) {
  const std::size_t columns = state_->training.rows().columns();
  if (!means.empty() && means.size() != columns) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("there are {} means for {} columns; give one for each", means.size(), columns));
  }
  state_->training.so_far().model.column_means = std::move(means);
}

void Fitter::keep_coding(TableCoding coding) {
  const std::size_t columns = state_->training.rows().columns();
  if (!coding.empty() && coded_columns(coding) != columns) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("the coding gives {} columns, but there are {}; give that of the table",
                    coded_columns(coding), columns));
  }
  ModelData& model = state_->training.so_far().model;
  if (blocks_of(coding) != model.options.blocks) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          "the categories of the coding are not those of the options; set "
                          "FitOptions::blocks to blocks_of(coding) before the fit");
  }
  model.coding = std::move(coding);
}

FitResult Fitter::finish() {
  if (!done()) {
    throw InvalidArgument(ErrorCode::wrong_order,
                          fmt::format("{} of {} layers are built; add the others before finishing",
                                      layers_done(), plan().layers.size()));
  }
  TrainedNetwork trained = state_->training.finish();
  FitResult result{ModelAccess::make(std::move(trained.model)),
                   std::move(trained.embedding),
                   std::move(trained.map),
                   std::move(trained.labels),
                   std::move(trained.confidence),
                   std::move(trained.layer_seconds),
                   trained.projection_seconds,
                   trained.clustering_seconds,
                   trained.map_seconds,
                   state_->notes.all()};
  if (state_->pool.is_part()) {
    add_other_rows(result, state_->all, state_->pool.numbers,
                   part_of(state_->run_options, state_->training_share, 1));
  }
  state_.reset();
  return result;
}

void Fitter::save_checkpoint(const std::filesystem::path& path) {
  Checkpoint& so_far = state_->training.so_far();
  if (so_far.data_hash == 0) so_far.data_hash = hash_of(state_->training);
  write_checkpoint_file(path, so_far);
}

Fitter Fitter::resume(const std::filesystem::path& path, RowsView rows, const FitOptions& options,
                      const RunOptions& run) {
  Checkpoint checkpoint = read_checkpoint_file(path);
  Job job(run);
  const Pool pool = draw_pool(rows, options);
  FitOptions settled = settle_options(options, size_of(pool.rows, options, job));
  take_open(settled, checkpoint.model.options);
  // Layers do not depend on the map, so it may be asked for later, or no longer.
  FitOptions& stored = checkpoint.model.options;
  stored.map = settled.map;
  stored.neighbours = settled.neighbours;
  stored.blocks = settled.blocks;  // they are part of the data's hash
  if (settled != stored) {
    throw InvalidArgument(
        ErrorCode::other_fit,
        fmt::format("{} belongs to a fit with other options; repeat those, or remove the file",
                    path.string()),
        {.path = path});
  }
  Fitter fitter(rows, checkpoint.model.options, run, checkpoint.model.selection);
  Training& training = fitter.state_->training;
  if (checkpoint.data_hash != hash_of(training)) {
    throw InvalidArgument(
        ErrorCode::other_fit,
        fmt::format("{} belongs to a fit of other data; remove the file to start anew",
                    path.string()),
        {.path = path});
  }
  training.resume_from(std::move(checkpoint));
  return fitter;
}

}  // namespace mbn
