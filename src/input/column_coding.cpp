// SPDX-License-Identifier: Apache-2.0
#include <mbn/column_coding.hpp>

#include <algorithm>

namespace mbn {

std::size_t coded_columns(const TableCoding& coding) {
  std::size_t columns = 0;
  for (const ColumnCoding& column : coding) columns += column.width();
  return columns;
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
    if (column.kind == ColumnKind::category) {
      blocks.push_back(
          {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(column.width())});
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
