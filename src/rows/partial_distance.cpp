// SPDX-License-Identifier: Apache-2.0
#include "rows/partial_distance.hpp"

#include <cmath>

#include "rows/metric.hpp"
#include "rows/missing_cells.hpp"

namespace mbn {

double partial_distance(const float* x, const float* w, const double* expected, std::size_t count) {
  FixedOrderSum sum;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(x[i])) continue;
    const double difference = static_cast<double>(x[i]) - static_cast<double>(w[i]);
    sum.add(i, std::isnan(w[i]) ? expected[i] : difference * difference);
  }
  return sum.total();
}

std::vector<double> expected_differences(MatrixView rows) {
  return moments_of_cells(rows).variance;
}

}  // namespace mbn
