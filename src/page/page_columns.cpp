// SPDX-License-Identifier: Apache-2.0
#include "page/page_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "describe/column_name.hpp"
#include "page/page_file.hpp"
#include "page/quantise.hpp"

namespace mbn {

namespace {

// More would be too many to choose from.
constexpr std::size_t kMostColumns = 200;

// Columns in the order in which they are wanted: by their strongest mark, then by number.
std::vector<std::uint32_t> wanted_columns(std::size_t columns,
                                          const std::vector<ClusterMarks>& clusters) {
  std::map<std::uint32_t, double> strongest;
  for (const ClusterMarks& cluster : clusters) {
    for (const Mark& mark : cluster.marks) {
      double& strength = strongest[mark.column];
      strength = std::max(strength, std::abs(mark.effect));
    }
  }
  std::vector<std::uint32_t> wanted;
  for (const auto& [column, strength] : strongest) wanted.push_back(column);
  std::ranges::stable_sort(
      wanted, [&](std::uint32_t a, std::uint32_t b) { return strongest[a] > strongest[b]; });
  for (std::uint32_t column = 0; column < columns && wanted.size() < kMostColumns; ++column) {
    if (!strongest.contains(column)) wanted.push_back(column);
  }
  wanted.resize(std::min(wanted.size(), kMostColumns));
  return wanted;
}

std::vector<float> numbers_of(RowsView rows, std::uint32_t column) {
  std::vector<float> numbers(rows.rows());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!rows.is_sparse()) {
      numbers[i] = rows.dense().at(i, column);
      continue;
    }
    const auto columns = rows.sparse().indices(i);
    const auto found = std::ranges::lower_bound(columns, column);
    if (found != columns.end() && *found == column) {
      numbers[i] = rows.sparse().values(i)[static_cast<std::size_t>(found - columns.begin())];
    }
  }
  return numbers;
}

}  // namespace

PageJson value_entry(const std::string& name, const char* kind, const std::string& array,
                     double step) {
  return {{"name", name}, {"kind", kind}, {"array", array}, {"low", 0}, {"step", step}};
}

std::size_t add_columns(RowsView rows, std::span<const std::string> names,
                        const std::vector<ClusterMarks>& clusters, std::uint64_t bytes,
                        PageJson& values, PageArrays& arrays) {
  std::map<std::uint32_t, PackedColumn> chosen;
  std::uint64_t taken = 0;
  for (const std::uint32_t column : wanted_columns(rows.columns(), clusters)) {
    PackedColumn packed = pack_column(numbers_of(rows, column));
    taken += packed_size(packed.raw());
    if (taken > bytes) break;
    chosen.emplace(column, std::move(packed));
  }
  for (const auto& [column, packed] : chosen) {
    const std::string array = fmt::format("column_{}", column);
    packed.add_to(arrays, array);
    values.push_back(value_entry(column_name(names, column), "column", array));
  }
  return chosen.size();
}

}  // namespace mbn
