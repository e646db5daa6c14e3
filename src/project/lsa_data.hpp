// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/lsa.hpp>

namespace mbn {

struct Lsa::Data {
  LsaOptions options;
  std::uint64_t training_rows = 0;
  Matrix loadings;  ///< columns x components, float32
  std::vector<double> singular_values;
};

}  // namespace mbn
