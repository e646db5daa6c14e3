// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <mbn/codes.hpp>
#include <mbn/options.hpp>
#include <mbn/sparse.hpp>

#include "bottom/draws.hpp"
#include "map/map_data.hpp"
#include "neighbours/ranking_directions.hpp"
#include "store/tensor_file.hpp"

namespace mbn {

/// Checks of what stands in tensors whose shapes are known to be right. Each throws FormatError
/// that names the file, the tensor, the place and the value. `layer` is the tensors' prefix.

/// Nothing that a trained network has decided is left open, and the metric suits the preparation.
void check_options(const TensorReader& file, const FitOptions& options);

/// Every number is finite.
void check_finite(const TensorReader& file, const std::string& tensor,
                  std::span<const float> values);
void check_finite(const TensorReader& file, const std::string& tensor,
                  std::span<const double> values);

/// Every cell is finite; with `partial` NaN, but not a whole row of it, is taken too.
void check_cells(const TensorReader& file, const std::string& tensor, MatrixView rows,
                 bool partial);

/// Every vote is a share.
void check_votes(const TensorReader& file, const Matrix& votes);

/// The four or five numbers of 'bottom.search' are settings that a walk can have.
void check_walk(const TensorReader& file, std::span<const double> values, std::uint64_t kept_rows);

/// The drawn rows of a clustering are different kept rows, and every kept row was drawn by at least
/// one clustering; drawn columns ascend and are columns of the layer's input.
void check_draws(const TensorReader& file, const std::string& layer, const Draws& draws,
                 std::uint64_t kept_rows, std::uint64_t input_columns);

/// Centre and directions from the numbers of 'bottom.directions', in rows of so many columns.
RankingDirections ranking_directions_from(const TensorReader& file, std::span<const float> values,
                                          std::uint64_t columns);

/// Columns ascend within each row and are columns of the data; every value is finite.
void check_sparse(const TensorReader& file, const std::string& tensor, const SparseMatrix& rows);

/// The factors and the number of directions are such as a fit makes.
void check_joint_space(const TensorReader& file, const JointSpace& space);

/// Every code is below the number of centroids it counts.
void check_codes(const TensorReader& file, const std::string& tensor, const CodeMatrix& codes);

}  // namespace mbn
