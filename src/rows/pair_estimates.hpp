// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

#include "base/large_array.hpp"

namespace mbn {

/// Kept rows, or rows, on some columns, as `estimate_pairs` wants them. Work space that can be
/// filled again.
struct PackedKept {
  LargeArray<float> panels;
  std::vector<float> sizes;  ///< nonzeros of each row; Jaccard only
  float largest = 0;         ///< absolute value
  std::size_t rows = 0;
};
struct PlainRows {
  LargeArray<float> cells;  ///< rows x columns
  std::vector<float> sizes;
  float largest = 0;
  std::size_t rows = 0;
};

/// Estimates of the distances of rows/metric.hpp for the metrics without inner products, in
/// float32: by blocks of rows and kept rows, on columns that the caller chooses.
class PairEstimates {
 public:
  explicit PairEstimates(Metric metric) : metric_(metric) {}

  /// Gathers rows by their numbers on some columns.
  void gather(MatrixView rows, std::span<const std::uint32_t> numbers,
              std::span<const std::uint32_t> columns, PackedKept& kept) const;
  /// Gathers all rows on some columns.
  void gather(MatrixView rows, std::span<const std::uint32_t> columns, PlainRows& plain) const;

  /// out[i * stride + j] for row i and kept row j; `stride` is at least kept rows, rounded up to
  /// panels. An estimate depends on its two rows only, and is the same on every processor.
  void estimate(const PlainRows& rows, const PackedKept& kept, std::size_t columns, float* out,
                std::size_t stride) const;

  /// A distance d has an estimate from d (1 - error) to d (1 + error), besides an absolute error of
  /// `tiny`. 0: equal distances have equal estimates, and a larger distance a larger one. 1 or
  /// more: there is no bound.
  struct Error {
    double relative = 0;
    double tiny = 0;
  };
  Error error(const PlainRows& rows, const PackedKept& kept, std::size_t columns) const;

 private:
  void load(MatrixView rows, std::size_t row, std::span<const std::uint32_t> columns, float* cells,
            float& largest) const;

  Metric metric_;
};

}  // namespace mbn
