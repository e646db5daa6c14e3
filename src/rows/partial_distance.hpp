// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <mbn/matrix.hpp>

namespace mbn {

/// The squared Euclidean distance of a row `x` to another row `w` where cells may be missing (NaN):
/// columns that both have count their squared difference, columns that x has and w lacks count
/// `expected`, and columns that x lacks count nothing. In double, summed in the order of `distance`
/// (rows/metric.hpp): the same to the last bit for rows without missing cells. A row is never
/// farther from itself than from another.
double partial_distance(const float* x, const float* w, const double* expected, std::size_t count);

/// For each column the variance of the cells that are there: what a row differs from the mean, and
/// half of what two rows differ on average. Neighbours differ less.
std::vector<double> expected_differences(MatrixView rows);

}  // namespace mbn
