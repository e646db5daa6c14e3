// SPDX-License-Identifier: Apache-2.0
//
// Labels of which a row may have none, one or many, as compressed rows with a 1 per label.
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

namespace {

void add_row(SparseMatrix& sets, std::vector<std::uint32_t>& labels) {
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  sets.indices.insert(sets.indices.end(), labels.begin(), labels.end());
  sets.values.resize(sets.indices.size(), 1.0F);
  sets.starts.push_back(sets.indices.size());
}

/// One label per row; negative numbers are none. Labels are renumbered in their order.
SparseMatrix from_single(const Labels& labels) {
  std::map<std::int32_t, std::uint32_t> columns;
  for (const std::int32_t value : labels.values) {
    if (value >= 0) columns.emplace(value, 0);
  }
  std::uint32_t next = 0;
  for (auto& [value, column] : columns) column = next++;
  SparseMatrix sets;
  sets.columns = columns.size();
  std::vector<std::uint32_t> row;
  for (const std::int32_t value : labels.values) {
    row.clear();
    if (value >= 0) row.push_back(columns[value]);
    add_row(sets, row);
  }
  return sets;
}

/// A line per row, labels between spaces, commas, semicolons or tabs.
SparseMatrix from_text(std::string_view text) {
  constexpr std::string_view kSeparators = " ,;\t\r";
  std::map<std::string, std::uint32_t, std::less<>> numbers;
  SparseMatrix sets;
  std::vector<std::uint32_t> row;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    row.clear();
    while (true) {
      const std::size_t first = line.find_first_not_of(kSeparators);
      if (first == std::string_view::npos) break;
      line.remove_prefix(first);
      const std::string_view label = line.substr(0, line.find_first_of(kSeparators));
      line.remove_prefix(label.size());
      auto found = numbers.find(label);
      if (found == numbers.end()) {
        found =
            numbers.emplace(std::string(label), static_cast<std::uint32_t>(numbers.size())).first;
      }
      row.push_back(found->second);
    }
    add_row(sets, row);
  }
  sets.columns = numbers.size();
  return sets;
}

}  // namespace

SparseMatrix read_label_sets(const std::filesystem::path& path) {
  if (path.extension() == ".npz") return read_sparse(path);
  const auto source = open_source(path.string());
  const auto start = source->peek(4);
  const bool binary = std::find(start.begin(), start.end(), std::byte{0}) != start.end() ||
                      path.extension() == ".npy" || path.extension() == ".gz";
  if (binary) return from_single(read_labels(path));
  const auto bytes = load(*source);
  const auto rest = bytes->rest();
  return from_text({reinterpret_cast<const char*>(rest.data()), rest.size()});
}

}  // namespace mbn
