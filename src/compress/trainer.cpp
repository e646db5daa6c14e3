// SPDX-License-Identifier: Apache-2.0
//
// The loss of a batch of n rows is, for the embedding, the mean squared error of the scaled
// outputs, and for clusters the cross entropy of the teacher's probabilities p and the student's
// softmax q,
//
//     1/n sum_i 1/m sum_j (y_ij - t_ij)^2        or        -1/n sum_i sum_j p_ij log q_ij,
//
// with the derivatives 2 (y - t) / (n m) and (q - p) / n by the last layer's sums. A squared error
// lets rows near the origin turn, and those who retrieve by angles ask for directions: for a
// teacher of the metric cosine, kAngleWeight (1 - cos(u, v)) is added, with u and v the outputs of
// student and teacher as they are used, and the derivative -(v / |v| - cos(u, v) u / |u|) / |u| by
// u.
//
// Steps run under a job without progress (`quiet_`); `job_` counts finished steps.
#include "compress/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "compress/input_rows.hpp"
#include "kernels/dense_product.hpp"

namespace mbn {

namespace {

constexpr std::size_t kRowsPerTask = 16;
constexpr std::size_t kWeightsPerTask = std::size_t{1} << 16;
constexpr double kWarmUp = 0.05;
/// Random streams of inputs lie behind those of all layers (compress/perceptron.cpp).
constexpr std::uint32_t kInputStreams = std::uint32_t{0xfff} << 20;
constexpr double kAngleWeight = 0.5;
constexpr double kLeastSquares = 1e-12;

// Inverted dropout of the inputs of one row.
void drop_inputs(Random& random, double share, std::span<float> input) {
  const auto limit = static_cast<std::uint32_t>(std::lround(share * 65536));
  const auto factor = static_cast<float>(1 / (1 - share));
  std::uint32_t bits = 0;
  for (std::size_t j = 0; j < input.size(); ++j) {
    bits = j % 2 == 0 ? random.next() : bits >> 16;
    input[j] = (bits & 0xffff) < limit ? 0.0F : input[j] * factor;
  }
}

double squared_error(const float* outputs, const float* targets, std::size_t count, float share,
                     float* gradient) {
  double sum = 0;
  const float factor = 2 * share / static_cast<float>(count);
  for (std::size_t j = 0; j < count; ++j) {
    const float error = outputs[j] - targets[j];
    sum += double{error} * double{error};
    if (gradient != nullptr) gradient[j] = factor * error;
  }
  return sum / static_cast<double>(count);
}

double angle_error(const float* outputs, const float* targets, std::span<const float> offset,
                   float share, float* gradient) {
  double product = 0;
  double own = 0;
  double said = 0;
  for (std::size_t j = 0; j < offset.size(); ++j) {
    const double u = double{outputs[j]} + double{offset[j]};
    const double v = double{targets[j]} + double{offset[j]};
    product += u * v;
    own += u * u;
    said += v * v;
  }
  // What lies in the origin has no direction.
  if (own * said < kLeastSquares) return 0;
  const double lengths = std::sqrt(own * said);
  const double cosine = product / lengths;
  if (gradient != nullptr) {
    for (std::size_t j = 0; j < offset.size(); ++j) {
      const double u = double{outputs[j]} + double{offset[j]};
      const double v = double{targets[j]} + double{offset[j]};
      gradient[j] -=
          static_cast<float>(kAngleWeight * double{share} * (v / lengths - cosine * u / own));
    }
  }
  return kAngleWeight * (1 - cosine);
}

double cross_entropy(const float* outputs, const float* targets, std::size_t count, float share,
                     float* gradient) {
  const float highest = *std::max_element(outputs, outputs + count);
  double sum = 0;
  for (std::size_t j = 0; j < count; ++j) sum += std::exp(double{outputs[j]} - double{highest});
  const double log_sum = std::log(sum);
  double loss = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const double log_share = double{outputs[j]} - double{highest} - log_sum;
    loss -= double{targets[j]} * log_share;
    if (gradient != nullptr) {
      gradient[j] = share * (static_cast<float>(std::exp(log_share)) - targets[j]);
    }
  }
  return loss;
}

}  // namespace

Trainer::Trainer(Lesson& lesson, std::vector<std::size_t> sizes, const CompressOptions& options,
                 const RunOptions& run)
    : lesson_(lesson),
      options_(options),
      run_(without_progress(run)),
      job_(run),
      quiet_(without_progress(run)),
      network_(std::move(sizes), std::min<std::size_t>(options.batch_rows, lesson.learning_count()),
               options.seed),
      batch_rows_(std::min<std::size_t>(options.batch_rows, lesson.learning_count())),
      steps_per_epoch_(blocks(lesson.learning_count(), batch_rows_)),
      targets_(batch_rows_ * lesson.output_count()),
      mean_(network_.parameters().size()),
      square_(network_.parameters().size()) {
  if (!lesson.by_angles()) return;
  const OutputScale& scale = lesson.output_scale();
  for (const float mean : scale.mean) offset_.push_back(mean / scale.deviation);
}

