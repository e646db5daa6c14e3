// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mbn {

/// How often each cluster meets each class. Labels are numbered anew, 0, 1, ... in ascending order
/// of their values, and only pairs that occur are kept: memory grows with the rows, not with
/// clusters x classes.
struct Contingency {
  struct Cell {
    std::uint32_t cluster = 0;
    std::uint32_t truth = 0;
    std::uint64_t count = 0;

    bool operator==(const Cell&) const = default;
  };

  std::size_t rows = 0;
  std::vector<std::uint64_t> cluster_sizes;
  std::vector<std::uint64_t> class_sizes;
  std::vector<Cell> cells;  ///< by cluster, then by class; no empty ones

  /// Clusters and classes are the same groups of rows under different names.
  bool same_partition() const {
    return cells.size() == cluster_sizes.size() && cells.size() == class_sizes.size();
  }
};

/// InvalidArgument when the two differ in size or are empty.
Contingency count_pairs(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth);

}  // namespace mbn
