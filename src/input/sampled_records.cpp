// SPDX-License-Identifier: Apache-2.0
#include "input/sampled_records.hpp"

namespace mbn {

SampledRecords::SampledRecords(RecordReader& reader, std::size_t most) {
  constexpr std::size_t kMostBytes = 4'000'000;
  std::size_t bytes = 0;
  while (records_.size() < most && bytes < kMostBytes) {
    has_all_ = !reader.next();
    if (has_all_) return;
    std::string& text = texts_.emplace_back();
    std::size_t all = 0;
    for (const std::string_view cell : reader.cells()) all += cell.size();
    text.reserve(all);
    Record& record = records_.emplace_back(Record{reader.line(), {}});
    for (const std::string_view cell : reader.cells()) {
      const std::size_t at = text.size();
      text.append(cell);
      record.cells.emplace_back(text.data() + at, cell.size());
    }
    bytes += all + reader.cells().size() * sizeof(std::string_view);
  }
}

}  // namespace mbn
