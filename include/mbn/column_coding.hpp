// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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
  text,      ///< words of which nearly all are different: left out, unless somebody asks for them
  drop,      ///< left out, because somebody said so
};
template <>
constexpr auto enum_names<ColumnKind>() {
  return std::array<std::string_view, 9>{"number", "boolean", "category", "date", "dmy",
                                         "mdy",    "log",     "text",     "drop"};
}

/// How texts become numbers: the weights of their words (log-tfidf, norm 1) along few directions.
struct TextCoding {
  std::uint64_t texts = 0;                  ///< that it was learned from
  std::vector<std::string> words{};         ///< ascending, none twice
  std::vector<std::uint32_t> texts_with{};  ///< [word] texts that have it
  std::uint32_t columns = 0;                ///< directions
  std::vector<float> basis{};               ///< words x columns

  /// The words that decide most about a column, for its name.
  std::string name_of(std::size_t column) const;
  bool operator==(const TextCoding&) const = default;
};

/// One column of a table as it stands in a file, and how its cells become numbers.
struct ColumnCoding {
  std::string name{};  ///< empty when the file has no names
  ColumnKind kind = ColumnKind::number;
  std::vector<std::string> levels{};  ///< of a category: ascending, none twice
  std::optional<TextCoding> text{};   ///< of a text; nothing when it is left out

  bool is_left_out() const {
    return kind == ColumnKind::drop || (kind == ColumnKind::text && !text);
  }
  /// How many columns of numbers it becomes.
  std::size_t width() const {
    if (kind == ColumnKind::category) return levels.size();
    if (kind == ColumnKind::text && text) return text->columns;
    return is_left_out() ? 0 : 1;
  }
  bool operator==(const ColumnCoding&) const = default;
};

/// All columns of a table in order, also those that are left out. Empty: all are numbers.
using TableCoding = std::vector<ColumnCoding>;

/// More levels than this are refused.
inline constexpr std::size_t kMostLevels = 1000;

/// How many columns of numbers a coding gives.
std::size_t coded_columns(const TableCoding& coding);
/// Their names: "age", "ln(1+income)", "colour = red", "comment: late delivery refund". Empty when
/// the columns have no names, unless they are to be `numbered`: "column 3 = red".
std::vector<std::string> coded_names(const TableCoding& coding, bool numbered = false);
/// Where the levels of each category stand among them, and each boolean, which weighs like a
/// category of two levels, and the columns of each text.
std::vector<ColumnBlock> blocks_of(const TableCoding& coding);
/// Whether it has more than numbers beside what is left out. Such columns have different units, and
/// belong on one scale (Scale::standard).
bool is_mixed(const TableCoding& coding);

}  // namespace mbn
