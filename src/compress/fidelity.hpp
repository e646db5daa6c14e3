// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/matrix.hpp>

namespace mbn {

/// How well `student` says what `teacher` says, row by row. `centres` are the teacher's clusters in
/// the embedding; outputs that are probabilities have none.
Fidelity measure_fidelity(MatrixView teacher, MatrixView student, MatrixView centres,
                          Target target);

/// The place of the largest output of each row, the first of ties.
std::vector<std::int32_t> likeliest(MatrixView outputs);

}  // namespace mbn
