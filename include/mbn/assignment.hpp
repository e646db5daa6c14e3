// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>

namespace mbn {

/// What a network says about the clusters of rows.
struct Assignment {
  std::vector<std::int32_t> labels;
  /// rows x clusters: the clusterings of the top layer vote, each with the shares of the clusters
  /// among the training rows that fell where the row falls. The label is nearly always the highest.
  Matrix probabilities;
  /// p / (p + q) for the label's probability p and the highest other q: 1 is sure, 0.5 undecided
  /// between two, less where the votes favour another cluster.
  std::vector<float> confidence;
};

/// That confidence. `labels` has one label for each row of `probabilities`.
std::vector<float> confidence_of(MatrixView probabilities, std::span<const std::int32_t> labels);

}  // namespace mbn
