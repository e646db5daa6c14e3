// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "compress/student_data.hpp"

namespace mbn {

/// Copies one row, dense or sparse, to `to` as a dense row.
void copy_dense_row(RowsView rows, std::size_t index, float* to);

/// What the network does to a row before its first layer, in place.
void apply_input_stage(const InputStage& stage, float* row);

/// Measures shift and factor on the chosen rows. If the teacher does not scale columns, all columns
/// share one deviation, so that distances are kept; otherwise each column has its own.
InputStage make_input_stage(RowsView rows, std::span<const std::uint32_t> chosen,
                            const FitOptions& teacher, Job& job);

}  // namespace mbn
