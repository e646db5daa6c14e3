// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>

namespace mbn {

/// The clusters of rows, one entry per row.
struct Assignment {
  std::vector<std::int32_t> labels;
  /// rows x clusters; each row sums to 1. The mean over the clusterings of the top layer: each
  /// gives the shares of the clusters among the training rows that have the same code as the row.
  /// The label is the nearest centre and nearly always has the highest probability.
  Matrix probabilities;
  /// p / (p + q) for the probability p of the label and the highest other probability q. 1 is sure,
  /// 0.5 is undecided between two; below 0.5 another cluster has a higher probability.
  std::vector<float> confidence;
};

/// Assignment::confidence of these probabilities and labels. `labels` has one label for each row of
/// `probabilities`.
std::vector<float> confidence_of(MatrixView probabilities, std::span<const std::int32_t> labels);

}  // namespace mbn
