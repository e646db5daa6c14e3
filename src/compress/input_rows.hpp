// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "base/large_array.hpp"
#include "compress/student_data.hpp"
#include "compress/teacher.hpp"

namespace mbn {

/// Copies one row, dense or sparse, to `to` as a dense row.
void copy_dense_row(RowsView rows, std::size_t index, float* to);

/// An input stage ready to work, its directions packed. `stage` must outlive it. May be used from
/// many threads at once. A row gives the same bytes alone and among others.
class InputRows {
 public:
  explicit InputRows(const InputStage& stage);

  /// Numbers of a row before and after the stage.
  std::size_t columns() const { return columns_; }
  std::size_t width() const { return width_; }

  /// Work space of one thread.
  struct Space {
    LargeArray<float> packed;
  };
  /// In place: `rows` rows of columns() numbers become rows of width() numbers.
  void apply(float* cells, std::size_t rows, Space& space) const;
  /// All rows, rows x width().
  Matrix prepare(RowsView rows, Job& job) const;

 private:
  void multiply(const DenseLayer& layer, float* cells, std::size_t rows, Space& space) const;

  const InputStage& stage_;
  std::size_t columns_;
  std::size_t width_;
  LargeArray<float> basis_;  ///< the directions, as a right factor
};

/// What the teacher does to rows, as far as it helps a student, and shift and factor, measured on
/// the chosen rows. If the teacher does not scale columns, all share one deviation, so that
/// distances are kept; otherwise each has its own.
InputStage make_input_stage(const Teacher& teacher, RowsView rows,
                            std::span<const std::uint32_t> chosen, Job& job);

}  // namespace mbn
