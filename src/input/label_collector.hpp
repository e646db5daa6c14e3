// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <mbn/input.hpp>

namespace mbn {

/// Turns label texts into Labels: integers when all of them are, else words numbered in sorted
/// order. Keeps each different text once, so many rows of few classes cost four bytes a row.
class LabelCollector {
 public:
  void add(std::string_view text);
  /// Puts a text before all others.
  void add_first(std::string_view text);
  std::size_t size() const { return codes_.size(); }
  bool all_integers() const;
  Labels finish() const;

 private:
  std::int32_t code_of(std::string_view text);

  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::int32_t> codes_;  // texts_[code] stood in the row
};

}  // namespace mbn
