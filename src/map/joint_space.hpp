// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <mbn/matrix.hpp>
#include <mbn/message.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "map/map_data.hpp"
#include "rows/metric.hpp"

namespace mbn {

/// Directions of prepared rows that the map looks at, at most, where it takes directions of its
/// own.
inline constexpr std::uint64_t kMapDirections = 50;

/// What becomes of prepared rows in the input's half, because it is compared by Euclidean distance:
/// what the returned metric makes of a row (rows/row_change.hpp). Euclidean: nothing.
///  - chi-squared: square roots of shares, whose distance is near to it;
///  - Jaccard: norm 1, so that common columns count more in small sets than in large ones.
constexpr Metric map_change(Metric metric) {
  if (metric == Metric::chi_squared) return Metric::hellinger;
  return metric == Metric::jaccard ? Metric::cosine : Metric::euclidean;
}
/// The metric that directions of the input's half are found for.
constexpr Metric map_compared_by(Metric metric) {
  if (metric == Metric::jaccard) return Metric::cosine;
  return has_dot_form(metric) ? compared_by(metric) : Metric::euclidean;
}
/// Whether there is such a half: codes have no place in a Euclidean space.
constexpr bool map_sees_input(Metric metric) {
  return compared_by(metric) != Metric::hamming;
}
/// Sets what a space needs to know of the metric.
inline void set_metric(JointSpace& space, Metric metric) {
  space.input.scaler.metric = map_change(metric);
  space.sees_input = map_sees_input(metric);
}
/// A note for the user when the map compares rows by something else than the metric.
std::optional<Message> map_note(Metric metric);

/// Learns the input's half and both factors from the prepared kept rows and their components. The
/// projection is left to the caller. `as_columns`: the rows are columns of a table, not coordinates
/// along directions, and the network's half counts less. With `partial`, rows may have missing
/// cells (NaN): those are completed where directions are taken, and filled with the means of the
/// kept rows elsewhere.
JointSpace fit_joint_space(RowsView kept, bool as_columns, MatrixView components, Metric metric,
                           bool partial, Job& job);

/// How missing cells of the input's half are filled: sets `partial` and `fill` of its preparation,
/// which has its directions already. For a space that was read from a file too.
void fill_missing_cells(MatrixView kept, Preparation& input);

/// Rows of the joint space. `prepared` are rows as the bottom layer sees them. A row gives the same
/// bytes alone and among others; zeros are never negative, so equal rows have equal bytes.
Matrix joint_rows(const JointSpace& space, RowsView prepared, MatrixView components, Job& job);

/// Columns of the joint space for prepared rows of this kind.
std::uint64_t joint_columns(std::uint64_t prepared_columns, bool sparse, std::uint64_t components,
                            Metric metric = Metric::euclidean);

}  // namespace mbn
