// SPDX-License-Identifier: Apache-2.0
#include "input/column_coder.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/logarithm.hpp"
#include "base/utf8.hpp"
#include "input/column_guess.hpp"
#include "input/parse_date.hpp"

namespace mbn {

namespace {

Cell code_date(std::string_view text, ColumnKind kind) {
  const DateOrder order = kind == ColumnKind::dmy   ? DateOrder::day_first
                          : kind == ColumnKind::mdy ? DateOrder::month_first
                                                    : DateOrder::unknown;
  const auto date = parse_date(text, order);
  const bool other_order = date && date->order != DateOrder::unknown && date->order != order;
  const bool undecided = date && date->ambiguous && order == DateOrder::unknown;
  if (!date || undecided || (other_order && order != DateOrder::unknown)) {
    return {CellKind::word, 0};
  }
  return {CellKind::number, static_cast<float>(date->days)};
}

Cell code_log(Cell cell) {
  if (cell.kind != CellKind::number) return cell;
  if (cell.value < 0) return {CellKind::word, 0};
  return {CellKind::number, static_cast<float>(natural_log(1 + double{cell.value}))};
}

}  // namespace

std::string utf8_of(std::string_view text) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const Character character = first_character(rest);
    if (character.bytes == 0) {
      result.clear();
      for (const char letter : text) append_character(result, static_cast<unsigned char>(letter));
      return result;
    }
    result.append(rest.substr(0, character.bytes));
    rest.remove_prefix(character.bytes);
  }
  return result;
}

std::string why_not(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::boolean:
      return "is neither true nor false";
    case ColumnKind::date:
      return "is no date that can be read in one way only (2024-03-31)";
    case ColumnKind::dmy:
      return "is no date with the day first (31/03/2024)";
    case ColumnKind::mdy:
      return "is no date with the month first (03/31/2024)";
    case ColumnKind::log:
      return "has no logarithm: it is below 0 or not a number";
    case ColumnKind::category:
      return "is one level too many";
    case ColumnKind::text:
      return "is one text too many";
    default:
      return "is not a number (digits with a point)";
  }
}

ColumnCoder::ColumnCoder(const ColumnCoding& coding, bool known, Decimal decimal)
    : kind_(coding.kind), known_(known), decimal_(decimal) {
  if (!known) return;
  for (const std::string& level : coding.levels) {
    level_places_.emplace(level, static_cast<std::uint32_t>(level_places_.size()));
  }
}

Cell ColumnCoder::code_level(std::string_view text) {
  const std::string level = utf8_of(text);
  const auto found = level_places_.find(level);
  if (found != level_places_.end()) {
    return {CellKind::number, static_cast<float>(found->second)};
  }
  if (known_) {
    if (unknown_++ == 0) unknown_level_ = level;
    return {CellKind::number, kNoLevel};
  }
  if (too_many()) return {CellKind::word, 0};
  const auto place = static_cast<std::uint32_t>(level_places_.size());
  level_places_.emplace(level, place);
  return {too_many() ? CellKind::word : CellKind::number, static_cast<float>(place)};
}

// A float32 holds the numbers of so many.
Cell ColumnCoder::code_text(std::string_view text) {
  constexpr std::size_t kMostTexts = 1 << 24;
  if (texts_.size() == kMostTexts) return {CellKind::word, 0};
  texts_.push_back(utf8_of(text));
  return {CellKind::number, static_cast<float>(texts_.size() - 1)};
}

Cell ColumnCoder::code(std::string_view text) {
  const Cell cell = parse_cell(text, decimal_);
  if (kind_ == ColumnKind::text) {
    return cell.kind == CellKind::missing ? Cell{CellKind::number, kNoLevel} : code_text(text);
  }
  if (cell.kind == CellKind::missing) return cell;
  switch (kind_) {
    case ColumnKind::boolean: {
      const auto boolean = parse_boolean(text);
      if (boolean) return {CellKind::number, boolean->value ? 1.0F : 0.0F};
      const bool digit = cell.kind == CellKind::number && (cell.value == 0 || cell.value == 1);
      return digit ? cell : Cell{CellKind::word, 0};
    }
    case ColumnKind::category:
      return code_level(text);
    case ColumnKind::date:
    case ColumnKind::dmy:
    case ColumnKind::mdy:
      return code_date(text, kind_);
    case ColumnKind::log:
      return code_log(cell);
    default:
      return cell;
  }
}

Cell ColumnCoder::code(double number) {
  if (kind_ == ColumnKind::text) {
    return std::isnan(number) ? Cell{CellKind::number, kNoLevel}
                              : code_text(fmt::format("{}", number));
  }
  if (std::isnan(number)) return {CellKind::missing, 0};
  if (kind_ == ColumnKind::category) return code_level(fmt::format("{}", number));
  const auto value = static_cast<float>(number);
  if (!std::isfinite(value)) {
    return {std::isfinite(number) ? CellKind::too_large : CellKind::not_finite, 0};
  }
  if (kind_ == ColumnKind::log) return code_log({CellKind::number, value});
  if (kind_ == ColumnKind::boolean && value != 0 && value != 1) return {CellKind::word, 0};
  return {CellKind::number, value};
}

std::vector<std::string> ColumnCoder::levels() const {
  std::vector<std::string> names;
  for (const auto& [level, place] : level_places_) names.push_back(level);
  return names;
}

std::vector<std::uint32_t> ColumnCoder::order() const {
  std::vector<std::uint32_t> places(level_places_.size());
  std::uint32_t next = 0;
  for (const auto& [level, place] : level_places_) places[place] = next++;
  return places;
}

}  // namespace mbn
