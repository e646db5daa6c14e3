// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <mbn/options.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// What a metric makes of a row by itself, before rows are compared: norm 1 for the cosine, mean 0
/// and norm 1 for correlation, square roots of shares for Hellinger's distance, ones in the place
/// of nonzeros for Jaccard's. Part of how rows are prepared (rows/preparation.hpp).
constexpr bool changes_rows(Metric metric) {
  return metric == Metric::cosine || metric == Metric::correlation || metric == Metric::hellinger ||
         metric == Metric::jaccard;
}

/// Changes all values of a row. Those of a sparse row may be given without its zeros, but not for
/// correlation, which needs them.
void change_row(Metric metric, float* values, std::size_t count);

/// Throws InvalidArgument that names the first value below 0, if the metric is not for such values.
void require_values_for(Metric metric, RowsView rows);

/// Whether columns may be scaled first. Not for metrics of counts, sets and categories: scaling
/// makes values below 0, and other zeros than those of the data.
constexpr bool allows_scale(Metric metric) {
  return metric == Metric::euclidean || metric == Metric::cosine || metric == Metric::correlation ||
         metric == Metric::manhattan;
}

}  // namespace mbn
