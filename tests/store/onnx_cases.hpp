// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compress/student_data.hpp"

namespace mbn {

/// A student made by formula: small, valid, the same on every machine.
inline StudentData small_student(Target target = Target::embedding, bool unit_norm = false,
                                 std::uint32_t clusters = 2) {
  StudentData student;
  StudentInfo& info = student.info;
  info.options.target = target;
  info.options.hidden = {4};
  info.options.dropout = 0;
  info.options.seed = 18446744073709551615ULL;
  info.teacher_checksum = "0123456789abcdef";
  if (clusters != 0) info.teacher_options.clusters = clusters;
  info.sizes = {3, 4, 2};
  info.training_rows = 95;
  info.epochs = 7;
  info.best_epoch = 5;
  info.validation = {5, 0.875, 0.8};
  info.training = {95, 0.9375, std::nullopt};
  student.input = {unit_norm, {0.5F, -1.5F, 0}, {1, 0.25F, 0}};
  for (std::size_t l = 0; l < 2; ++l) {
    DenseLayer layer{info.sizes[l], info.sizes[l + 1], {}, {}};
    for (std::size_t i = 0; i < layer.inputs * layer.outputs; ++i) {
      layer.weights.push_back(static_cast<float>(i * 7 % 5) * 0.1F - 0.2F);
    }
    for (std::size_t j = 0; j < layer.outputs; ++j) {
      layer.bias.push_back(static_cast<float>(j) * 0.01F);
    }
    info.weights += layer.weights.size() + layer.bias.size();
    student.layers.push_back(std::move(layer));
  }
  if (target == Target::embedding && clusters > 0) {
    student.centres = Matrix(clusters, 2);
    for (std::size_t i = 0; i < clusters; ++i) {
      student.centres.mutable_row<float>(i)[0] = 0.1F * static_cast<float>(i) + 1e-7F;
      student.centres.mutable_row<float>(i)[1] = -1.0F / 3;
    }
  }
  return student;
}

}  // namespace mbn
