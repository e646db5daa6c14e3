// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/job.hpp"
#include "base/large_array.hpp"
#include "compress/product.hpp"
#include "compress/student_data.hpp"

namespace mbn {

/// Fully connected layers of rectified linear units under training: parameters, activations of the
/// last batch, and the gradient. The last layer is linear.
class Perceptron {
 public:
  /// `sizes` are columns, hidden layers, outputs. Weights are drawn uniformly with the variance
  /// 2 / inputs (He et al., 2015).
  Perceptron(std::vector<std::size_t> sizes, std::size_t batch_rows, std::uint64_t seed);

  std::size_t layer_count() const { return sizes_.size() - 1; }
  std::span<float> parameters() { return parameters_; }
  std::span<const float> parameters() const { return parameters_; }
  std::span<const float> gradient() const { return gradient_; }

  /// Where the rows of the next batch go: batch_rows x columns.
  float* input() { return activations_.front().data(); }
  /// Outputs of the last layer for them.
  const float* output() const { return activations_.back().data(); }
  /// Where the loss's derivative by the outputs goes before `backward`.
  float* output_gradient() { return deltas_.back().data(); }

  /// Forward pass of `rows` rows. With `dropout` above 0, inverted dropout: that share of the
  /// hidden units is set to 0, drawn anew for each row and `step`; the others are multiplied by
  /// 1 / (1 - dropout).
  void forward(std::size_t rows, Job& job, double dropout = 0, std::uint32_t step = 0);
  /// The gradient of all parameters, after a `forward` of as many rows with the same dropout.
  void backward(std::size_t rows, Job& job, double dropout = 0);

  /// The parameters as layers.
  std::vector<DenseLayer> layers(std::span<const float> parameters) const;
  /// Additions and multiplications of one `forward` and `backward`, per row.
  double operations_per_row() const;
  /// An upper bound of the memory of a perceptron and its training.
  static std::uint64_t bytes(std::span<const std::size_t> sizes, std::size_t batch_rows);

 private:
  std::size_t inputs(std::size_t layer) const { return sizes_[layer]; }
  std::size_t outputs(std::size_t layer) const { return sizes_[layer + 1]; }
  void drop(std::size_t layer, std::size_t rows, double dropout, std::uint32_t step, Job& job);
  void sum_bias_gradient(std::size_t layer, std::size_t rows, Job& job);

  std::vector<std::size_t> sizes_;
  std::uint64_t seed_;
  std::vector<std::size_t> weights_at_;  ///< where a layer's weights begin; its bias follows them
  LargeArray<float> parameters_;
  LargeArray<float> gradient_;
  std::vector<LargeArray<float>> activations_;  ///< the input, then one per layer
  std::vector<LargeArray<float>> deltas_;       ///< dL/dz, one per layer
  Multiplier multiplier_;
};

}  // namespace mbn
