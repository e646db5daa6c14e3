// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "network/model_data.hpp"
#include "network/planning.hpp"
#include "network/top.hpp"
#include "network/train_layer.hpp"

namespace mbn {

/// A network under training, layer by layer. What it has done so far is plain data that can be
/// stored and given back.
class Training {
 public:
  /// Plans the work, checks the rows and prepares them. No option may be open (`is_open`). `rows`
  /// must outlive it; `job` and `notes` are used by all that follows.
  Training(RowsView rows, const FitOptions& options, const RunOptions& run, Job& job, Notes& notes);

  const Plan& plan() const { return work_.plan; }
  std::size_t layers_done() const { return so_far_.model.layer_count(); }
  bool done() const { return layers_done() == work_.plan.layers.size(); }
  /// The rows as they are worked on: what `Checkpoint::data_hash` is of.
  RowsView rows() const { return rows_; }
  const FitOptions& options() const { return so_far_.model.options; }
  const Checkpoint& so_far() const { return so_far_; }
  Checkpoint& so_far() { return so_far_; }

  void add_layer();
  /// Resumes from the checkpoint of an earlier training of the same rows and options.
  void resume_from(Checkpoint checkpoint);
  /// Principal components of the top codes, and clusters. All layers must be done; the training is
  /// empty afterwards.
  TrainedNetwork finish();

 private:
  void give_advice(const ColumnStatistics& statistics);
  std::vector<std::uint32_t> draw_pool() const;
  void add_bottom(const LayerRequest& request);
  void add_upper(const LayerRequest& request);
  LayerRequest layer_request(std::size_t below) const;
  void draw_map(TrainedNetwork& trained, std::span<const std::uint32_t> kept);
  Matrix place_all(const ModelData& model, MatrixView components,
                   std::span<const std::uint32_t> kept);

  RunOptions run_;
  Job& job_;
  Notes& notes_;
  WorkPlan work_;
  Rows worked_on_;
  RowsView rows_;
  Checkpoint so_far_;
  std::vector<std::uint32_t> pool_;  // the rows that may be drawn, ascending; empty: all
  std::vector<double> layer_seconds_;
};

}  // namespace mbn
