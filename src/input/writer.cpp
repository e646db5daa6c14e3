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
#include <mbn/stream.hpp>

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

bool is_stdout(const std::filesystem::path& path) {
  return path == "-";
}

/// Standard output always exists, so writing to it always counts as overwriting.
AtomicFile open_target(const std::filesystem::path& path, const WriteOptions& options) {
  return AtomicFile(is_stdout(path) ? "/dev/stdout" : path, is_stdout(path) || options.overwrite);
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

// The shape stands in the header of a .npy, which has the same length whatever it says; so it is
// written again at the end. Devices and pipes cannot go back: for them the cells wait in memory.
struct TableWriter::State {
  State(const std::filesystem::path& path, const WriteOptions& write_options,
        const std::optional<PartFile>& part)
      : options(write_options),
        format(format_of(path)),
        file(part && !is_stdout(path) ? AtomicFile(path, options.overwrite, part->path, part->bytes)
                                      : open_target(path, options)),
        part_path(part ? part->path : std::filesystem::path()),
        rows(part ? part->rows : 0),
        lines(file, format) {}

  std::string header() const {
    std::vector<std::size_t> shape{static_cast<std::size_t>(rows)};
    if (indices > 1) shape.push_back(columns);
    return npy_header(type, shape);
  }

  // What all batches have in common is known with the first.
  void begin(std::string cell_type, std::size_t width, std::size_t index_count,
             std::size_t id_width) {
    const bool first = columns == 0;
    if (!first && (width != columns || cell_type != type || id_width != ids)) {
      throw InvalidArgument(ErrorCode::does_not_fit,
                            fmt::format("the rows have {} columns of {}, but those before had {} "
                                        "of {}; give all rows of a table the same",
                                        width, cell_type, columns, type));
    }
    if (!first) return;
    type = std::move(cell_type);
    columns = width;
    indices = index_count;
    ids = id_width;
    if (rows > 0) return;  // the part file has it
    if (format == Format::npy) {
      if (!file.is_direct()) file.write(header());
      return;
    }
    for (const std::string& name : options.columns) lines.text(name);
    if (!options.columns.empty()) lines.end_line();
  }

  template <class T, class CellsOf>
  void add(std::size_t count, std::size_t width, std::size_t index_count,
           std::span<const std::string> row_ids, CellsOf&& cells_of) {
    if (count == 0) return;
    const std::size_t id_width = format == Format::npy ? 0 : row_ids.size() / count;
    begin(npy_type<T>(), width, index_count, id_width);
    for (std::size_t i = 0; i < count; ++i) {
      const T* cells = cells_of(i);
      if (format != Format::npy) {
        for (std::size_t j = 0; j < ids; ++j) lines.text(row_ids[i * ids + j]);
        for (std::size_t j = 0; j < width; ++j) lines.number(cells[j]);
        lines.end_line();
      } else if (file.is_direct()) {
        waiting.append(reinterpret_cast<const char*>(cells), width * sizeof(T));
      } else {
        file.write(cells, width * sizeof(T));
      }
    }
    rows += count;
  }

  void commit() {
    if (format == Format::npy && file.is_direct()) {
      file.write(header());
      file.write(waiting);
    } else if (format == Format::npy) {
      file.rewrite_start(header());
    }
    file.commit();
  }

  WriteOptions options;
  Format format;
  AtomicFile file;
  std::filesystem::path part_path;
  std::uint64_t rows;
  LineWriter lines;
  std::string type;
  std::size_t columns = 0;
  std::size_t indices = 0;
  std::size_t ids = 0;
  std::string waiting;
};

TableWriter::TableWriter(const std::filesystem::path& path, const WriteOptions& options,
                         const std::optional<PartFile>& part)
    : state_(std::make_unique<State>(path, options, part)) {}
TableWriter::~TableWriter() = default;
TableWriter::TableWriter(TableWriter&&) noexcept = default;
TableWriter& TableWriter::operator=(TableWriter&&) noexcept = default;

void TableWriter::add(MatrixView rows, std::span<const std::string> ids) {
  rows.visit([&](const auto* cells) {
    using T = std::remove_cvref_t<decltype(*cells)>;
    state_->add<T>(rows.rows(), rows.columns(), 2, ids,
                   [&](std::size_t i) { return rows.row<T>(i); });
  });
}

void TableWriter::add(std::span<const std::int32_t> labels, std::span<const std::string> ids) {
  state_->add<std::int32_t>(labels.size(), 1, 1, ids, [&](std::size_t i) { return &labels[i]; });
}

void TableWriter::add(const CodeMatrix& codes, std::span<const std::string> ids) {
  codes.visit([&](const auto* cells) {
    using T = std::remove_cvref_t<decltype(*cells)>;
    state_->add<T>(codes.rows(), codes.clusterings(), 2, ids,
                   [&](std::size_t i) { return cells + i * codes.clusterings(); });
  });
}

PartFile TableWriter::save() {
  return {state_->part_path, state_->file.save(), state_->rows};
}

void TableWriter::commit() {
  state_->commit();
}

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
