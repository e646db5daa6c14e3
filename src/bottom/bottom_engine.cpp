// SPDX-License-Identifier: Apache-2.0
//
// Chooses the engine for the kind of rows. Sparse rows have engines of their own, which are exact
// and need no settings; for dense rows calibration has decided before, and the settings name the
// engine. Where cells may be missing, another engine stands before it.
#include "bottom/bottom_engine.hpp"

#include <utility>

#include "bottom/partial_bottom.hpp"
#include "bottom/walk_bottom.hpp"
#include "rows/metric.hpp"
#include "rows/missing_cells.hpp"

namespace mbn {

std::unique_ptr<BottomEngine> make_bottom_engine(RowsView kept, const Draws& draws, Metric given,
                                                 const BottomSettings& settings,
                                                 std::size_t batch_rows, Job& job) {
  const Metric metric = compared_by(given);
  if (kept.is_sparse()) return make_sparse_bottom(kept.sparse(), draws, metric, job);
  if (settings.partial) {
    BottomSettings usual = settings;
    usual.partial = false;
    auto complete = has_missing(kept)
                        ? nullptr
                        : make_bottom_engine(kept, draws, metric, usual, batch_rows, job);
    return make_partial_bottom(kept.dense(), draws, batch_rows, std::move(complete));
  }
  if (settings.kind == BottomKind::exact) {
    return make_exact_bottom(kept.dense(), draws, metric, batch_rows);
  }
  return make_walk_bottom(kept.dense(), draws, metric, settings, batch_rows, job);
}

std::uint64_t bottom_engine_bytes(RowsView kept, const Draws& draws,
                                  const BottomSettings& settings) {
  if (kept.is_sparse()) {
    return sparse_bottom_bytes({.kept_rows = kept.rows(),
                                .nonzeros = kept.sparse().nonzeros(),
                                .columns = kept.columns(),
                                .clusterings = draws.clusterings,
                                .centroids = draws.centroids},
                               1);
  }
  if (settings.kind == BottomKind::exact) return 0;
  return walk_bottom_kept_bytes(kept.dense().shape(), draws, settings);
}

}  // namespace mbn
