// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

#include "base/job.hpp"
#include "rows/kinds.hpp"

namespace mbn {

/// The preparation of every row before the network sees it: (x - shift) * factor for each column
/// when there is a scale, then unit norm when the metric is cosine. Part of the model.
struct Scaler {
  Scale scale = Scale::none;
  Metric metric = Metric::euclidean;
  std::vector<double> shift;   ///< one per column; empty when scale is none
  std::vector<double> factor;  ///< one per column; empty when scale is none

  /// Whether rows pass unchanged, so that they need not be copied.
  bool is_identity() const { return scale == Scale::none && metric == Metric::euclidean; }
  static constexpr std::uint64_t bytes(std::uint64_t columns) {
    return 2 * columns * sizeof(double);
  }
  bool operator==(const Scaler&) const = default;
};

struct ColumnStatistics {
  std::vector<double> mean;
  std::vector<double> variance;  ///< divisor rows
  std::vector<double> minimum;
  std::vector<double> maximum;
};

/// One pass over the rows, the same sums for any number of threads.
ColumnStatistics column_statistics(RowsView rows, Job& job);

Scaler make_scaler(const ColumnStatistics& statistics, Scale scale, Metric metric);

/// The prepared rows, float32. When the scaler is the identity, a view of `rows`, which must then
/// outlive it.
Matrix prepare(const Scaler& scaler, MatrixView rows, Job& job);

/// The same for dense or sparse rows, which keep their kind. Throws InvalidArgument when sparse
/// rows are to be scaled.
Rows prepare_rows(const Scaler& scaler, RowsView rows, Job& job);

/// Throws InvalidArgument that names row and column of the first value that is not finite, or the
/// row of sparse rows whose columns are not ascending.
void require_finite(RowsView rows, Job& job);

/// A note for the user when at most a tenth of the columns have nine tenths of the variance,
/// because these columns then dominate every distance; nothing otherwise.
std::optional<Message> dominance_note(const ColumnStatistics& statistics);

}  // namespace mbn
