// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/matrix.hpp>

namespace mbn {

/// y = x W^T + bias.
struct DenseLayer {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::vector<float> weights;  ///< outputs x inputs
  std::vector<float> bias;     ///< one per output
};

/// What happens to a row before the first layer: unit norm when the teacher's metric is cosine,
/// then (x - shift) * factor.
struct InputStage {
  bool unit_norm = false;
  std::vector<float> shift;   ///< one per column
  std::vector<float> factor;  ///< one per column
};

/// Everything a student is. Plain data: `Student` gives it behaviour, `store/` a file.
struct StudentData {
  StudentInfo info;
  InputStage input;
  std::vector<DenseLayer> layers;  ///< rectified but for the last; softmax after it for clusters
  Matrix centres;                  ///< the teacher's, clusters x components; may have no rows

  bool softmax() const { return info.options.target == Target::clusters; }
};

/// A row with a norm below this is divided by this instead: rows of zeros stay zeros.
inline constexpr float kLeastLength = 1e-30F;

}  // namespace mbn
