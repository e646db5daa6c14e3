// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include <mbn/input.hpp>

namespace mbn {

/// The three files that hold counts of genes in cells, as 10x Genomics' programs write them.
struct TenXFiles {
  std::filesystem::path matrix;    ///< Matrix Market, genes x cells
  std::filesystem::path barcodes;  ///< a line for each cell
  std::filesystem::path features;  ///< a line for each gene
};

/// The files in a folder, or beside a file whose name ends in `matrix.mtx` (`.gz`); nothing when
/// they are not there. What stands before `matrix` in the name (GSM123_) stands before all.
std::optional<TenXFiles> find_ten_x(const std::filesystem::path& path);

/// Cells as rows, with barcodes as ids and genes as columns.
Table read_ten_x(const TenXFiles& files);

}  // namespace mbn
