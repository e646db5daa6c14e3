// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "input/record_reader.hpp"

namespace mbn {

/// One line of a text table: its cells and where it begins.
struct Record {
  std::size_t line = 0;
  std::vector<std::string_view> cells;
};

/// The first records of a file, kept so that they can be looked at before they are read as rows.
class SampledRecords {
 public:
  /// Reads until there are `most` records, or some megabytes of them, or no more.
  SampledRecords(RecordReader& reader, std::size_t most);

  /// Whether the file ended here; the reader must not be asked for more then.
  bool has_all() const { return has_all_; }
  bool empty() const { return records_.empty(); }
  const Record& first() const { return records_.front(); }
  const std::vector<Record>& records() const { return records_; }

 private:
  std::deque<std::string> texts_;  // the cells of a record, one after the other
  std::vector<Record> records_;
  bool has_all_ = false;
};

}  // namespace mbn
