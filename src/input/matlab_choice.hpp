// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mbn {

/// Which of a MATLAB file's matrices to read: `wanted`, or else the usual one (X, data, fea), or
/// the only one. InvalidArgument, without the name of the file, when there is none such.
std::string chosen_matlab_array(const std::vector<std::string>& names, const std::string& wanted);

}  // namespace mbn
