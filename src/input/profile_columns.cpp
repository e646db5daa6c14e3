// SPDX-License-Identifier: Apache-2.0
//
// A column is heavy-tailed when its values begin at 0 or above, its skewness is large, and that of
// the logarithms much smaller.
#include <algorithm>
#include <cmath>

#include <mbn/input.hpp>

#include "base/logarithm.hpp"

namespace mbn {

namespace {

struct Moments {
  double count = 0, sum = 0, squares = 0, cubes = 0;

  void add(double value) {
    count += 1;
    sum += value;
    squares += value * value;
    cubes += value * value * value;
  }
  double skewness() const {
    const double mean = sum / count;
    const double variance = squares / count - mean * mean;
    if (!(variance > 1e-9 * mean * mean) || !(variance > 0)) return 0;
    return (cubes / count - 3 * mean * squares / count + 2 * mean * mean * mean) /
           (variance * std::sqrt(variance));
  }
};

bool is_heavy_tailed(MatrixView rows, std::size_t column) {
  constexpr double kFewest = 20;
  constexpr double kSkewed = 3;
  Moments plain, logs;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double value = double{rows.at(i, column)};
    if (std::isnan(value)) continue;
    if (value < 0) return false;
    plain.add(value);
    logs.add(natural_log(1 + value));
  }
  if (plain.count < kFewest) return false;
  const double skewness = plain.skewness();
  return skewness > kSkewed && std::abs(logs.skewness()) < skewness / 2;
}

std::size_t missing_in(MatrixView rows, std::size_t first, std::size_t count, bool all_zero) {
  std::size_t missing = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    float sum = 0;
    for (std::size_t j = first; j < first + count; ++j) sum += std::abs(rows.at(i, j));
    if (std::isnan(sum) || (all_zero && sum == 0)) ++missing;
  }
  return missing;
}

ColumnProfile profile_of(MatrixView rows, std::size_t first, const ColumnCoding& column) {
  const std::size_t levels = column.text ? column.text->words.size() : column.levels.size();
  ColumnProfile profile{column.name, column.kind, levels, column.width(), std::nullopt, false};
  if (column.width() == 0) return profile;
  const bool category = column.kind == ColumnKind::category || column.kind == ColumnKind::text;
  profile.missing = missing_in(rows, first, column.width(), category);
  profile.heavy_tailed = column.kind == ColumnKind::number && is_heavy_tailed(rows, first);
  return profile;
}

}  // namespace

std::vector<ColumnProfile> profile_columns(const Table& table) {
  TableCoding coding = table.coding;
  if (coding.empty()) {
    coding.resize(table.rows.columns());
    for (std::size_t i = 0; i < table.columns.size(); ++i) coding[i].name = table.columns[i];
  }
  std::vector<ColumnProfile> profiles;
  std::size_t first = 0;
  for (const ColumnCoding& column : coding) {
    profiles.push_back(profile_of(table.rows.dense(), first, column));
    first += column.width();
  }
  return profiles;
}

}  // namespace mbn
