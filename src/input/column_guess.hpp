// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include <mbn/column_coding.hpp>
#include <mbn/input.hpp>

namespace mbn {

/// Kinds are told from so many rows at the front of a table.
inline constexpr std::size_t kSampleRows = 10'000;
/// A column of words with more different ones is text, unless somebody says otherwise.
inline constexpr std::size_t kUsualLevels = 50;

/// What the cells of one column look like.
struct ColumnGuess {
  ColumnKind kind = ColumnKind::number;
  bool all_different = false;    ///< text: as row ids are
  std::size_t ambiguous_at = 0;  ///< `place` of the first date that can be read in two ways, from 1
  std::string ambiguous{};       ///< that date; empty when something decides
};

/// Tells what a column holds from a sample of its cells. It is taken for numbers when most cells
/// are numbers, so that the others are reported and do not turn it into words.
class ColumnGuesser {
 public:
  explicit ColumnGuesser(Decimal decimal) : decimal_(decimal) {}

  /// `place` is handed back for a date that can be read in two ways.
  void add(std::string_view cell, std::size_t place);
  ColumnGuess guess() const;
  /// Only how its dates are to be read, when it is known that they are dates.
  ColumnGuess guess_date() const;
  /// Whether nothing but numbers and missing cells came.
  bool only_numbers() const { return numbers_ == cells_; }
  bool has(std::string_view cell) const { return different_.contains(cell); }

 private:
  bool few_different() const;

  Decimal decimal_;
  std::size_t cells_ = 0;  // that are not missing
  std::size_t numbers_ = 0;
  std::size_t with_comma_ = 0;
  std::size_t with_point_ = 0;
  std::size_t booleans_ = 0;
  std::size_t dates_ = 0;
  bool day_first_ = false;
  bool month_first_ = false;
  unsigned boolean_pairs_ = 0;  // a bit for each pair of words
  std::size_t ambiguous_at_ = 0;
  std::string ambiguous_;
  std::set<std::string, std::less<>> different_;  // kMostLevels + 1 at most
};

/// true and false: 1 and 0; the pair of words (true/false, yes/no, t/f, y/n), from 0.
struct BooleanCell {
  bool value = false;
  unsigned pair = 0;
};
std::optional<BooleanCell> parse_boolean(std::string_view text);

}  // namespace mbn
