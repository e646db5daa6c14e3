// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

namespace mbn {

struct LayerInfo {
  std::uint32_t centroids = 0;  ///< drawn rows per clustering
  std::uint32_t features = 0;   ///< drawn features per clustering
  std::uint64_t kept_rows = 0;  ///< rows that at least one clustering drew
  std::uint64_t bytes = 0;      ///< in memory
};

/// What a fit will build and take, known from the shape of the data alone.
struct Plan {
  std::vector<LayerInfo> layers;  ///< bottom first; kept_rows is an upper bound
  std::uint32_t components = 0;
  std::uint32_t clusterings = 0;  ///< per layer
  std::uint32_t directions = 0;   ///< in the place of columns; 0: none
  std::uint64_t model_bytes = 0;  ///< upper bound of the model in memory
  std::uint64_t file_bytes = 0;   ///< upper bound of its file, where codes and draws are packed
  std::uint64_t peak_bytes = 0;   ///< data, model and work space together, at the peak
  /// The same when rows outside the pool are not held in memory but read in batches (TableStream).
  std::uint64_t streaming_bytes = 0;
  std::uint64_t batch_rows = 0;  ///< rows that are worked on at a time
  /// Estimated time of the fit and of sending all rows through the network, rough: the constants
  /// were measured on cores of the year 2021.
  double fit_seconds = 0;
};

/// InvalidArgument when the options do not fit the data (more clusters or centroids than rows,
/// ...), MemoryLimitExceeded when even the smallest batch does not fit.
Plan plan(Shape data, const FitOptions& options, const RunOptions& run = {});
/// The same for the rows themselves: counts nonzeros, so it knows the size of compressed rows.
Plan plan(RowsView rows, const FitOptions& options, const RunOptions& run = {});

/// Bytes that this process could still allocate: what the system calls available, or less when the
/// process runs in a container with a limit of its own. 0 when the system does not tell.
std::uint64_t available_memory();

}  // namespace mbn
