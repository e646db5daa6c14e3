// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// Whether bytes begin like HDF5, or like MATLAB's files of version 7.3, which are HDF5.
bool is_hdf5(std::span<const std::byte> start);

/// AnnData's `.h5ad` (`X`, or another matrix by `array`: layers/counts, raw/X, obsm/X_pca), 10x's
/// feature-barcode matrices, MATLAB 7.3, or an array of any other file by its path. FormatError in
/// a build without libhdf5, with a line that converts the file.
Table read_hdf5(const MemorySource& source, const std::string& array, bool* has_nan = nullptr);

}  // namespace mbn
