// SPDX-License-Identifier: Apache-2.0
//
// Lines are copied byte for byte; only what is added is written anew, between the separators that
// the file has.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "base/atomic_file.hpp"
#include "input/line_writer.hpp"
#include "input/reader.hpp"
#include "input/record_reader.hpp"

namespace mbn {

namespace {

std::string free_name(std::string name, const std::vector<std::string_view>& taken) {
  while (std::ranges::find(taken, name) != taken.end()) name.insert(0, "mbn_");
  return name;
}

[[noreturn]] void fail_count(const RecordReader& reader, std::size_t cells) {
  throw InvalidArgument(
      ErrorCode::does_not_fit,
      fmt::format(
          "{} does not have the {} rows that the new columns have; it was changed meanwhile",
          reader.name(), cells),
      {.path = reader.name()});
}

}  // namespace

void check_text_table(const std::filesystem::path& source) {
  open_text_table(source.string());
}

void append_columns(const std::filesystem::path& target, const std::filesystem::path& source,
                    bool header, const std::vector<AddedColumn>& columns,
                    const WriteOptions& options) {
  const auto bytes = open_text_table(source.string());
  RecordReader reader(*bytes, RecordReader::Otherwise::spaces);
  AtomicFile file(target, options.overwrite);
  const std::size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  const auto write_line = [&](const auto& cell_of) {
    std::string line(reader.text());
    for (const AddedColumn& column : columns) {
      line += reader.separator();
      append_cell(line, cell_of(column));
    }
    file.write(line + "\n");
  };
  if (header && reader.next()) {
    write_line([&](const AddedColumn& column) { return free_name(column.name, reader.cells()); });
  }
  std::size_t row = 0;
  for (; reader.next(); ++row) {
    if (row == rows) fail_count(reader, rows);
    write_line([&](const AddedColumn& column) { return column.cells.at(row); });
  }
  if (row != rows) fail_count(reader, rows);
  file.commit();
}

}  // namespace mbn
