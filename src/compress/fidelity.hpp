// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/matrix.hpp>

namespace mbn {

/// Fidelity of the outputs of a student to those of its teacher, row by row. `centres` are the
/// teacher's cluster centres in the embedding; outputs that are probabilities have none.
Fidelity measure_fidelity(MatrixView teacher, MatrixView student, MatrixView centres,
                          Target target);

/// The number of the largest output of each row, the first of ties.
std::vector<std::int32_t> likeliest(MatrixView outputs);

}  // namespace mbn
