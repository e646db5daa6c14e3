// SPDX-License-Identifier: Apache-2.0
//
// A made row is identified by its number: the random stream of that number decides how it is made,
// so it can be made again whenever it is needed and is not stored.
#include "compress/lesson.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "base/part_of.hpp"
#include "base/random.hpp"
#include "compress/input_rows.hpp"

namespace mbn {

namespace {

/// Rows that are made at a time for the teacher.
constexpr std::size_t kMadeAtATime = 8192;

}  // namespace

Lesson::Lesson(const Teacher& teacher, RowsView rows, const CompressOptions& options,
               const RunOptions& run)
    : rows_(rows),
      options_(options),
      strength_(options.augment_strength.value_or(options.augment == Augment::jitter ? 0.2 : 0.5)) {
  const bool makes = options.augment != Augment::none;
  split(options);
  Job job(without_progress(run));
  input_ = make_input_stage(rows, learning_, teacher.options, job);

  const double share = makes ? 1 / (1 + options.augment_rows) : 1;
  Matrix embedding = teacher.embed(rows, part_of(run, 0, kTeacherShare * share, "teacher"));
  const Targets targets(options.target, teacher.centres, embedding);
  outputs_ = targets.of(std::move(embedding));
  scale_ = make_output_scale(outputs_, learning_, options.target);
  if (makes) {
    make_rows(teacher, targets, part_of(run, kTeacherShare * share, kTeacherShare, "teacher"));
  }
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

void Lesson::make_rows(const Teacher& teacher, const Targets& targets, const RunOptions& run) {
  const auto count = static_cast<std::size_t>(
      std::lround(options_.augment_rows * static_cast<double>(learning_.size())));
  made_outputs_ = Matrix(count, output_count());
  for (std::size_t first = 0; first < count; first += kMadeAtATime) {
    Matrix made(std::min(kMadeAtATime, count - first), columns());
    Job job({.threads = run.threads, .cancel = run.cancel});
    job.parallel(made.rows(),
                 [&](std::size_t i, unsigned) { make_row(first + i, made.mutable_row<float>(i)); });
    const auto done = static_cast<double>(first) / static_cast<double>(count);
    const auto next = static_cast<double>(first + made.rows()) / static_cast<double>(count);
    const Matrix outputs = targets.of(teacher.embed(made, part_of(run, done, next)));
    for (std::size_t i = 0; i < made.rows(); ++i) {
      std::copy_n(outputs.row<float>(i), output_count(),
                  made_outputs_.mutable_row<float>(first + i));
    }
  }
}

void Lesson::make_row(std::size_t made, float* to) const {
  Random random(options_.seed, Purpose::augment, static_cast<std::uint32_t>(made >> 32),
                static_cast<std::uint32_t>(made));
  copy_dense_row(rows_, learning_[made % learning_.size()], to);
  if (options_.augment == Augment::mix) {
    const std::uint32_t other = random.below(static_cast<std::uint32_t>(learning_.size()));
    const auto share = static_cast<float>(strength_ * random.uniform());
    std::vector<float> row(columns());
    copy_dense_row(rows_, learning_[other], row.data());
    for (std::size_t j = 0; j < columns(); ++j) to[j] += share * (row[j] - to[j]);
    return;
  }
  for (std::size_t j = 0; j < columns(); ++j) {
    if (input_.factor[j] == 0) continue;
    to[j] += static_cast<float>(strength_ * random.normal()) / input_.factor[j];
  }
}

void Lesson::copy_learning_row(std::size_t index, float* input, float* outputs) const {
  if (index < learning_.size()) return copy_given_row(learning_[index], input, outputs);
  const std::size_t made = index - learning_.size();
  make_row(made, input);
  finish_row(made_outputs_.row<float>(made), input, outputs);
}

void Lesson::copy_given_row(std::size_t row, float* input, float* outputs) const {
  copy_dense_row(rows_, row, input);
  finish_row(outputs_.row<float>(row), input, outputs);
}

void Lesson::finish_row(const float* said, float* input, float* outputs) const {
  apply_input_stage(input_, input);
  for (std::size_t j = 0; j < output_count(); ++j) {
    outputs[j] = (said[j] - scale_.mean[j]) / scale_.deviation;
  }
}

}  // namespace mbn
