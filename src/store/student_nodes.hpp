// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compress/student_data.hpp"
#include "store/onnx_graph.hpp"

namespace mbn {

/// Tensors of one number that nodes share. They stand first in a file, in this order, where they
/// are needed.
inline constexpr std::array<std::pair<std::string_view, float>, 2> kConstantTensors{
    {{"least_length", kLeastLength}, {"one", 1.0F}}};

/// What the tensors and results of step `index` are named after.
std::string step_name(std::size_t index);

/// The graph of a student, and its tensors, which point at the student's own memory.
std::vector<OnnxNode> student_nodes(const StudentData& student);
std::vector<OnnxTensor> student_tensors(const StudentData& student);

}  // namespace mbn
