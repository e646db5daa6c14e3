// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

bool is_zip(std::span<const std::byte> start);

/// One array of a `.npz` file, which is a zip archive of `.npy` files. `array` names it; empty
/// takes X, data, arr_0 or the only one there is. When the archive is a SciPy sparse matrix (csr or
/// csc) and no array is named, its sparse rows. `has_nan`, when given, is set as
/// by `read_npy`.
Table read_npz(const MemorySource& source, const std::string& array, bool* has_nan = nullptr);

}  // namespace mbn
