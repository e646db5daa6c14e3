// SPDX-License-Identifier: Apache-2.0
//
// With x_0 the batch, z_l = x_{l-1} W_l^T + b_l and x_l = max(z_l, 0), the derivatives of a loss
// follow from d_l = dL/dz_l:
//
//     dL/dW_l = d_l^T x_{l-1}       dL/db_l = sum over rows of d_l
//     d_{l-1} = (d_l W_l) where x_{l-1} > 0, else 0
//
// so a step is three matrix products per layer (two at the bottom). Each cell of each of them is
// one chain of additions (kernels/dense_product.hpp), and nothing is added up across threads: the
// same bits for any number of them. Inverted dropout multiplies x_l by 0 or by 1 / (1 - share). The
// mask is not stored: where x_l is 0 the derivative is 0, elsewhere the factor is known.
#include "compress/perceptron.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace mbn {

namespace {

constexpr std::size_t kRowsPerTask = 16;
constexpr std::size_t kColumnsPerTask = 256;
/// Random streams are named by layer and row together.
constexpr std::uint32_t kRowBits = 20;

}  // namespace

Perceptron::Perceptron(std::vector<std::size_t> sizes, std::size_t batch_rows, std::uint64_t seed)
    : sizes_(std::move(sizes)), seed_(seed) {
  std::size_t count = 0;
  activations_.emplace_back(batch_rows * sizes_[0]);
  for (std::size_t l = 0; l < layer_count(); ++l) {
    weights_at_.push_back(count);
    count += (inputs(l) + 1) * outputs(l);
    activations_.emplace_back(batch_rows * outputs(l));
    deltas_.emplace_back(batch_rows * outputs(l));
  }
  parameters_.resize(count);
  gradient_.resize(count);
  for (std::size_t l = 0; l < layer_count(); ++l) {
    Random random(seed, Purpose::student, 0, static_cast<std::uint32_t>(l));
    const double limit = std::sqrt(6.0 / static_cast<double>(inputs(l)));
    float* const weights = parameters_.data() + weights_at_[l];
    for (std::size_t i = 0; i < inputs(l) * outputs(l); ++i) {
      weights[i] = static_cast<float>(limit * (2 * random.uniform() - 1));
    }
  }
}

void Perceptron::forward(std::size_t rows, Job& job, double dropout, std::uint32_t step) {
  for (std::size_t l = 0; l < layer_count(); ++l) {
    const float* const weights = parameters_.data() + weights_at_[l];
    const float* const bias = weights + inputs(l) * outputs(l);
    const float floor = l + 1 < layer_count() ? 0.0F : -std::numeric_limits<float>::infinity();
    float* const to = activations_[l + 1].data();
    const std::size_t width = outputs(l);
    multiplier_.multiply({activations_[l].data(), inputs(l), 1}, {weights, 1, inputs(l)}, rows,
                         inputs(l), width, to, job, [&](const ProductBlock& block) {
                           for (std::size_t i = 0; i < block.rows; ++i) {
                             float* const row = to + (block.first_row + i) * width;
                             for (std::size_t j = block.first_column;
                                  j < block.first_column + block.columns; ++j) {
                               row[j] = std::max(row[j] + bias[j], floor);
                             }
                           }
                         });
    if (dropout > 0 && l + 1 < layer_count()) drop(l, rows, dropout, step, job);
  }
}

void Perceptron::drop(std::size_t layer, std::size_t rows, double dropout, std::uint32_t step,
                      Job& job) {
  const std::size_t width = outputs(layer);
  const auto limit = static_cast<std::uint32_t>(std::lround(dropout * 65536));
  const auto factor = static_cast<float>(1 / (1 - dropout));
  job.parallel(blocks(rows, kRowsPerTask), [&](std::size_t task, unsigned) {
    for (std::size_t i = task * kRowsPerTask; i < std::min((task + 1) * kRowsPerTask, rows); ++i) {
      Random random(seed_, Purpose::dropout, step,
                    static_cast<std::uint32_t>(layer << kRowBits | i));
      float* const row = activations_[layer + 1].data() + i * width;
      std::uint32_t bits = 0;
      for (std::size_t j = 0; j < width; ++j) {
        bits = j % 2 == 0 ? random.next() : bits >> 16;
        row[j] = (bits & 0xffff) < limit ? 0.0F : row[j] * factor;
      }
    }
  });
}

