// SPDX-License-Identifier: Apache-2.0
//
// Made rows are a pool of slots. A part of the slots is made anew in every epoch, so that the
// student sees other rows again and again, and the teacher's work stays a fraction of the training.
// A made row is identified by epoch and slot: its random stream does not depend on any other.
#include "compress/lesson.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/part_of.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"

namespace mbn {

namespace {

/// Bytes of made rows before they are prepared, at a time.
constexpr std::size_t kMadeBytes = std::size_t{1} << 27;
/// In every epoch a row is made anew for one in so many given rows.
constexpr std::size_t kRenewals = 4;
constexpr double kWordsDropout = 0.5;
/// Of the inputs, relative to that of the hidden units.
constexpr double kInputShare = 0.4;
constexpr double kWordsRows = 3;

bool are_counts(const Teacher& teacher) {
  const Preparation* const preparation = teacher.preparation;
  return preparation != nullptr && (preparation->sparse || !preparation->weights.is_identity());
}

Augment settled(const Teacher& teacher, RowsView rows, std::span<const std::uint32_t> chosen,
                const CompressOptions& options, PictureShape& shape) {
  if (teacher.options.metric == Metric::precomputed && options.augment == Augment::automatic) {
    return Augment::none;  // distances of no row
  }
  const bool looks = options.augment == Augment::automatic || options.augment == Augment::pictures;
  if (looks) shape = guess_picture_shape(rows, chosen);
  const Augment augment = settle_augment(options.augment, are_counts(teacher), shape);
  return augment == Augment::pictures && shape.empty() ? Augment::mix : augment;
}

}  // namespace

Lesson::Lesson(const Teacher& teacher, RowsView rows, const CompressOptions& options,
               const RunOptions& run)
    : teacher_(teacher), rows_(rows), options_(options) {
  split(options);
  Job job(without_progress(run));
  input_ = make_input_stage(teacher, rows, learning_, job);
  input_rows_.emplace(input_);
  if (input_.product() != nullptr) inputs_ = input_rows_->prepare(rows, job);

  PictureShape shape;
  augment_ = settled(teacher, rows, learning_, options, shape);
  const auto pool =
      static_cast<std::size_t>(std::lround(augment_rows() * static_cast<double>(learning_.size())));
  const double share = 1 / (1 + static_cast<double>(pool) / static_cast<double>(rows.rows()));
  const Stopwatch watch;
  Matrix embedding = teacher.embed(rows, part_of(run, 0, kTeacherShare * share, "teacher"));
  targets_.emplace(options.target, teacher.centres, embedding);
  outputs_ = targets_->of(std::move(embedding));
  scale_ = make_output_scale(outputs_, learning_, options.target);
  teacher_seconds_ = watch.seconds();
  if (pool == 0) return;
  extra_.emplace(rows_, learning_, options, augment_, shape);
  made_inputs_ = Matrix(pool, width());
  made_outputs_ = Matrix(pool, output_count());
  std::vector<std::uint32_t> slots(pool);
  std::iota(slots.begin(), slots.end(), 0U);
  make_rows(slots, 1, part_of(run, kTeacherShare * share, kTeacherShare, "teacher"));
}

void Lesson::split(const CompressOptions& options) {
  const auto count = static_cast<std::uint32_t>(rows_.rows());
  const auto aside = std::clamp<std::uint32_t>(
      static_cast<std::uint32_t>(std::lround(options.validation * count)), 1, count - 1);
  Random random(options.seed, Purpose::batches, 0);
  std::vector<std::uint32_t> order = draw_without_replacement(random, count, count);
  kept_aside_.assign(order.begin(), order.begin() + aside);
  learning_.assign(order.begin() + aside, order.end());
  // In the order of the data: rows are then read in order.
  std::sort(kept_aside_.begin(), kept_aside_.end());
  std::sort(learning_.begin(), learning_.end());
}

double Lesson::most_augment_rows(const CompressOptions& options) {
  const bool words = options.augment == Augment::words || options.augment == Augment::automatic;
  if (options.augment == Augment::none) return 0;
  return options.augment_rows.value_or(words ? kWordsRows : 1);
}

double Lesson::augment_rows() const {
  if (augment_ == Augment::none) return 0;
  return options_.augment_rows.value_or(augment_ == Augment::words ? kWordsRows : 1);
}

std::uint64_t Lesson::bytes(std::size_t rows, std::size_t width, std::size_t outputs, bool stored,
                            const CompressOptions& options) {
  const auto pool =
      static_cast<std::uint64_t>(most_augment_rows(options) * static_cast<double>(rows));
  return sizeof(float) * ((rows + pool) * 2 * outputs + (pool + (stored ? rows : 0)) * width) +
         (pool > 0 ? 2 * kMadeBytes : 0);
}

double Lesson::dropout() const {
  // Words are many and texts few: without it a student knows its texts by heart.
  return options_.dropout.value_or(augment_ == Augment::words ? kWordsDropout : 0);
}

double Lesson::input_dropout() const {
  const bool words = augment_ == Augment::words && input_.product() == nullptr;
  return words ? kInputShare * dropout() : 0;
}

bool Lesson::by_angles() const {
  return options_.target == Target::embedding && teacher_.options.metric == Metric::cosine;
}

void Lesson::renew(std::uint32_t epoch, const RunOptions& run) {
  const std::size_t pool = made_outputs_.rows();
  if (pool == 0) return;
  // Every step-th slot, so that no part of the data is left out for long.
  const std::size_t step = std::max<std::size_t>(1, kRenewals * pool / learning_.size());
  std::vector<std::uint32_t> slots;
  for (std::size_t slot = epoch % step; slot < pool; slot += step) {
    slots.push_back(static_cast<std::uint32_t>(slot));
  }
  make_rows(slots, epoch, run);
}

void Lesson::make_rows(std::span<const std::uint32_t> slots, std::uint32_t epoch,
                       const RunOptions& run) {
  const Stopwatch watch;
  const std::size_t at_a_time =
      std::max<std::size_t>(256, kMadeBytes / (sizeof(float) * rows_.columns()));
  for (std::size_t first = 0; first < slots.size(); first += at_a_time) {
    const auto block = slots.subspan(first, std::min(at_a_time, slots.size() - first));
    Matrix made(block.size(), rows_.columns());
    Job job({.threads = run.threads, .cancel = run.cancel});
    job.parallel(block.size(), [&](std::size_t i, unsigned) {
      extra_->make(std::uint64_t{epoch - 1} * made_outputs_.rows() + block[i],
                   made.mutable_row<float>(i));
    });
    const auto done = static_cast<double>(first) / static_cast<double>(slots.size());
    const auto next = static_cast<double>(first + block.size()) / static_cast<double>(slots.size());
    const Matrix outputs = targets_->of(teacher_.embed(made, part_of(run, done, next)));
    const Matrix inputs = input_rows_->prepare(made, job);
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::copy_n(outputs.row<float>(i), output_count(),
                  made_outputs_.mutable_row<float>(block[i]));
      std::copy_n(inputs.row<float>(i), width(), made_inputs_.mutable_row<float>(block[i]));
    }
  }
  made_count_ += slots.size();
  teacher_seconds_ += watch.seconds();
}

void Lesson::copy_learning_row(std::size_t index, float* input, float* outputs) const {
  if (index < learning_.size()) return copy_given_row(learning_[index], input, outputs);
  const std::size_t made = index - learning_.size();
  std::copy_n(made_inputs_.row<float>(made), width(), input);
  scale_outputs(made_outputs_.row<float>(made), outputs);
}

void Lesson::copy_given_row(std::size_t row, float* input, float* outputs) const {
  if (inputs_.rows() > 0) {
    std::copy_n(inputs_.row<float>(row), width(), input);
  } else {
    InputRows::Space space;
    copy_dense_row(rows_, row, input);
    input_rows_->apply(input, 1, space);
  }
  scale_outputs(outputs_.row<float>(row), outputs);
}

void Lesson::scale_outputs(const float* said, float* outputs) const {
  for (std::size_t j = 0; j < output_count(); ++j) {
    outputs[j] = (said[j] - scale_.mean[j]) / scale_.deviation;
  }
}

}  // namespace mbn
