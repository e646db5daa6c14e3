// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"

namespace mbn {

/// Cells without a value are NaN, in dense rows of floats.
bool has_missing(const float* row, std::size_t columns);
bool has_missing(MatrixView rows, std::size_t row);
bool has_missing(RowsView rows);

/// Throws InvalidArgument that names row and column of the first value that is not finite. With
/// MissingValues::partial NaN is taken, but not a row without any value, nor sparse rows.
void require_values(RowsView rows, MissingValues missing, Job& job);

/// The same for training rows, of which every column must have a value in some row.
void require_training_values(RowsView rows, MissingValues missing, Job& job);

/// Mean and variance of the cells of each column that are there; 0 where there are none. Sums are
/// in the order of the rows.
struct CellMoments {
  std::vector<double> mean;
  std::vector<double> variance;
};
CellMoments moments_of_cells(MatrixView rows);

}  // namespace mbn
