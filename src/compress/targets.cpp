// SPDX-License-Identifier: Apache-2.0
#include "compress/targets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mbn {

namespace {

double squared_distance(const float* a, const float* b, std::size_t count) {
  double sum = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const double difference = double{a[j]} - double{b[j]};
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

Targets::Targets(Target target, MatrixView centres, MatrixView embedding)
    : target_(target), centres_(centres) {
  if (target != Target::clusters) return;
  double sum = 0;
  for (std::size_t i = 0; i < embedding.rows(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < centres.rows(); ++c) {
      nearest = std::min(nearest, squared_distance(embedding.row<float>(i), centres.row<float>(c),
                                                   embedding.columns()));
    }
    sum += nearest;
  }
  variance_ = sum / static_cast<double>(embedding.rows() * embedding.columns());
  // When every row is at its centre, any small variance gives its cluster probability 1.
  variance_ = std::max(variance_, 1e-12);
}

Matrix Targets::of(Matrix embedding) const {
  if (target_ == Target::embedding) return embedding;
  const MatrixView centres = centres_;
  Matrix probabilities(embedding.rows(), centres.rows());
  std::vector<double> exponents(centres.rows());
  for (std::size_t i = 0; i < embedding.rows(); ++i) {
    for (std::size_t c = 0; c < centres.rows(); ++c) {
      exponents[c] =
          -squared_distance(embedding.row<float>(i), centres.row<float>(c), embedding.columns()) /
          (2 * variance_);
    }
    const double highest = *std::max_element(exponents.begin(), exponents.end());
    double sum = 0;
    for (double& exponent : exponents) sum += exponent = std::exp(exponent - highest);
    for (std::size_t c = 0; c < centres.rows(); ++c) {
      probabilities.mutable_row<float>(i)[c] = static_cast<float>(exponents[c] / sum);
    }
  }
  return probabilities;
}

OutputScale make_output_scale(MatrixView outputs, std::span<const std::uint32_t> chosen,
                              Target target) {
  OutputScale scale{std::vector<float>(outputs.columns(), 0.0F), 1};
  if (target == Target::clusters) return scale;
  const auto count = static_cast<double>(chosen.size());
  double variance = 0;
  for (std::size_t j = 0; j < outputs.columns(); ++j) {
    double sum = 0;
    double square = 0;
    for (const std::uint32_t i : chosen) {
      const double value{outputs.row<float>(i)[j]};
      sum += value;
      square += value * value;
    }
    const double mean = sum / count;
    scale.mean[j] = static_cast<float>(mean);
    variance += std::max(0.0, square / count - mean * mean);
  }
  const double deviation = std::sqrt(variance / static_cast<double>(outputs.columns()));
  // An output that never changes is learned as it is.
  if (deviation > std::numeric_limits<float>::min())
    scale.deviation = static_cast<float>(deviation);
  return scale;
}

}  // namespace mbn
