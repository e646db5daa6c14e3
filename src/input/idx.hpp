// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// True for the first bytes of an IDX file (the format of MNIST).
bool is_idx(std::span<const std::byte> start);

/// `pictures`, when given, is set to what shape the rows have as pictures, and `has_nan` to whether
/// some cells are NaN.
Matrix read_idx(ByteSource& source, PictureShape* pictures = nullptr, bool* has_nan = nullptr);
Labels read_idx_labels(ByteSource& source);

}  // namespace mbn
