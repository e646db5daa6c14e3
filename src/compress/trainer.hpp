// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compress/lesson.hpp"
#include "compress/perceptron.hpp"

namespace mbn {

/// Mini-batches, Adam, a learning rate that rises within the first twentieth of the steps and falls
/// along a cosine, and early stopping by the validation loss.
class Trainer {
 public:
  Trainer(Lesson& lesson, std::vector<std::size_t> sizes, const CompressOptions& options,
          const RunOptions& run);

  /// One epoch, the validation after it, and whether another one is worth it.
  bool run_epoch();

  std::uint32_t epochs() const { return static_cast<std::uint32_t>(validation_loss_.size()); }
  std::uint32_t best_epoch() const { return best_epoch_; }
  const std::vector<double>& training_loss() const { return training_loss_; }
  const std::vector<double>& validation_loss() const { return validation_loss_; }
  /// Seconds of the steps, without validation, and the work in them.
  double seconds() const { return seconds_; }
  double operations() const { return operations_; }

  /// The best network so far, for outputs as the teacher gives them.
  std::vector<DenseLayer> best_layers() const;

 private:
  void step(std::size_t first, std::size_t rows);
  double validate();
  /// Fills the first `rows` rows of a batch: `copy(i, input, targets)` for each, in parallel.
  template <class Copy>
  void fill_batch(std::size_t rows, Copy&& copy);
  double head_loss(std::size_t rows, bool with_gradient);
  double rate() const;

  Lesson& lesson_;
  const CompressOptions options_;
  const RunOptions run_;  ///< without progress
  Job job_;               ///< progress
  Job quiet_;             ///< does the work
  Perceptron network_;
  std::size_t batch_rows_;
  std::size_t steps_per_epoch_;
  std::vector<std::uint32_t> order_;
  LargeArray<float> targets_;
  std::vector<float> offset_;  ///< from scaled outputs to outputs, when angles count; else empty
  LargeArray<float> mean_, square_, best_;
  std::uint32_t best_epoch_ = 0;
  std::uint32_t step_ = 0;
  double loss_sum_ = 0;
  double seconds_ = 0;
  double operations_ = 0;
  std::vector<double> training_loss_, validation_loss_;
};

}  // namespace mbn
