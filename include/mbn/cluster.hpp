// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

namespace mbn {

struct KMeansOptions {
  std::uint32_t clusters = 2;
  /// Starts (k-means++). The run with the lowest objective wins, the first of ties. More starts
  /// find a lower objective; time grows in proportion.
  std::uint32_t restarts = 50;
  std::uint32_t max_iterations = 300;
  std::uint64_t seed = 0;
};

struct KMeans {
  Matrix centres;                    ///< clusters x columns, float32
  std::vector<std::int32_t> labels;  ///< 0 is the largest cluster; ties by first row
  double objective = 0;              ///< sum of squared distances to the centres
  std::uint32_t iterations = 0;      ///< of the winning run
};

/// Lloyd's k-means on rows. The same answer for any number of threads. `clusters` beyond the number
/// of rows is InvalidArgument; beyond the number of *different* rows, the surplus clusters are
/// empty copies of other centres.
KMeans kmeans(MatrixView rows, const KMeansOptions& options, const RunOptions& run = {});

/// The nearest centre of each row, ties to the lower number.
std::vector<std::int32_t> nearest_centres(MatrixView rows, MatrixView centres,
                                          const RunOptions& run = {});

}  // namespace mbn
