// SPDX-License-Identifier: Apache-2.0
#include "input/column_guess.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "input/parse_date.hpp"
#include "input/parse_number.hpp"

namespace mbn {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

}  // namespace

std::optional<BooleanCell> parse_boolean(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPairs = {
      {{"true", "false"}, {"yes", "no"}, {"t", "f"}, {"y", "n"}}};
  constexpr std::size_t kLongest = 5;
  if (text.empty() || text.size() > kLongest) return std::nullopt;
  const std::string word = lower(text);
  for (unsigned pair = 0; pair < kPairs.size(); ++pair) {
    if (word == kPairs[pair].first) return BooleanCell{true, pair};
    if (word == kPairs[pair].second) return BooleanCell{false, pair};
  }
  return std::nullopt;
}

void ColumnGuesser::add(std::string_view text, std::size_t place) {
  const CellKind kind = parse_cell(text, decimal_).kind;
  if (kind == CellKind::missing) return;
  ++cells_;
  if (different_.size() <= kMostLevels && !different_.contains(text)) different_.emplace(text);
  if (kind == CellKind::number) ++numbers_;
  if (is_number_with(text, Decimal::comma)) ++with_comma_;
  if (is_number_with(text, Decimal::point)) ++with_point_;
  if (kind == CellKind::number) return;
  if (const auto boolean = parse_boolean(text)) {
    ++booleans_;
    boolean_pairs_ |= 1U << boolean->pair;
  } else if (const auto date = parse_date(text)) {
    ++dates_;
    day_first_ = day_first_ || date->order == DateOrder::day_first;
    month_first_ = month_first_ || date->order == DateOrder::month_first;
    if (date->ambiguous && ambiguous_at_ == 0) {
      ambiguous_at_ = place;
      ambiguous_ = text;
    }
  }
}

bool ColumnGuesser::few_different() const {
  const std::size_t count = different_.size();
  constexpr std::size_t kSmallTable = 10;
  const std::size_t most = std::max(cells_ / 2, std::min(cells_ - 1, kSmallTable));
  return count <= kUsualLevels && count <= most;
}

ColumnGuess ColumnGuesser::guess() const {
  if (only_numbers() || 2 * numbers_ > cells_) return {};
  // Numbers, written in another way: a matter of one option.
  if (with_comma_ == cells_ || with_point_ == cells_) return {};
  if (booleans_ == cells_ && std::has_single_bit(boolean_pairs_)) {
    return {.kind = ColumnKind::boolean};
  }
  if (dates_ == cells_ && !(day_first_ && month_first_)) return guess_date();
  if (few_different()) return {.kind = ColumnKind::category};
  // Too many numbers to throw them away unasked.
  if (10 * numbers_ > cells_) return {};
  return {.kind = ColumnKind::text, .all_different = different_.size() == cells_};
}

ColumnGuess ColumnGuesser::guess_date() const {
  if (day_first_ && !month_first_) return {.kind = ColumnKind::dmy};
  if (month_first_ && !day_first_) return {.kind = ColumnKind::mdy};
  return {.kind = ColumnKind::date, .ambiguous_at = ambiguous_at_, .ambiguous = ambiguous_};
}

}  // namespace mbn
