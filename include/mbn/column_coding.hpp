// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// What a column of a table holds, and so what becomes of its cells.
enum class ColumnKind : std::uint8_t {
  number,    ///< itself
  boolean,   ///< 1 for true, yes, t and y, 0 for false, no, f and n
  category,  ///< one column for each level (word): 1 where the cell has it, else 0
  date,      ///< days since 1970-01-01; dates that can be read in one way only
  dmy,       ///< the same, and 03/04/2024 is the third of April
  mdy,       ///< the same, and 03/04/2024 is March 4
  log,       ///< ln(1 + x)
  text,      ///< left out: words of which nearly all are different
  drop,      ///< left out, because somebody said so
};
template <>
constexpr auto enum_names<ColumnKind>() {
  return std::array<std::string_view, 9>{"number", "boolean", "category", "date", "dmy",
                                         "mdy",    "log",     "text",     "drop"};
}

/// One column of a table as it stands in a file, and how its cells become numbers.
struct ColumnCoding {
  std::string name{};  ///< empty when the file has no names
  ColumnKind kind = ColumnKind::number;
  std::vector<std::string> levels{};  ///< of a category: ascending, none twice

  /// How many columns of numbers it becomes.
  std::size_t width() const {
    if (kind == ColumnKind::category) return levels.size();
    return kind == ColumnKind::text || kind == ColumnKind::drop ? 0 : 1;
  }
  bool operator==(const ColumnCoding&) const = default;
};

/// All columns of a table in order, also those that are left out. Empty: all are numbers.
using TableCoding = std::vector<ColumnCoding>;

/// More levels than this are refused.
inline constexpr std::size_t kMostLevels = 1000;

/// How many columns of numbers a coding gives.
std::size_t coded_columns(const TableCoding& coding);
/// Their names: "age", "ln(1+income)", "colour = red". Empty when the columns have no names, unless
/// they are to be `numbered`: "column 3 = red".
std::vector<std::string> coded_names(const TableCoding& coding, bool numbered = false);
/// Where the levels of each category stand among them.
std::vector<ColumnBlock> blocks_of(const TableCoding& coding);
/// Whether it has more than numbers beside what is left out. Such columns have different units, and
/// belong on one scale (Scale::standard).
bool is_mixed(const TableCoding& coding);

}  // namespace mbn
