// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

#include "base/job.hpp"
#include "rows/kinds.hpp"
#include "rows/row_change.hpp"

namespace mbn {

/// (x - shift) * factor for each column when there is a scale, then what the metric makes of a row
/// (rows/row_change.hpp). Part of the model.
struct Scaler {
  Scale scale = Scale::none;
  Metric metric = Metric::euclidean;
  std::vector<double> shift;   ///< one per column; empty when scale is none
  std::vector<double> factor;  ///< one per column; empty when scale is none

  /// Whether rows pass unchanged, so that they need not be copied.
  bool is_identity() const { return scale == Scale::none && !changes_rows(metric); }
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

/// One pass over the rows, the same sums for any number of threads. Missing cells (NaN) are left
/// out.
ColumnStatistics column_statistics(RowsView rows, Job& job);

/// The columns of a block, levels of one category, get one factor: with Scale::standard the one
/// that makes the sum of their variances 1, so that the category weighs like one column of numbers;
/// with Scale::minmax the one that puts two levels at distance 1.
Scaler make_scaler(const ColumnStatistics& statistics, Scale scale, Metric metric,
                   std::span<const ColumnBlock> blocks = {});

/// Scales one row in place, and changes it as the metric wants it.
void scale_row(const Scaler& scaler, float* row, std::size_t columns);

/// Throws InvalidArgument that names the row and column, counted from 0, of a value that is not
/// finite.
[[noreturn]] void refuse_cell(std::size_t row, std::size_t column, float value);

/// Throws InvalidArgument that names row and column of the first value that is not finite, or the
/// row of sparse rows whose columns are not ascending.
void require_finite(RowsView rows, Job& job);

/// A note for the user when at most a tenth of the columns have nine tenths of the variance,
/// because these columns then dominate every distance; nothing otherwise.
std::optional<Message> dominance_note(const ColumnStatistics& statistics);

}  // namespace mbn