void Perceptron::backward(std::size_t rows, Job& job, double dropout) {
  const float factor = dropout > 0 ? static_cast<float>(1 / (1 - dropout)) : 1.0F;
  for (std::size_t l = layer_count(); l-- > 0;) {
    const float* const delta = deltas_[l].data();
    const std::size_t width = inputs(l);
    multiplier_.multiply({delta, 1, outputs(l)}, {activations_[l].data(), width, 1}, outputs(l),
                         rows, width, gradient_.data() + weights_at_[l], job);
    sum_bias_gradient(l, rows, job);
    if (l == 0) break;
    const float* const said = activations_[l].data();
    float* const to = deltas_[l - 1].data();
    multiplier_.multiply({delta, outputs(l), 1}, {parameters_.data() + weights_at_[l], width, 1},
                         rows, outputs(l), width, to, job, [&](const ProductBlock& block) {
                           for (std::size_t i = 0; i < block.rows; ++i) {
                             const std::size_t at =
                                 (block.first_row + i) * width + block.first_column;
                             for (std::size_t j = at; j < at + block.columns; ++j) {
                               to[j] = said[j] > 0 ? to[j] * factor : 0.0F;
                             }
                           }
                         });
  }
}

void Perceptron::sum_bias_gradient(std::size_t layer, std::size_t rows, Job& job) {
  const std::size_t width = outputs(layer);
  float* const sums = gradient_.data() + weights_at_[layer] + inputs(layer) * width;
  job.parallel(blocks(width, kColumnsPerTask), [&](std::size_t task, unsigned) {
    const std::size_t first = task * kColumnsPerTask;
    const std::size_t last = std::min(first + kColumnsPerTask, width);
    std::fill(sums + first, sums + last, 0.0F);
    for (std::size_t i = 0; i < rows; ++i) {
      const float* const row = deltas_[layer].data() + i * width;
      for (std::size_t j = first; j < last; ++j) sums[j] += row[j];
    }
  });
}

std::vector<DenseLayer> Perceptron::layers(std::span<const float> parameters) const {
  std::vector<DenseLayer> result;
  for (std::size_t l = 0; l < layer_count(); ++l) {
    const float* const weights = parameters.data() + weights_at_[l];
    const float* const bias = weights + inputs(l) * outputs(l);
    result.push_back({inputs(l), outputs(l), {weights, bias}, {bias, bias + outputs(l)}});
  }
  return result;
}

double Perceptron::operations_per_row() const {
  double products = 0;
  for (std::size_t l = 0; l < layer_count(); ++l) {
    products += (l == 0 ? 2.0 : 3.0) * static_cast<double>(inputs(l) * outputs(l));
  }
  return 2 * products;
}

std::uint64_t Perceptron::bytes(std::span<const std::size_t> sizes, std::size_t batch_rows) {
  std::uint64_t parameters = 0;
  std::uint64_t widest_layer = 0;
  std::uint64_t units = 0;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    const std::uint64_t layer = (std::uint64_t{sizes[l]} + 1) * (sizes[l + 1] + kRightPanel);
    parameters += layer;
    widest_layer = std::max(widest_layer, layer);
    units += sizes[l] + 2 * sizes[l + 1];
  }
  // Parameters, gradient, two running means, the best so far; packed factors; the batch.
  return sizeof(float) *
         (5 * parameters + 2 * widest_layer + 3 * units * (batch_rows + kLeftPanel));
}

}  // namespace mbn
