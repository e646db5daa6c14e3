// SPDX-License-Identifier: Apache-2.0
//
// The ending of the path decides the format. Numbers are written with std::to_chars: the shortest
// text that reads back as the same float, in every locale. All bytes go through AtomicFile, so a
// file appears whole or not at all, and an existing one is refused before any work is done.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <string>
#include <type_traits>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "base/atomic_file.hpp"
#include "input/line_writer.hpp"
#include "input/npy.hpp"

namespace mbn {
namespace {

enum class Format { npy, comma, tab };

Format format_of(const std::filesystem::path& path) {
  if (path == "-") return Format::comma;
  const std::string ending = path.extension().string();
  if (ending == ".npy") return Format::npy;
  if (ending == ".csv") return Format::comma;
  if (ending == ".tsv" || ending == ".txt") return Format::tab;
  throw InvalidArgument(
      ErrorCode::unknown_choice,
      fmt::format("cannot tell how to write {}: the ending '{}' is not known; use .npy, .csv, .tsv "
                  "or .txt",
                  path.string(), ending),
      {.value = ending, .path = path});
}

/// Standard output always exists, so writing to it always counts as overwriting.
AtomicFile open_target(const std::filesystem::path& path, const WriteOptions& options) {
  const bool is_stdout = path == "-";
  return AtomicFile(is_stdout ? "/dev/stdout" : path, is_stdout || options.overwrite);
}

/// Lines of cells with a separator between them.
class LineWriter {
 public:
  LineWriter(AtomicFile& file, Format format)
      : file_(file), separator_(format == Format::comma ? ',' : '\t') {}

  void text(std::string_view cell) {
    separate();
    append_cell(line_, cell);
  }

  template <class T>
  void number(T value) {
    separate();
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    line_.append(digits.data(), end);
  }

  void end_line() {
    line_ += '\n';
    file_.write(line_);
    line_.clear();
    first_ = true;
  }

 private:
  void separate() {
    if (!first_) line_ += separator_;
    first_ = false;
  }

  AtomicFile& file_;
  char separator_;
  std::string line_;
  bool first_ = true;
};

std::size_t id_columns(const WriteOptions& options, std::size_t rows) {
  return options.ids.empty() ? 0 : options.ids.size() / rows;
}

void check_names(const WriteOptions& options, std::size_t rows, std::size_t columns) {
  if (!options.ids.empty() && (rows == 0 || options.ids.size() % rows != 0)) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("there are {} ids for {} rows; give one per row", options.ids.size(), rows));
  }
  const std::size_t cells = columns + id_columns(options, rows);
  if (!options.columns.empty() && options.columns.size() != cells) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          fmt::format("there are {} column names for {} columns; give one for each",
                                      options.columns.size(), cells));
  }
}

/// Writes rows x columns cells, where `cells(row)` points to a row's first cell.
template <class CellsOf>
void write_lines(AtomicFile& file, Format format, const WriteOptions& options, std::size_t rows,
                 std::size_t columns, CellsOf&& cells_of) {
  LineWriter writer(file, format);
  for (const std::string& name : options.columns) writer.text(name);
  if (!options.columns.empty()) writer.end_line();
  const std::size_t ids = id_columns(options, rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < ids; ++j) writer.text(options.ids[i * ids + j]);
    const auto* cells = cells_of(i);
    for (std::size_t j = 0; j < columns; ++j) writer.number(cells[j]);
    writer.end_line();
  }
}

template <class T>
std::string npy_type() {
  const char order = sizeof(T) == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return fmt::format("{}{}{}", order, kind, sizeof(T));
}

/// One array of any number type, in the format that the path asks for. `shape` has one index
/// (labels) or two.
template <class T, class CellsOf>
void write_array(const std::filesystem::path& path, const WriteOptions& options,
                 std::span<const std::size_t> shape, CellsOf&& cells_of) {
  const std::size_t columns = shape.size() > 1 ? shape[1] : 1;
  const Format format = format_of(path);
  if (format != Format::npy) check_names(options, shape[0], columns);
  AtomicFile file = open_target(path, options);
  if (format == Format::npy) {
    file.write(npy_header(npy_type<T>(), shape));
    for (std::size_t i = 0; i < shape[0]; ++i) file.write(cells_of(i), columns * sizeof(T));
  } else {
    write_lines(file, format, options, shape[0], columns, cells_of);
  }
  file.commit();
}

}  // namespace

void check_table_ending(const std::filesystem::path& path) {
  format_of(path);
}

void write_matrix(const std::filesystem::path& path, MatrixView rows, const WriteOptions& options) {
  const std::array<std::size_t, 2> shape = {rows.rows(), rows.columns()};
  rows.visit([&](const auto* cells) {
    using T = std::remove_cvref_t<decltype(*cells)>;
    write_array<T>(path, options, shape, [&](std::size_t i) { return rows.row<T>(i); });
  });
}

void write_labels(const std::filesystem::path& path, std::span<const std::int32_t> labels,
                  const WriteOptions& options) {
  const std::array<std::size_t, 1> shape = {labels.size()};
  write_array<std::int32_t>(path, options, shape, [&](std::size_t i) { return &labels[i]; });
}

void write_codes(const std::filesystem::path& path, const CodeMatrix& codes,
                 const WriteOptions& options) {
  const std::array<std::size_t, 2> shape = {codes.rows(), codes.clusterings()};
  codes.visit([&](const auto* cells) {
    using T = std::remove_cvref_t<decltype(*cells)>;
    write_array<T>(path, options, shape,
                   [&](std::size_t i) { return cells + i * codes.clusterings(); });
  });
}

void write_text(const std::filesystem::path& path, std::string_view text,
                const WriteOptions& options) {
  AtomicFile file = open_target(path, options);
  file.write(text);
  file.commit();
}

}  // namespace mbn
