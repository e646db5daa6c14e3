// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// The nearest rows of some queries, row-major: queries x neighbours, nearest first.
struct NearestRows {
  std::vector<std::uint32_t> rows;
  Matrix distances;
};

/// Finds the rows of an embedding or a map that are nearest to others, by the Euclidean distance,
/// exactly. Ties go to the lower row. For few columns it takes time that grows as the logarithm of
/// the rows. It never changes; copies share it; it may be asked from many threads at once.
class Neighbours {
 public:
  /// InvalidArgument when a cell is not finite.
  explicit Neighbours(MatrixView rows);

  std::size_t rows() const;
  std::size_t columns() const;

  /// InvalidArgument when `count` is not from 1 to rows(), or the columns differ.
  NearestRows find(MatrixView queries, std::uint32_t count, const RunOptions& run = {}) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace mbn
