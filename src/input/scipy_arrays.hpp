// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <mbn/sparse.hpp>

namespace mbn {

/// The arrays of a SciPy sparse matrix, as they stand in its file.
struct ScipyArrays {
  bool by_column = false;  ///< csc; else csr
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> starts;
  std::vector<std::uint64_t> indices;
  std::vector<float> values;
};

/// Compressed rows. The indices of a row may stand in any order, as in SciPy; one that stands there
/// twice, one outside the shape, and starts that do not fit are FormatErrors.
SparseMatrix rows_from_scipy(const std::string& name, const ScipyArrays& arrays);

}  // namespace mbn
