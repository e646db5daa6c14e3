// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/matrix.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "map/map_data.hpp"

namespace mbn {

/// Directions of prepared rows that the map looks at, at most, where it takes directions of its
/// own.
inline constexpr std::uint64_t kMapDirections = 50;

/// Learns the input's half and both factors from the prepared kept rows and their components. The
/// projection is left to the caller. With `partial`, rows may have missing cells (NaN): those are
/// completed where directions are taken, and filled with the means of the kept rows elsewhere.
JointSpace fit_joint_space(RowsView kept, MatrixView components, Metric metric, bool partial,
                           Job& job);

/// How missing cells of the input's half are filled: sets `partial` and `fill` of its preparation,
/// which has its directions already. For a space that was read from a file too.
void fill_missing_cells(MatrixView kept, Preparation& input);

/// Rows of the joint space. `prepared` are rows as the bottom layer sees them. A row gives the same
/// bytes alone and among others; zeros are never negative, so equal rows have equal bytes.
Matrix joint_rows(const JointSpace& space, RowsView prepared, MatrixView components, Job& job);

/// Columns of the joint space for prepared rows of this kind.
std::uint64_t joint_columns(std::uint64_t prepared_columns, bool sparse, std::uint64_t components);

}  // namespace mbn
