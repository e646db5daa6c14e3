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

/// What is done to every row before the network sees it: (x - shift) * factor per column when there
/// is a scale, then unit length when the metric is cosine. Part of the model.
struct Scaler {
  Scale scale = Scale::none;
  Metric metric = Metric::euclidean;
  std::vector<double> shift;   ///< one per column; empty when scale is none
  std::vector<double> factor;  ///< one per column; empty when scale is none

  /// Rows pass unchanged, so their own memory can be used.
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

/// The prepared rows, float32; or, when the scaler is the identity, a matrix that looks at `rows`
/// themselves, which must outlive it.
Matrix prepare(const Scaler& scaler, MatrixView rows, Job& job);

/// The same for rows of either kind, which keep their kind. Sparse rows cannot be scaled.
Rows prepare_rows(const Scaler& scaler, RowsView rows, Job& job);

/// Throws InvalidArgument that names row and column of the first cell that is not finite, or the
/// row of sparse rows that is not in order.
void require_finite(RowsView rows, Job& job);

/// A sentence for the user when few columns carry nearly all of the variance, which drowns the
/// others in any distance (and names them); nothing otherwise.
std::optional<Message> dominance_note(const ColumnStatistics& statistics);

}  // namespace mbn
