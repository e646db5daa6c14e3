// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <mbn/matrix.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// Whether a file's ending is that of a list of vectors, as sets for nearest-neighbour search have
/// them: .fvecs (float32), .bvecs (uint8), .ivecs (int32). Their bytes cannot tell.
bool is_vecs_ending(std::string_view ending);

/// The vectors as rows, all of the same length. FormatError otherwise.
Matrix read_vecs(const MemorySource& source, std::string_view ending, bool* has_nan = nullptr);

}  // namespace mbn
