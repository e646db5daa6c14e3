// SPDX-License-Identifier: Apache-2.0
#include "network/train_layer.hpp"

#include <cmath>
#include <limits>

#include "bottom/calibrate_bottom.hpp"
#include "network/encode.hpp"
#include "rows/kinds.hpp"
#include "rows/metric.hpp"
#include "rows/missing_cells.hpp"

namespace mbn {

namespace {

Draws draw_layer(const LayerRequest& request, std::size_t rows, std::size_t features) {
  const std::size_t drawable = request.pool.empty() ? rows : request.pool.size();
  Draws draws = draw({.seed = request.seed,
                      .layer = request.layer,
                      .clusterings = request.clusterings,
                      .centroids = request.centroids,
                      .features = drawn_features(request.feature_fraction, features),
                      .input_rows = static_cast<std::uint32_t>(drawable),
                      .input_features = static_cast<std::uint32_t>(features),
                      .blocks = request.blocks});
  if (!request.pool.empty()) {
    for (std::uint32_t& row : draws.rows) row = request.pool[row];
  }
  return draws;
}

// NaN has many bit patterns, and a model must not depend on them.
void make_missing_equal(Matrix& kept) {
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    float* row = kept.mutable_row<float>(i);
    for (std::size_t j = 0; j < kept.columns(); ++j) {
      if (std::isnan(row[j])) row[j] = std::numeric_limits<float>::quiet_NaN();
    }
  }
}

}  // namespace

Trained<BottomLayer> train_layer(RowsView rows, const LayerRequest& request,
                                 const BottomRequest& bottom, Job& job) {
  BottomLayer layer;
  layer.draws = draw_layer(request, rows.rows(), rows.columns());
  layer.kept = gather(rows, keep_drawn(layer.draws, static_cast<std::uint32_t>(rows.rows())));
  const bool missing = bottom.partial && has_missing(layer.kept);
  if (missing) make_missing_equal(layer.kept.dense());
  // The engines for sparse rows are exact, and so is that for missing cells.
  if (bottom.engine == Engine::automatic && !rows.is_sparse() && !missing) {
    layer.settings = calibrate_bottom(layer.kept.dense(), layer.draws, compared_by(bottom.metric),
                                      {.excess = bottom.excess, .recall = bottom.recall},
                                      request.seed, rows.rows(), job, bottom.notes);
  }
  layer.settings.partial = bottom.partial;
  CodeMatrix codes = encode_bottom(layer, bottom.metric, rows, bottom.batch_rows, job);
  return {std::move(layer), std::move(codes)};
}

Trained<UpperLayer> train_layer(const CodeMatrix& rows, const LayerRequest& request, Job& job) {
  UpperLayer layer;
  layer.draws = draw_layer(request, rows.rows(), rows.clusterings());
  layer.kept = rows.gather(keep_drawn(layer.draws, static_cast<std::uint32_t>(rows.rows())));
  CodeMatrix codes = encode_upper(layer, rows, job);
  return {std::move(layer), std::move(codes)};
}

std::vector<std::uint32_t> kept_numbers(const LayerRequest& request, std::size_t rows,
                                        std::size_t features) {
  Draws draws = draw_layer(request, rows, features);
  return keep_drawn(draws, static_cast<std::uint32_t>(rows));
}

}  // namespace mbn
