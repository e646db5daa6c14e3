// SPDX-License-Identifier: Apache-2.0
#include "input/gene_counts.hpp"

#include <algorithm>
#include <cmath>

namespace mbn {

namespace {

bool is_count(float value) {
  return value >= 0 && value == std::floor(value);
}

}  // namespace

bool are_raw_counts(RowsView rows) {
  bool some = false;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const auto see = [&](float value) {
      some = some || value > 0;
      return is_count(value);
    };
    if (rows.is_sparse()) {
      if (!std::ranges::all_of(rows.sparse().values(row), see)) return false;
      continue;
    }
    for (std::size_t column = 0; column < rows.columns(); ++column) {
      if (!see(rows.dense().at(row, column))) return false;
    }
  }
  return some;
}

}  // namespace mbn
