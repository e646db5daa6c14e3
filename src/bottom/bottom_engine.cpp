// SPDX-License-Identifier: Apache-2.0
//
// Chooses the engine for the kind of rows. Sparse rows have engines of their own, which are exact
// and need no settings; for dense rows calibration has decided before, and the settings name the
// engine.
#include "bottom/bottom_engine.hpp"

#include "bottom/walk_bottom.hpp"

namespace mbn {

std::unique_ptr<BottomEngine> make_bottom_engine(RowsView drawn, const Draws& draws, Metric metric,
                                                 const BottomSettings& settings,
                                                 std::size_t batch_rows, Job& job) {
  if (drawn.is_sparse()) return make_sparse_bottom(drawn.sparse(), draws, metric, job);
  if (settings.kind == BottomKind::exact) {
    return make_exact_bottom(drawn.dense(), draws, metric, batch_rows);
  }
  return make_walk_bottom(drawn.dense(), draws, metric, settings, batch_rows, job);
}

std::uint64_t bottom_engine_bytes(RowsView drawn, const Draws& draws,
                                  const BottomSettings& settings) {
  if (drawn.is_sparse()) {
    return sparse_bottom_bytes({.kept_rows = drawn.rows(),
                                .nonzeros = drawn.sparse().nonzeros(),
                                .columns = drawn.columns(),
                                .clusterings = draws.clusterings,
                                .centroids = draws.centroids},
                               1);
  }
  if (settings.kind == BottomKind::exact) return 0;
  return walk_bottom_kept_bytes(drawn.dense().shape(), draws, settings);
}

}  // namespace mbn
