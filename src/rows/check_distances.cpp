// SPDX-License-Identifier: Apache-2.0
#include "rows/check_distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <mbn/error.hpp>
#include <mbn/options.hpp>

#include "rows/nearest_drawn.hpp"
#include "rows/row_change.hpp"

namespace mbn {

namespace {

const ErrorDetails kPrecomputed{.option = "metric", .value = "precomputed"};

void require_square(RowsView rows) {
  if (rows.rows() != rows.columns()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        {option("metric", "precomputed"),
         fmt::format(" takes the distances of each row to all rows, as many columns as rows, and "
                     "these are {} x {}",
                     rows.rows(), rows.columns())},
        kPrecomputed);
  }
  if (rows.columns() > kMostDistances) {
    throw InvalidArgument(ErrorCode::too_large,
                          fmt::format("{} rows are too many for {}; give at most {}", rows.rows(),
                                      "precomputed distances", kMostDistances),
                          kPrecomputed);
  }
}

// Of a similarity the diagonal is the largest, of a distance the smallest.
void refuse_similarities(MatrixView rows) {
  std::size_t own_is_far = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::size_t farther = 0;
    for (std::size_t j = 0; j < rows.columns(); ++j) farther += rows.at(i, i) > rows.at(i, j);
    own_is_far += 2 * farther > rows.columns();
  }
  if (2 * own_is_far <= rows.rows()) return;
  throw InvalidArgument(
      ErrorCode::invalid,
      {"most rows are farther from themselves than from most others: these are similarities, and ",
       option("metric", "precomputed"), " takes distances; subtract them from the largest"},
      kPrecomputed);
}

std::optional<Message> asymmetry_note(MatrixView rows) {
  // Sums in another order differ by this much.
  constexpr float kRounding = 1e-4F;
  float largest = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) largest = std::max(largest, rows.at(i, j));
  }
  std::uint64_t pairs = 0;
  std::size_t row = 0, column = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const float there = rows.at(j, i), back = rows.at(i, j);
      if (std::abs(there - back) <= kRounding * std::max(there, 0.01F * largest)) continue;
      if (pairs++ == 0) row = j, column = i;
    }
  }
  if (pairs == 0) return std::nullopt;
  return fmt::format(
      "the distances are not the same both ways: row {}, column {} is {}, and row {}, column {} is "
      "{} (counted from 1; {} such pairs); each row goes by its own",
      row + 1, column + 1, rows.at(row, column), column + 1, row + 1, rows.at(column, row), pairs);
}

}  // namespace

std::optional<Message> check_distances(RowsView rows) {
  require_square(rows);
  require_values_for(Metric::precomputed, rows);
  if (rows.is_sparse()) return std::nullopt;
  refuse_similarities(rows.dense());
  return asymmetry_note(rows.dense());
}

}  // namespace mbn