bool Trainer::run_epoch() {
  const std::uint32_t epoch = epochs() + 1;
  const std::string loss =
      validation_loss_.empty() ? "" : fmt::format("loss {:.4g}, ", validation_loss_.back());
  job_.stage(loss + "epoch", 1.0 / options_.epochs, steps_per_epoch_, epoch, options_.epochs);
  const auto count = static_cast<std::uint32_t>(lesson_.learning_count());
  Random random(options_.seed, Purpose::batches, epoch);
  order_ = draw_without_replacement(random, count, count);
  loss_sum_ = 0;
  if (epoch > 1) lesson_.renew(epoch, run_);
  const Stopwatch watch;
  for (std::size_t first = 0; first < count; first += batch_rows_) {
    step(first, std::min<std::size_t>(batch_rows_, count - first));
    job_.advance();
  }
  seconds_ += watch.seconds();
  operations_ += network_.operations_per_row() * count;
  const double validation = validate();
  training_loss_.push_back(loss_sum_ / count);
  validation_loss_.push_back(validation);
  const bool better =
      best_epoch_ == 0 || validation < validation_loss_[std::size_t{best_epoch_} - 1];
  if (better) {
    best_epoch_ = epoch;
    best_.assign(network_.parameters().begin(), network_.parameters().end());
  }
  return epoch < options_.epochs && epoch - best_epoch_ < options_.patience;
}

template <class Copy>
void Trainer::fill_batch(std::size_t rows, Copy&& copy) {
  quiet_.parallel(blocks(rows, kRowsPerTask), [&](std::size_t task, unsigned) {
    for (std::size_t i = task * kRowsPerTask; i < std::min((task + 1) * kRowsPerTask, rows); ++i) {
      copy(i, network_.input() + i * lesson_.width(), targets_.data() + i * lesson_.output_count());
    }
  });
}

void Trainer::step(std::size_t first, std::size_t rows) {
  const double dropped = lesson_.input_dropout();
  fill_batch(rows, [&](std::size_t i, float* input, float* targets) {
    lesson_.copy_learning_row(order_[first + i], input, targets);
    if (dropped == 0) return;
    Random random(options_.seed, Purpose::dropout, step_,
                  kInputStreams + static_cast<std::uint32_t>(i));
    drop_inputs(random, dropped, std::span(input, lesson_.width()));
  });
  network_.forward(rows, quiet_, lesson_.dropout(), step_);
  loss_sum_ += head_loss(rows, true);
  network_.backward(rows, quiet_, lesson_.dropout());

  AdamStep adam;
  const double history1 = 1 - std::pow(double{adam.beta1}, step_ + 1);
  const double history2 = std::sqrt(1 - std::pow(double{adam.beta2}, step_ + 1));
  adam.rate = static_cast<float>(rate() * history2 / history1);
  adam.epsilon *= static_cast<float>(history2);
  const std::span<float> parameters = network_.parameters();
  quiet_.parallel(blocks(parameters.size(), kWeightsPerTask), [&](std::size_t task, unsigned) {
    const std::size_t begin = task * kWeightsPerTask;
    adam_step(adam, network_.gradient().data() + begin,
              std::min(kWeightsPerTask, parameters.size() - begin), parameters.data() + begin,
              mean_.data() + begin, square_.data() + begin);
  });
  ++step_;
}

double Trainer::rate() const {
  const double done = (step_ + 0.5) / (static_cast<double>(steps_per_epoch_) * options_.epochs);
  const double rise = std::min(1.0, done / kWarmUp);
  return options_.learning_rate * rise * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

double Trainer::head_loss(std::size_t rows, bool with_gradient) {
  const std::size_t width = lesson_.output_count();
  const auto loss = options_.target == Target::clusters ? cross_entropy : squared_error;
  const float share = 1 / static_cast<float>(rows);
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const float* const outputs = network_.output() + i * width;
    const float* const targets = targets_.data() + i * width;
    float* const gradient = with_gradient ? network_.output_gradient() + i * width : nullptr;
    sum += loss(outputs, targets, width, share, gradient);
    if (!offset_.empty()) sum += angle_error(outputs, targets, offset_, share, gradient);
  }
  return sum;
}

double Trainer::validate() {
  const std::vector<std::uint32_t>& rows = lesson_.kept_aside();
  double sum = 0;
  for (std::size_t first = 0; first < rows.size(); first += batch_rows_) {
    const std::size_t count = std::min(batch_rows_, rows.size() - first);
    fill_batch(count, [&](std::size_t i, float* input, float* targets) {
      lesson_.copy_given_row(rows[first + i], input, targets);
    });
    network_.forward(count, quiet_);
    sum += head_loss(count, false);
  }
  return sum / static_cast<double>(rows.size());
}

std::vector<DenseLayer> Trainer::best_layers() const {
  std::vector<DenseLayer> layers = network_.layers(best_);
  DenseLayer& last = layers.back();
  const OutputScale& scale = lesson_.output_scale();
  for (float& weight : last.weights) weight *= scale.deviation;
  for (std::size_t j = 0; j < last.outputs; ++j) {
    last.bias[j] = last.bias[j] * scale.deviation + scale.mean[j];
  }
  return layers;
}

}  // namespace mbn
