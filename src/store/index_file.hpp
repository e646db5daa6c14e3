// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "search/index_data.hpp"
#include "store/tensor_file.hpp"

namespace mbn {

/// An index in the layout of a model file, with the kind "index". Reading makes all checks, also
/// that the parts fit each other: FormatError when anything in the file could not be used as it is.
void write_index_file(const std::filesystem::path& path, const IndexData& index, bool overwrite);
IndexData read_index_file(const std::filesystem::path& path);

/// From an open file.
IndexData read_index(const TensorReader& file);

}  // namespace mbn
