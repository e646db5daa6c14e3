// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/matrix.hpp>

namespace mbn {

/// The outputs that a student learns: the teacher's embedding, or the probability of each of its
/// clusters, from equal round normal distributions around the centres,
///
///     p_c ~ exp(-|z - centre_c|^2 / (2 variance)),
///
/// of which k-means is the hard limit; `variance` is the mean squared distance of a row from its
/// nearest centre, per component. The cluster with the highest probability is the teacher's label.
class Targets {
 public:
  /// Measures the variance on the embedding of the training rows. `centres` must outlive it.
  Targets(Target target, MatrixView centres, MatrixView embedding);

  /// The outputs for rows with this embedding.
  Matrix of(Matrix embedding) const;

 private:
  Target target_;
  MatrixView centres_;
  double variance_ = 1;
};

/// Outputs as a student learns them: with mean 0, and all with the same factor, so that a squared
/// error counts the same whichever output it is in. Probabilities are left as they are.
struct OutputScale {
  std::vector<float> mean;
  float deviation = 1;
};
OutputScale make_output_scale(MatrixView outputs, std::span<const std::uint32_t> chosen,
                              Target target);

}  // namespace mbn
