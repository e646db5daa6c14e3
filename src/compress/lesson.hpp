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

/// What a student learns from: the given rows, of which some are kept aside, rows made from them,
/// and what the teacher says of each. Rows are made dense, and made up, when they are asked for:
/// only the teacher's words are kept.
class Lesson {
 public:
  /// Asks the teacher about all rows. `rows` must outlive the lesson.
  Lesson(const Teacher& teacher, RowsView rows, const CompressOptions& options,
         const RunOptions& run);

  std::size_t columns() const { return rows_.columns(); }
  std::size_t output_count() const { return outputs_.columns(); }
  /// Rows to learn from: given ones first, then those that were made.
  std::size_t learning_count() const { return learning_.size() + made_outputs_.rows(); }
  const std::vector<std::uint32_t>& learning() const { return learning_; }
  const std::vector<std::uint32_t>& kept_aside() const { return kept_aside_; }
  const InputStage& input_stage() const { return input_; }
  const OutputScale& output_scale() const { return scale_; }

  /// Row `index` of those to learn from, as the first layer sees it, and the scaled outputs.
  void copy_learning_row(std::size_t index, float* input, float* outputs) const;
  /// The same for a given row, by its place in the data.
  void copy_given_row(std::size_t row, float* input, float* outputs) const;

  /// The given rows, and what the teacher says of them.
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
