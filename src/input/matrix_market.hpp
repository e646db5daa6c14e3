// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

bool is_matrix_market(std::span<const std::byte> start);

/// Sparse rows from a Matrix Market file in coordinate format: real, integer or pattern; general,
/// symmetric or skew-symmetric.
SparseMatrix read_matrix_market(ByteSource& source);

}  // namespace mbn
