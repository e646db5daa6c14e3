// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>

#include <mbn/matrix.hpp>
#include <mbn/sparse.hpp>

#include "base/random.hpp"

namespace mbn {

inline SparseMatrix compress_plainly(MatrixView rows) {
  SparseMatrix sparse;
  sparse.columns = rows.columns();
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      if (rows.at(i, j) == 0) continue;
      sparse.indices.push_back(static_cast<std::uint32_t>(j));
      sparse.values.push_back(rows.at(i, j));
    }
    sparse.starts.push_back(sparse.indices.size());
  }
  return sparse;
}

/// Rows in which each entry is nonzero with probability `density`.
inline Matrix random_sparse_rows(std::size_t rows, std::size_t columns, double density,
                                 std::uint64_t seed, const std::function<float(Random&)>& value) {
  Random random(seed, Purpose::generate);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      // Some columns are nonzero in nearly every row, as common words are.
      const double chance = j % 50 == 0 ? 0.9 : density;
      if (random.uniform() < chance) matrix.mutable_row<float>(i)[j] = value(random);
    }
  }
  return matrix;
}

}  // namespace mbn
