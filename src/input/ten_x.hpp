// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

/// The symbols of genes, each given with its id; the id where several genes have the same symbol,
/// or none.
std::vector<std::string> gene_names(const std::vector<std::array<std::string, 2>>& genes);

/// Cells as rows, with barcodes as ids and genes as columns.
Table read_ten_x(const TenXFiles& files);

}  // namespace mbn
