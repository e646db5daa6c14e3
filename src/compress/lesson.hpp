// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "compress/extra_rows.hpp"
#include "compress/input_rows.hpp"
#include "compress/student_data.hpp"
#include "compress/targets.hpp"
#include "compress/teacher.hpp"

namespace mbn {

/// The share of the whole work that the teacher is expected to take.
inline constexpr double kTeacherShare = 0.15;

/// The data of a student: training rows, validation rows, rows made from training rows, and the
/// teacher's outputs for all of them. Given rows that have directions are stored as coordinates;
/// others are made dense, and prepared, when they are asked for. Made rows are stored prepared.
class Lesson {
 public:
  /// The teacher labels all rows. `teacher` and `rows` must outlive the lesson.
  Lesson(const Teacher& teacher, RowsView rows, const CompressOptions& options,
         const RunOptions& run);

  /// Numbers that the first layer takes.
  std::size_t width() const { return input_rows_->width(); }
  std::size_t output_count() const { return outputs_.columns(); }
  /// Training rows: given ones first, then those that were made.
  std::size_t learning_count() const { return learning_.size() + made_outputs_.rows(); }
  const std::vector<std::uint32_t>& learning() const { return learning_; }
  const std::vector<std::uint32_t>& kept_aside() const { return kept_aside_; }
  const InputStage& input_stage() const { return input_; }
  const OutputScale& output_scale() const { return scale_; }
  /// How rows are made, and the share of units to drop, settled.
  Augment augment() const { return augment_; }
  double dropout() const;
  /// The share of inputs to drop, where they are words.
  double input_dropout() const;
  double augment_rows() const;

  /// Whether the directions of outputs count beside their places: for teachers that compare rows by
  /// angles.
  bool by_angles() const;

  /// Makes a part of the made rows anew, for this epoch, from 2 on; the teacher labels them.
  void renew(std::uint32_t epoch, const RunOptions& run);
  /// Seconds in which the teacher labelled rows so far, and how many rows were made.
  double teacher_seconds() const { return teacher_seconds_; }
  std::uint64_t made_count() const { return made_count_; }

  /// Training row `index`, as input of the first layer, and its scaled outputs.
  void copy_learning_row(std::size_t index, float* input, float* outputs) const;
  /// The same for a given row, by its place in the data.
  void copy_given_row(std::size_t row, float* input, float* outputs) const;

  /// The given rows, and the teacher's outputs for them.
  RowsView rows() const { return rows_; }
  MatrixView outputs() const { return outputs_; }

  /// Rows made per training row, at most, and bytes that all of it takes.
  static double most_augment_rows(const CompressOptions& options);
  static std::uint64_t bytes(std::size_t rows, std::size_t width, std::size_t outputs, bool stored,
                             const CompressOptions& options);

 private:
  void split(const CompressOptions& options);
  void make_rows(std::span<const std::uint32_t> slots, std::uint32_t epoch, const RunOptions& run);
  void scale_outputs(const float* said, float* outputs) const;

  const Teacher& teacher_;
  RowsView rows_;
  CompressOptions options_;
  std::vector<std::uint32_t> learning_, kept_aside_;
  InputStage input_;
  std::optional<InputRows> input_rows_;  ///< of input_
  Matrix inputs_;                        ///< of all given rows, where there are directions
  Matrix outputs_;                       ///< of all given rows
  std::optional<Targets> targets_;
  OutputScale scale_;
  Augment augment_;
  std::optional<ExtraRows> extra_;
  Matrix made_inputs_, made_outputs_;
  double teacher_seconds_ = 0;
  std::uint64_t made_count_ = 0;
};

}  // namespace mbn
