// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <mbn/input.hpp>

namespace mbn {

/// The pictures in a folder and below it as rows of bytes, in the order of their paths, which are
/// the ids. Files of other kinds are left out with a note. IoError when there is no picture; a
/// FormatError names one that cannot be read.
Table read_picture_folder(const std::filesystem::path& folder, const ReadOptions& options);

}  // namespace mbn
