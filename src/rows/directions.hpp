// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "base/large_array.hpp"

namespace mbn {

/// Principal directions of the training rows, largest variance first. The network works on the
/// coordinates of a row along them instead of its columns. Part of the model.
struct Directions {
  Matrix basis;                  ///< columns x directions, orthonormal, float32; no rows: none
  std::vector<float> centre;     ///< [column] subtracted first; empty when nothing is
  std::vector<double> variance;  ///< along each direction, on the sample
  double total_variance = 0;     ///< along all

  std::uint32_t count() const { return static_cast<std::uint32_t>(variance.size()); }
  bool empty() const { return variance.empty(); }
  std::uint64_t bytes() const {
    return basis.shape().bytes() + (centre.size() + 2 * variance.size()) * sizeof(float);
  }
};

/// Rows that directions are found on, at most. More of sparse rows, whose words are rare, and which
/// cost less.
constexpr std::size_t direction_rows(bool sparse) {
  return sparse ? 65536 : 8192;
}

/// The numbers of the rows that directions are found on: all, or some at random (the same for every
/// seed of the network).
std::vector<std::uint32_t> direction_sample(std::size_t rows, bool sparse);

/// Finds `count` directions of the rows, or fewer when there is no more variance. For Euclidean
/// distance the rows are centred; for cosine they are not, because angles are about the origin.
/// Sparse rows are never made dense. Missing cells (NaN) of dense rows are completed by the
/// directions, a few times in turn; such rows must be for Euclidean distance. Depends on the
/// arguments only, not on the number of threads.
Directions find_directions(RowsView sample, std::uint32_t count, Metric metric, Job& job);

/// Bytes that `find_directions` takes besides copies of the sample.
std::uint64_t find_directions_bytes(std::uint64_t sample_rows, std::uint64_t columns,
                                    std::uint64_t count);

/// Computes coordinates along directions. A row gives the same bytes alone and among others. Dense
/// and sparse rows differ in the last bits: a model takes always the same kind. A work space for
/// one thread at a time is made in each call.
class Coordinates {
 public:
  /// Made for sparse or for dense rows: only what that kind needs.
  Coordinates(const Directions& directions, bool sparse);

  std::size_t count() const { return count_; }
  /// Of `count` dense rows with the given stride between them, which are overwritten.
  void of_dense(float* rows, std::size_t row_count, std::size_t stride, float* out) const;
  void of_sparse(std::span<const std::uint32_t> indices, std::span<const float> values,
                 float* out) const;

 private:
  const Directions& directions_;
  std::size_t count_;
  LargeArray<float> packed_;     // the basis, as kernels/dense_product.hpp wants it
  std::vector<double> offsets_;  // of the centre along each direction
};

}  // namespace mbn
