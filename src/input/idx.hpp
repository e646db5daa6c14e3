// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// True for the first bytes of an IDX file (the format of MNIST).
bool is_idx(std::span<const std::byte> start);

Matrix read_idx(ByteSource& source);
Labels read_idx_labels(ByteSource& source);

}  // namespace mbn
