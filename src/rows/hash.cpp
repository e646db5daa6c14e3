// SPDX-License-Identifier: Apache-2.0
//
// A chain of XXH3: the hash of each row is seeded with the hash of the rows before it, and the
// first with the number of columns. So the stride of a matrix does not matter, but the order of
// rows does.
#include "rows/hash.hpp"

#include <xxhash.h>

namespace mbn {

namespace {

std::uint64_t hash_sparse(SparseView rows) {
  std::uint64_t hash = XXH3_64bits_withSeed(nullptr, 0, rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto at = rows.indices(i);
    const auto values = rows.values(i);
    hash = XXH3_64bits_withSeed(at.data(), at.size_bytes(), hash);
    hash = XXH3_64bits_withSeed(values.data(), values.size_bytes(), hash);
  }
  return hash;
}

std::uint64_t hash_dense(MatrixView rows) {
  std::uint64_t hash = XXH3_64bits_withSeed(nullptr, 0, rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    rows.visit([&](const auto* cells) {
      const auto* row = cells + i * rows.row_stride();
      hash = XXH3_64bits_withSeed(row, rows.columns() * sizeof(*row), hash);
    });
  }
  return hash;
}

}  // namespace

std::uint64_t hash_rows(RowsView rows) {
  return rows.is_sparse() ? hash_sparse(rows.sparse()) : hash_dense(rows.dense());
}

}  // namespace mbn
