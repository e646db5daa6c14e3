// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/matrix.hpp>

#include "base/job.hpp"

namespace mbn {

/// Where few rows of the joint space stand before they are laid out: along their first principal
/// directions, the network's half counting twice. `components`: the last so many columns are the
/// network's. Does not depend on the number of threads.
Matrix start_along_directions(const Matrix& joint, std::size_t components, std::uint32_t dimensions,
                              std::uint64_t seed, Job& job);

/// Where many stand: their first components, of the rows with these numbers.
Matrix start_along_components(MatrixView components, std::span<const std::uint32_t> numbers,
                              std::uint32_t dimensions, std::uint64_t seed);

/// Bytes that it takes besides the places.
std::uint64_t start_along_directions_bytes(std::uint64_t rows, std::uint64_t joint_columns);

}  // namespace mbn
