// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/lsa_options.hpp>
#include <mbn/matrix.hpp>

namespace mbn {

/// The result of latent semantic analysis, as plain data: api/ makes the class `Lsa` of it, store/
/// a file.
struct LsaData {
  LsaOptions options;
  std::uint64_t training_rows = 0;
  Matrix loadings;                      ///< V: columns x components, float32
  std::vector<double> singular_values;  ///< largest first

  std::uint64_t columns() const { return loadings.rows(); }
};

}  // namespace mbn
