// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/operator.hpp"

namespace mbn::pca {

/// Orthonormal principal directions of an operator, with the sum of squares along each, largest
/// first.
struct PrincipalAxes {
  Block directions;
  Eigen::VectorXd scatter;
};

/// The principal directions within the span of `directions`.
PrincipalAxes principal_axes(const Operator& matrix, Block directions);

/// About the first `wanted` principal directions of the whole operator, in little time, by
/// randomised subspace iteration: the leading ones to many digits, the last ones less so.
/// Directions without any variance are left out, so there may be fewer. The same bytes for any
/// number of threads.
PrincipalAxes leading_axes(const Operator& matrix, std::size_t wanted);

/// Bytes that `leading_axes` takes besides the operator.
std::uint64_t leading_axes_bytes(std::uint64_t rows, std::uint64_t entries, std::uint64_t wanted);

}  // namespace mbn::pca
