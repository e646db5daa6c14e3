// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// Rows of text files that are read a batch at a time: of one, or of several with the same columns,
/// one after the other. Sources must outlive it.
class TextRows {
 public:
  /// Gives the files after the first, and null after the last.
  using NextFile = std::function<std::unique_ptr<ByteSource>()>;

  TextRows(ByteSource& first, const ReadOptions& options, NextFile next = nullptr);
  ~TextRows();

  /// Up to `most` rows, or those with these numbers (ascending, from where reading stands); a table
  /// without rows at the end. Of several batches, only those with a known coding make sense; what
  /// is noted of unknown levels counts all batches so far.
  Table read(std::size_t most, const std::vector<std::uint64_t>* numbers = nullptr);
  /// Passes over rows without looking at their cells. Returns how many there were.
  std::uint64_t skip(std::uint64_t count);

 private:
  struct State;
  Table finish(std::shared_ptr<std::vector<float>> cells, std::optional<Labels> labels,
               std::vector<std::string> ids);

  std::unique_ptr<State> state_;
};

/// Rows from CSV, TSV or text with spaces between the numbers, with or without a header line.
Table read_text_table(ByteSource& source, const ReadOptions& options);

/// One label per line: the whole line, or its last cell when there are commas, tabs or semicolons.
/// A first line that is not a number is skipped when all others are integers.
Labels read_text_labels(ByteSource& source);

}  // namespace mbn
