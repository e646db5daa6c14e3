// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/rows.hpp>

#include "compress/student_data.hpp"
#include "compress/teacher.hpp"

namespace mbn {

/// CompressResult, with the student as plain data.
struct Compressed {
  StudentData student;
  bool stopped = false;
  std::vector<double> training_loss;
  std::vector<double> validation_loss;
  double teacher_seconds = 0;
  double training_seconds = 0;
  double training_operations = 0;
};

/// compress(), with any teacher.
Compressed train_student(const Teacher& teacher, RowsView rows, const CompressOptions& options,
                         const RunOptions& run);

}  // namespace mbn
