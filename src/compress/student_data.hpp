// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
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

/// One thing that the teacher does to a row x of its data before it compares rows.
enum class InputStepKind : std::uint8_t {
  logarithm,       ///< ln(1 + x)
  word_logarithm,  ///< 1 + ln x for counts, x below 1: min(x, 1) + ln max(x, 1)
  shares,          ///< x * size / (sum of the row)
  unit_norm,       ///< x / (norm of the row)
  affine,          ///< (x - shift) * factor
  product,         ///< coordinates along directions: x W^T + bias
};
template <>
constexpr auto enum_names<InputStepKind>() {
  return std::array<std::string_view, 6>{"logarithm", "word-logarithm", "shares",
                                         "unit-norm", "affine",         "product"};
}

struct InputStep {
  InputStepKind kind = InputStepKind::unit_norm;
  float size = 1;               ///< of shares
  std::vector<float> shift{};   ///< of affine, one per column
  std::vector<float> factor{};  ///< of affine, one per column
  DenseLayer layer{};           ///< of product
};

/// What happens to a row before the first layer: the steps, unit norm when the teacher's metric is
/// cosine, then (x - shift) * factor.
struct InputStage {
  bool unit_norm = false;
  std::vector<float> shift;           ///< one per input of the first layer
  std::vector<float> factor;          ///< one per input of the first layer
  std::vector<InputStep> steps = {};  ///< what comes first

  /// The step that has the directions, if any.
  const InputStep* product() const {
    for (const InputStep& step : steps) {
      if (step.kind == InputStepKind::product) return &step;
    }
    return nullptr;
  }
  /// Columns of the rows as they are given.
  std::size_t columns() const {
    return product() != nullptr ? product()->layer.inputs : shift.size();
  }
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
