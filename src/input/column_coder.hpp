// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/column_coding.hpp>
#include <mbn/input.hpp>

#include "input/parse_number.hpp"

namespace mbn {

/// Names and levels from files in Latin-1 become UTF-8, as models and Python want them.
std::string utf8_of(std::string_view text);

/// Makes numbers of the cells of one column. A category becomes the numbers of its levels in the
/// order in which they came, or, when they are known, in their own order; a text the number of what
/// is kept of it here.
class ColumnCoder {
 public:
  /// With `known`, the levels of a category are those of `coding`, and no others.
  ColumnCoder(const ColumnCoding& coding, bool known, Decimal decimal);

  /// The cell as a number; CellKind::word when it is not what the column holds.
  Cell code(std::string_view text);
  /// The same for a number; NaN is missing.
  Cell code(double number);

  ColumnKind kind() const { return kind_; }
  /// Whether there are more levels than a category may have.
  bool too_many() const { return level_places_.size() > kMostLevels; }
  /// Cells whose level is not known, and the first of them.
  std::size_t unknown() const { return unknown_; }
  const std::string& unknown_level() const { return unknown_level_; }

  /// The levels, ascending; and for the number of each level its place among them.
  std::vector<std::string> levels() const;
  std::vector<std::uint32_t> order() const;

  /// The texts that came, without those that are missing.
  const std::vector<std::string>& texts() const { return texts_; }
  /// Before the cells of another table.
  void forget_texts() { texts_.clear(); }

  /// What a level that is not known and a text that is missing become: no column of the block.
  static constexpr float kNoLevel = -1;

 private:
  Cell code_level(std::string_view text);
  Cell code_text(std::string_view text);

  ColumnKind kind_;
  bool known_;
  Decimal decimal_;
  std::map<std::string, std::uint32_t, std::less<>> level_places_;
  std::size_t unknown_ = 0;
  std::string unknown_level_;
  std::vector<std::string> texts_;
};

/// "neither true nor false": why a word is not what such a column holds.
std::string why_not(ColumnKind kind);

}  // namespace mbn
