// SPDX-License-Identifier: Apache-2.0
#include "compress/fidelity.hpp"

#include <algorithm>

#include <mbn/cluster.hpp>

namespace mbn {

namespace {

double share_of_equal_labels(const std::vector<std::int32_t>& a,
                             const std::vector<std::int32_t>& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

double r_squared(MatrixView teacher, MatrixView student) {
  double errors = 0;
  double deviations = 0;
  for (std::size_t j = 0; j < teacher.columns(); ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < teacher.rows(); ++i) mean += double{teacher.row<float>(i)[j]};
    mean /= static_cast<double>(teacher.rows());
    for (std::size_t i = 0; i < teacher.rows(); ++i) {
      const double value{teacher.row<float>(i)[j]};
      const double error = double{student.row<float>(i)[j]} - value;
      errors += error * error;
      deviations += (value - mean) * (value - mean);
    }
  }
  if (deviations > 0) return 1 - errors / deviations;
  return errors > 0 ? 0 : 1;
}

}  // namespace

std::vector<std::int32_t> likeliest(MatrixView outputs) {
  std::vector<std::int32_t> labels(outputs.rows());
  for (std::size_t i = 0; i < outputs.rows(); ++i) {
    const float* row = outputs.row<float>(i);
    labels[i] = static_cast<std::int32_t>(std::max_element(row, row + outputs.columns()) - row);
  }
  return labels;
}

Fidelity measure_fidelity(MatrixView teacher, MatrixView student, MatrixView centres,
                          Target target) {
  Fidelity fidelity{teacher.rows(), r_squared(teacher, student), std::nullopt};
  if (target == Target::clusters) {
    fidelity.labels = share_of_equal_labels(likeliest(teacher), likeliest(student));
  } else if (centres.rows() > 0) {
    fidelity.labels =
        share_of_equal_labels(nearest_centres(teacher, centres), nearest_centres(student, centres));
  }
  return fidelity;
}

}  // namespace mbn
