// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "compress/student_data.hpp"

namespace mbn {

/// How the training went, as one JSON object: rows, epochs and fidelity.
std::string training_to_json(const StudentInfo& info);
/// The reverse; FormatError, beginning with `file`, when it is not such a text.
void training_from_json(std::string_view text, std::string_view file, StudentInfo& info);

/// Cluster centres as a list of lists of numbers.
std::string centres_to_json(MatrixView centres);
Matrix centres_from_json(std::string_view text, std::string_view file, std::size_t components);

/// The kinds of the steps, in order; their numbers are tensors. `steps_from_json` refuses unknown
/// kinds and more than `most`.
std::string steps_to_json(const std::vector<InputStep>& steps);
std::vector<InputStep> steps_from_json(std::string_view text, std::string_view file,
                                       std::size_t most);

}  // namespace mbn
