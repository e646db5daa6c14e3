// SPDX-License-Identifier: Apache-2.0
//
// Correlation is the cosine of the angle between rows whose mean was subtracted:
//
//     r(x, y) = <x - mean(x), y - mean(y)> / (|x - mean(x)| |y - mean(y)|).
//
// Hellinger's distance between rows of sum 1 is  |sqrt(x) - sqrt(y)| / sqrt(2);  the constant
// orders nothing and is left out. Sums are in double, in the order of the columns.
#include "rows/row_change.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "rows/unit_norm.hpp"

namespace mbn {

namespace {

double sum_of(const float* values, std::size_t count) {
  double sum = 0;
  for (std::size_t j = 0; j < count; ++j) sum += static_cast<double>(values[j]);
  return sum;
}

// A row whose values are all the same correlates with none: it becomes zeros, not the rounding
// error of its mean.
void subtract_mean(float* values, std::size_t count) {
  if (count == 0) return;
  const auto [least, largest] = std::minmax_element(values, values + count);
  const bool constant = *least == *largest;
  const double mean = sum_of(values, count) / static_cast<double>(count);
  for (std::size_t j = 0; j < count; ++j) {
    values[j] = constant ? 0.0F : static_cast<float>(static_cast<double>(values[j]) - mean);
  }
}

void to_roots_of_shares(float* values, std::size_t count) {
  const double sum = sum_of(values, count);
  if (!(sum > 0)) return;
  for (std::size_t j = 0; j < count; ++j) {
    values[j] = static_cast<float>(std::sqrt(static_cast<double>(values[j]) / sum));
  }
}

[[noreturn]] void refuse_value(Metric metric, std::size_t row, std::size_t column, float value) {
  const std::string seen = fmt::to_string(value);
  Message message{fmt::format("row {}, column {} (counted from 1) is ", row + 1, column + 1),
                  option_value(seen), ", but ", option("metric", std::string(name_of(metric)))};
  if (metric == Metric::precomputed) {
    message += Message{" is for distances, which are 0 or more"};
  } else {
    message += Message{" is for values of 0 or more; choose ", option("metric", "manhattan"),
                       " or another"};
  }
  throw InvalidArgument(
      ErrorCode::out_of_range, std::move(message),
      {.option = "metric", .value = seen, .place = {.row = row + 1, .column = column + 1}});
}

}  // namespace

void change_row(Metric metric, float* values, std::size_t count) {
  if (metric == Metric::jaccard) {
    for (std::size_t j = 0; j < count; ++j) values[j] = values[j] != 0 ? 1.0F : 0.0F;
  }
  if (metric == Metric::hellinger) to_roots_of_shares(values, count);
  if (metric == Metric::correlation) subtract_mean(values, count);
  if (metric == Metric::cosine || metric == Metric::correlation) scale_to_unit_norm(values, count);
}

void require_values_for(Metric metric, RowsView rows) {
  if (metric != Metric::chi_squared && metric != Metric::hellinger &&
      metric != Metric::precomputed) {
    return;
  }
  if (!rows.is_sparse() && rows.dense().type() == ElementType::uint8) return;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::size_t count = rows.is_sparse() ? rows.sparse().values(i).size() : rows.columns();
    const float* const values =
        rows.is_sparse() ? rows.sparse().values(i).data() : rows.dense().row<float>(i);
    for (std::size_t n = 0; n < count; ++n) {
      if (values[n] >= 0) continue;
      refuse_value(metric, i, rows.is_sparse() ? rows.sparse().indices(i)[n] : n, values[n]);
    }
  }
}

}  // namespace mbn
