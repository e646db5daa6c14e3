// SPDX-License-Identifier: Apache-2.0
//
// Rows are prepared in blocks, each by one task. With directions, a block is weighted and scaled in
// a work space and only its coordinates are stored, so a copy of all columns is never made.
#include "rows/preparation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "kernels/dense_product.hpp"
#include "rows/completion.hpp"
#include "rows/gather.hpp"
#include "rows/kinds.hpp"
#include "rows/metric.hpp"
#include "rows/unit_norm.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlockRows = kProductRows;

// Everything up to the directions, for one row.
void prepare_dense_row(const Preparation& preparation, MatrixView rows, std::size_t row,
                       float* out) {
  copy_row(rows, row, out);
  weigh_row(preparation.weights, {}, std::span(out, rows.columns()));
  scale_row(preparation.scaler, out, rows.columns());
  for (std::size_t j = 0; j < preparation.fill.size(); ++j) {
    if (std::isnan(out[j])) out[j] = static_cast<float>(preparation.fill[j]);
  }
}

void prepare_sparse_row(const Preparation& preparation, std::span<const std::uint32_t> columns,
                        std::span<float> values) {
  weigh_row(preparation.weights, columns, values);
  change_row(preparation.scaler.metric, values.data(), values.size());
}

Matrix prepare_dense(const Preparation& preparation, MatrixView rows, Job& job) {
  Matrix prepared(rows.rows(), rows.columns());
  job.parallel(blocks(rows.rows(), kBlockRows), [&](std::size_t task, unsigned) {
    const std::size_t end = std::min(rows.rows(), (task + 1) * kBlockRows);
    for (std::size_t i = task * kBlockRows; i < end; ++i) {
      prepare_dense_row(preparation, rows, i, prepared.mutable_row<float>(i));
    }
  });
  return prepared;
}

SparseMatrix prepare_sparse(const Preparation& preparation, SparseView rows) {
  std::vector<std::uint32_t> all(rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  SparseMatrix prepared = gather_rows(rows, all);
  for (std::size_t i = 0; i < prepared.rows(); ++i) {
    prepare_sparse_row(
        preparation, rows.indices(i),
        std::span(prepared.values)
            .subspan(prepared.starts[i], prepared.starts[i + 1] - prepared.starts[i]));
  }
  return prepared;
}

// What `Coordinates` does for one block of rows.
void block_coordinates(const Preparation& preparation, const Coordinates& coordinates,
                       const Completion* completion, RowsView block, float* out) {
  const std::size_t count = coordinates.count();
  if (block.is_sparse()) {
    std::vector<float> values;
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const auto given = block.sparse().values(i);
      values.assign(given.begin(), given.end());
      prepare_sparse_row(preparation, block.sparse().indices(i), values);
      coordinates.of_sparse(block.sparse().indices(i), values, out + i * count);
    }
  } else {
    std::vector<float> cells(block.rows() * block.columns());
    for (std::size_t i = 0; i < block.rows(); ++i) {
      float* const row = cells.data() + i * block.columns();
      prepare_dense_row(preparation, block.dense(), i, row);
      if (completion != nullptr) completion->complete(row);
    }
    coordinates.of_dense(cells.data(), block.rows(), block.columns(), out);
  }
  if (compared_by(preparation.scaler.metric) != Metric::cosine) return;
  for (std::size_t i = 0; i < block.rows(); ++i) scale_to_unit_norm(out + i * count, count);
}

Matrix prepare_coordinates(const Preparation& preparation, RowsView rows, Job& job) {
  const Coordinates coordinates(preparation.directions, rows.is_sparse());
  std::optional<Completion> completion;
  if (preparation.partial) completion.emplace(preparation.directions);
  Matrix prepared(rows.rows(), coordinates.count());
  job.parallel(blocks(rows.rows(), kBlockRows), [&](std::size_t task, unsigned) {
    const std::size_t first = task * kBlockRows;
    block_coordinates(preparation, coordinates, completion ? &*completion : nullptr,
                      rows.slice(first, std::min(kBlockRows, rows.rows() - first)),
                      prepared.mutable_row<float>(first));
  });
  return prepared;
}

}  // namespace

Rows as_worked_on(RowsView rows, bool sparse, Metric metric) {
  return metric == Metric::precomputed ? Rows::borrow(rows) : as_kind(sparse, rows);
}

Preparation make_preparation(RowsView rows, const ColumnStatistics& statistics,
                             const FitOptions& options, Job& job) {
  Preparation preparation;
  preparation.sparse = rows.is_sparse();
  preparation.partial = options.missing == MissingValues::partial;
  preparation.weights = find_weights(rows, options.weighting, job);
  preparation.scaler = make_scaler(statistics, options.scale, options.metric, options.blocks);
  if (options.metric == Metric::precomputed) {
    const auto columns = static_cast<std::uint32_t>(rows.columns());
    preparation.drawn =
        draw_columns(options.seed, columns, codes_of_distances(*options.clusterings),
                     std::min(columns, options.centroids.value_or(std::max(1U, columns / 2))));
  }
  const std::uint32_t wanted = options.directions.count_or(0);
  if (wanted == 0) return preparation;
  const Rows sample = gather(rows, direction_sample(rows.rows(), rows.is_sparse()));
  const Rows prepared = prepare_rows(preparation, sample, job);
  preparation.directions = find_directions(prepared, wanted, compared_by(options.metric), job);
  return preparation;
}

Rows prepare_rows(const Preparation& preparation, RowsView rows, Job& job) {
  require_values_for(preparation.scaler.metric, rows);
  if (preparation.is_identity()) return Rows::borrow(rows);
  if (!preparation.drawn.empty()) return nearest_drawn(preparation.drawn, rows, job);
  require_counts(rows, preparation.weights.weighting);
  if (!preparation.directions.empty()) return prepare_coordinates(preparation, rows, job);
  if (rows.is_sparse()) return prepare_sparse(preparation, rows.sparse());
  return prepare_dense(preparation, rows.dense(), job);
}

std::uint64_t preparing_bytes(const PreparingSizes& sizes) {
  if (sizes.directions == 0) return 0;
  const std::uint64_t sample = std::min<std::uint64_t>(sizes.rows, direction_rows(sizes.sparse));
  // The sample as it was given, prepared, and centred or transposed; and what the search takes.
  const std::uint64_t copies = (sizes.changes_values ? 2 : 1) + (sizes.partial ? 1 : 0);
  return sample * (sizes.given_row_bytes + copies * sizes.worked_row_bytes) +
         find_directions_bytes(sample, sizes.columns, sizes.directions);
}

}  // namespace mbn
