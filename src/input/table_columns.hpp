// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <mbn/input.hpp>

#include "input/sampled_records.hpp"

namespace mbn {

/// What the columns of a text table are: names, labels, ids, and all others.
struct TableColumns {
  std::vector<std::string> first_line;
  std::vector<std::size_t> features;
  std::optional<std::size_t> label;
  std::vector<std::size_t> ids;
  bool has_header = false;
  bool nameless_ids = false;   ///< nobody said so: the first column has no name
  bool first_is_data = false;  ///< it has words, but those of a row and not names

  std::size_t count() const { return first_line.size(); }
  bool is_id(std::size_t column) const;
  /// How to call a column in a message.
  std::string describe(std::size_t column) const;
  /// How to choose a column with an option.
  std::string word_for(std::size_t column) const;
};

/// Decides on the first line, and on what stands below it, how many cells a line has, which of them
/// are labels or row ids, and whether it is a header.
TableColumns find_columns(const SampledRecords& sample, const ReadOptions& options,
                          const std::string& file);

}  // namespace mbn
