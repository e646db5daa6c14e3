// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

#include "kernels/masked_sums.hpp"

namespace mbn {

/// An interval that contains a distance. Equal ends: the distance is known exactly.
struct DistanceRange {
  double low = 0;
  double high = 0;
};

/// Distances between one row and one kept row at a time, on the drawn features of many clusterings.
/// `feature_masks` are those of a DrawnIndex and must outlive it. A work space: one for each
/// thread.
class PairSums {
 public:
  PairSums(Metric metric, std::size_t input_features, std::size_t drawn_features,
           std::size_t clusterings, const std::uint8_t* feature_masks);

  /// Sets the row. For cosine also finds its norm in every clustering.
  void set_row(MatrixView rows, std::size_t row);
  /// Whether the row is zero on all features that a clustering drew (cosine only; else false).
  bool zero_row(std::size_t clustering) const { return zero_[clustering] != 0; }

  /// The norm of the row on all features (cosine only; else 0).
  double row_norm() const { return row_norm_; }

  /// Sets the kept row.
  void set_kept_row(MatrixView kept, std::size_t kept_row);
  /// The standard deviation of the distance between the two rows over random draws of features
  /// (sums of terms only; infinite where it is not known). `full_distance` is their distance on all
  /// features.
  double scatter(double full_distance) const;
  /// Their distances in the `chosen` clusterings; valid until the next call. Clusterings whose
  /// distance certainly exceeds `limits[clustering]` may be removed from `chosen` first.
  std::span<const DistanceRange> distances(std::vector<std::uint32_t>& chosen,
                                           const std::vector<double>& limits);

  /// The value that the closing rule of the walk compares, at least 0: the distance of
  /// rows/metric.hpp, or for cosine one minus the cosine of the angle, on the drawn features.
  float closing_value(std::size_t clustering, DistanceRange range) const;

 private:
  void set_cosine_row();
  void set_terms(const float* w);
  void set_members(const float* w);
  void summed_distances(std::vector<std::uint32_t>& chosen, const std::vector<double>& limits);
  DistanceRange range_of(std::uint64_t sum) const;
  void jaccard_distances(std::span<const std::uint32_t> chosen);
  void cosine_distances(std::span<const std::uint32_t> chosen);
  void sum(std::span<const std::uint32_t> chosen, std::vector<std::uint64_t>& sums);
  double sum_of_squared_terms() const;

  Metric metric_;
  std::size_t features_;
  double drawn_;
  const std::uint8_t* masks_;
  BytePlanes planes_;
  WordScale scale_;
  bool exact_ = false;     // the words are the terms themselves
  bool low_only_ = false;  // and below 256
  bool is_bytes_ = false;
  std::vector<std::uint8_t> bytes_;  // the row, when it is of bytes
  std::vector<float> x_;             // the row
  std::vector<float> w_;             // the kept row
  std::vector<float> terms_;         // of the metrics without inner products
  double row_norm_ = 0;
  std::vector<double> norm_;  // of the row, for each clustering (cosine)
  std::vector<std::uint8_t> zero_;
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint64_t> high_sums_;  // of the high plane, for those chosen
  std::vector<std::uint64_t> square_sums_;
  std::vector<DistanceRange> ranges_;
};

}  // namespace mbn
