// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "rows/directions.hpp"
#include "rows/nearest_drawn.hpp"
#include "rows/scaler.hpp"
#include "rows/weights.hpp"

namespace mbn {

/// What happens to every row before the network sees it, in this order: counts become weights,
/// columns are scaled, the metric changes rows (norm 1 for cosine; rows/row_change.hpp), and
/// coordinates along the directions take the place of the columns (of norm 1 again for cosine).
/// Distances to training rows become codes instead, and nothing else happens to them.
/// Missing cells (NaN) pass the scaler as they are. Part of the model.
struct Preparation {
  Weights weights;
  Scaler scaler;
  Directions directions;
  DrawnColumns drawn;  ///< Metric::precomputed only
  bool sparse =
      false;  ///< rows come as sparse rows; what comes out is dense if there are directions
  bool partial = false;  ///< cells may be missing; with directions they are completed
  /// [column] what stands for missing cells where there are no directions; empty: they stay NaN.
  std::vector<double> fill{};

  /// Whether rows pass unchanged, so that they need not be copied.
  bool is_identity() const {
    return weights.is_identity() && scaler.is_identity() && directions.empty() && fill.empty() &&
           drawn.empty();
  }
  /// Columns of prepared rows, for rows of so many.
  std::uint64_t columns_of(std::uint64_t given) const {
    if (!drawn.empty()) return drawn.clusterings;
    return directions.empty() ? given : directions.count();
  }
  std::uint64_t bytes() const {
    return (weights.frequency.size() + scaler.shift.size() + scaler.factor.size()) *
               sizeof(double) +
           directions.bytes() + drawn.bytes();
  }
};

/// Rows as they are worked on: compressed or not, as `sparse` says. But distances stay as they
/// came: what is not stored of them is not known, and not 0.
Rows as_worked_on(RowsView rows, bool sparse, Metric metric);

/// Learns from the training rows what preparing them needs. `options` are settled: the number of
/// directions is a number or none.
Preparation make_preparation(RowsView rows, const ColumnStatistics& statistics,
                             const FitOptions& options, Job& job);

/// The prepared rows: float32, or `rows` themselves when nothing is to be done; they must then
/// outlive the result. `rows` are sparse just when the preparation says so. InvalidArgument when a
/// value is not a count and the weighting needs counts, or below 0 and the metric is not for such.
Rows prepare_rows(const Preparation& preparation, RowsView rows, Job& job);

struct PreparingSizes {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t given_row_bytes;   ///< what a row takes on average, as it was given
  std::uint64_t worked_row_bytes;  ///< in float32, or compressed
  bool sparse;
  bool changes_values;  ///< by weights, a scaler or unit norm
  bool partial;         ///< cells may be missing
  std::uint32_t directions;
};

/// Bytes that `make_preparation` takes while it works.
std::uint64_t preparing_bytes(const PreparingSizes& sizes);

}  // namespace mbn
