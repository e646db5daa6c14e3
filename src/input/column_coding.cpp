// SPDX-License-Identifier: Apache-2.0
#include <mbn/column_coding.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace mbn {

namespace {

// Who asks for a text wants it to count: as much as four columns of numbers, whose squares add up
// (docs/adr/0033-columns-of-text.md).
constexpr float kTextWeight = 2;

}  // namespace

std::size_t coded_columns(const TableCoding& coding) {
  std::size_t columns = 0;
  for (const ColumnCoding& column : coding) columns += column.width();
  return columns;
}

std::string TextCoding::name_of(std::size_t column) const {
  constexpr std::size_t kShown = 3;
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t word) { return std::abs(basis[word * columns + column]); };
  std::ranges::stable_sort(order, std::ranges::greater(), size);
  std::string name;
  for (std::size_t i = 0; i < std::min(kShown, order.size()); ++i) {
    name += (i == 0 ? "" : " ") + words[order[i]];
  }
  return name;
}

std::vector<std::string> coded_names(const TableCoding& coding, bool numbered) {
  std::vector<std::string> names;
  const bool named =
      std::ranges::any_of(coding, [](const ColumnCoding& column) { return !column.name.empty(); });
  if (!named && !numbered) return names;
  for (std::size_t i = 0; i < coding.size(); ++i) {
    const ColumnCoding& column = coding[i];
    const std::string name = named ? column.name : "column " + std::to_string(i + 1);
    if (column.kind == ColumnKind::category) {
      for (const std::string& level : column.levels) names.push_back(name + " = " + level);
    } else if (column.kind == ColumnKind::text) {
      for (std::size_t c = 0; c < column.width(); ++c) {
        names.push_back(name + ": " + column.text->name_of(c));
      }
    } else if (column.width() == 1) {
      names.push_back(column.kind == ColumnKind::log ? "ln(1+" + name + ")" : name);
    }
  }
  return names;
}

std::vector<ColumnBlock> blocks_of(const TableCoding& coding) {
  std::vector<ColumnBlock> blocks;
  std::size_t first = 0;
  for (const ColumnCoding& column : coding) {
    const auto begin = static_cast<std::uint32_t>(first);
    const auto count = static_cast<std::uint32_t>(column.width());
    if (column.kind == ColumnKind::category || column.kind == ColumnKind::boolean) {
      blocks.push_back({begin, count});
    } else if (column.kind == ColumnKind::text && count > 0) {
      blocks.push_back({begin, count, kTextWeight});
    }
    first += column.width();
  }
  return blocks;
}

bool is_mixed(const TableCoding& coding) {
  return std::ranges::any_of(coding, [](const ColumnCoding& column) {
    return column.width() > 0 && column.kind != ColumnKind::number;
  });
}

}  // namespace mbn
