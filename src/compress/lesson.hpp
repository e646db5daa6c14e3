// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "compress/student_data.hpp"
#include "compress/targets.hpp"
#include "compress/teacher.hpp"

namespace mbn {

/// The share of the whole work that the teacher is expected to take.
inline constexpr double kTeacherShare = 0.15;

/// The data of a student: training rows, validation rows, rows made from training rows, and the
/// teacher's outputs for all of them. Only the outputs are stored; rows are made, and made dense,
/// when they are asked for.
class Lesson {
 public:
  /// The teacher labels all rows. `rows` must outlive the lesson.
  Lesson(const Teacher& teacher, RowsView rows, const CompressOptions& options,
         const RunOptions& run);

  std::size_t columns() const { return rows_.columns(); }
  std::size_t output_count() const { return outputs_.columns(); }
  /// Training rows: given ones first, then those that were made.
  std::size_t learning_count() const { return learning_.size() + made_outputs_.rows(); }
  const std::vector<std::uint32_t>& learning() const { return learning_; }
  const std::vector<std::uint32_t>& kept_aside() const { return kept_aside_; }
  const InputStage& input_stage() const { return input_; }
  const OutputScale& output_scale() const { return scale_; }

  /// Training row `index`, as input of the first layer, and its scaled outputs.
  void copy_learning_row(std::size_t index, float* input, float* outputs) const;
  /// The same for a given row, by its place in the data.
  void copy_given_row(std::size_t row, float* input, float* outputs) const;

  /// The given rows, and the teacher's outputs for them.
  RowsView rows() const { return rows_; }
  MatrixView outputs() const { return outputs_; }

 private:
  void split(const CompressOptions& options);
  void make_rows(const Teacher& teacher, const Targets& targets, const RunOptions& run);
  void make_row(std::size_t made, float* to) const;
  void finish_row(const float* said, float* input, float* outputs) const;

  RowsView rows_;
  CompressOptions options_;
  double strength_;
  std::vector<std::uint32_t> learning_, kept_aside_;
  InputStage input_;
  Matrix outputs_;       ///< of all given rows
  Matrix made_outputs_;  ///< of made rows
  OutputScale scale_;
};

}  // namespace mbn
