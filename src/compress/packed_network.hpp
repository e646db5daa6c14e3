// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "base/large_array.hpp"
#include "compress/input_rows.hpp"
#include "compress/student_data.hpp"

namespace mbn {

/// A student ready to predict: its weights packed once for all rows to come. `student` must outlive
/// it. May be used from many threads at once.
class PackedNetwork {
 public:
  explicit PackedNetwork(const StudentData& student);

  /// The outputs, rows x outputs. Every task of the job is one block of rows.
  Matrix run(RowsView rows, Job& job) const;
  static std::size_t tasks(std::size_t rows);

 private:
  struct Space;
  void run_block(RowsView rows, std::size_t first, std::size_t count, Space& space,
                 float* outputs) const;

  const StudentData& student_;
  InputRows input_;
  std::size_t widest_ = 0;
  std::vector<LargeArray<float>> weights_;  ///< right factors, one per layer
};

}  // namespace mbn
