// SPDX-License-Identifier: Apache-2.0
//
// Detects the kind of a file and calls the reader of that kind. The first bytes decide: they cannot
// be mistyped, and downloads often lose their ending. The ending only explains an error (a `.npy`
// that does not begin like one is damaged, not text). gzip is opened, and the kind of its contents
// detected in the same way. Text may come through a pipe as it is; the other kinds need to know how
// many bytes there are before they allocate, so a pipe is first read into memory for them.
#include "input/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <mbn/error.hpp>

#include "input/column_choice.hpp"
#include "input/gzip_source.hpp"
#include "input/hdf5.hpp"
#include "input/idx.hpp"
#include "input/mat5.hpp"
#include "input/matrix_market.hpp"
#include "input/missing.hpp"
#include "input/npy.hpp"
#include "input/npz.hpp"
#include "input/picture_folder.hpp"
#include "input/signature.hpp"
#include "input/sparse_entries.hpp"
#include "input/svmlight.hpp"
#include "input/ten_x.hpp"
#include "input/text_table.hpp"
#include "input/utf16_source.hpp"
#include "input/vecs.hpp"
#include "rows/columns.hpp"

namespace mbn {
namespace {

enum class Kind { npy, npz, idx, vecs, hdf5, mat5, matrix_market, svmlight, text };

bool is_text(Kind kind) {
  return kind == Kind::text || kind == Kind::svmlight || kind == Kind::matrix_market;
}

constexpr std::size_t kStartBytes = 4096;

[[noreturn]] void fail_kind(const std::string& name, const char* kind) {
  throw FormatError(
      ErrorCode::not_this_format,
      fmt::format(
          "{}: the file does not begin like {}; it is damaged or something else, fetch or write it "
          "again",
          name, kind),
      {.path = name});
}

/// FormatError when the bytes are those of a kind that is not read, or no text.
void refuse_foreign(const std::string& name, std::span<const std::byte> start,
                    const Signature* known) {
  if (known == nullptr && std::ranges::find(start, std::byte{0}) == start.end()) return;
  std::string problem =
      known != nullptr ? fmt::format("this is {}, which is not read", known->what)
                       : "this is not a kind of file that is read: it is not text in UTF-8, and "
                         "does not begin like .npy, .npz or IDX; convert it to one of them";
  if (known != nullptr) problem += conversion_of(*known, name);
  throw FormatError(ErrorCode::not_this_format, fmt::format("{}: {}", name, problem),
                    {.path = name});
}

std::string ending_of(const std::string& name) {
  const std::filesystem::path path(name);
  return (path.extension() == ".gz" ? path.stem() : path).extension().string();
}

Kind kind_of(ByteSource& source) {
  const auto start = source.peek(kStartBytes);
  if (is_npy(start)) return Kind::npy;
  const std::string ending = ending_of(source.name());
  if (is_sheet(start) || (is_zip(start) && (ending == ".xlsx" || ending == ".ods"))) {
    refuse_foreign(source.name(), start, sheet_of(start));
  }
  if (is_zip(start)) return Kind::npz;
  if (is_hdf5(start)) return Kind::hdf5;
  if (is_mat5(start)) return Kind::mat5;
  if (is_vecs_ending(ending)) return Kind::vecs;
  if (is_idx(start)) return Kind::idx;
  if (is_matrix_market(start)) return Kind::matrix_market;
  if (ending == ".mtx") fail_kind(source.name(), "a Matrix Market file");
  if (ending == ".npy") fail_kind(source.name(), "a .npy file");
  if (ending == ".npz") fail_kind(source.name(), "a .npz file");
  if (ending == ".h5ad" || ending == ".h5") fail_kind(source.name(), "an HDF5 file");
  if (ending == ".idx" || source.name().ends_with("-ubyte")) {
    fail_kind(source.name(), "an IDX file");
  }
  refuse_foreign(source.name(), start, signature_of(start));
  const bool svmlight = ending == ".svm" || ending == ".svmlight" || ending == ".libsvm";
  return svmlight || is_svmlight(start) ? Kind::svmlight : Kind::text;
}

/// Opens gzip, and gives readers that must know sizes a source that knows them.
Kind prepare(std::unique_ptr<ByteSource>& source) {
  source = in_utf8(unpacked(std::move(source)));
  const Kind kind = kind_of(*source);
  if (!is_text(kind) && source->limit() == UINT64_MAX) source = load(*source);
  return kind;
}

/// FormatError or InvalidArgument for options that are for other kinds of files.
void refuse_options(const std::string& name, const ReadOptions& options, bool is_text,
                    bool has_arrays, bool has_pictures = false) {
  const auto refuse = [&](const char* given, const std::string& value, const char* where) {
    if (value.empty()) return;
    throw InvalidArgument(
        ErrorCode::conflict,
        {option(given, value),
         fmt::format(" is for {}, and {} is another kind of file; leave it out", where, name)},
        {.option = given, .value = value, .path = name});
  };
  if (!is_text) {
    refuse("label_column", options.label_column, "CSV and TSV");
    if (!options.id_column.empty()) refuse("id_column", options.id_column.front(), "CSV and TSV");
  }
  if (!is_text && !options.types.empty()) {
    refuse("types", options.types.front(), "CSV and TSV");
  }
  if (!is_text && options.decimal != Decimal::plain) {
    refuse("decimal", std::string(name_of(options.decimal)), "CSV and TSV");
  }
  if (!has_arrays) refuse("array", options.array, ".npz, HDF5 and MATLAB");
  if (!has_pictures && options.size > 0) {
    refuse("size", std::to_string(options.size), "a folder of pictures");
  }
  if (!has_pictures && options.colour) refuse("colour", "true", "a folder of pictures");
}

/// A small file must not ask for much memory: what would be a row or has a list of its own.
void check_turned(const std::string& name, RowsView rows) {
  if (rows.is_sparse()) {
    check_sparse_shape(name, rows.columns(), rows.rows(), rows.sparse().nonzeros());
  }
}

/// Rows become columns, with ids as their names, and names of columns become ids.
Table turned(Table table, const ReadOptions& options, const std::string& name) {
  if (table.labels || table.id_names.size() > 1) {
    throw InvalidArgument(
        ErrorCode::conflict,
        {option("transpose"),
         fmt::format(
             ": {} has labels or several ids for each row, which columns cannot have; leave "
             "them out",
             name)},
        {.option = "transpose", .value = options.label_column, .path = name});
  }
  check_turned(name, table.rows);
  table.rows = transposed(table.rows);
  std::swap(table.columns, table.ids);
  table.id_names.clear();
  table.pictures = {};
  table.gene_counts = false;
  return table;
}

/// A row of words and numbers is no column.
ReadOptions as_numbers_when_turned(ReadOptions options) {
  if (options.transpose) options.coding = TableCoding();
  return options;
}

/// Matrix Market is most often met with genes as rows.
void note_many_rows(Table& table, const std::string& name) {
  constexpr std::size_t kFarMore = 3;
  const RowsView rows = table.rows;
  if (rows.rows() <= kFarMore * rows.columns()) return;
  table.notes.push_back(
      {NoteCode::data_read,
       {fmt::format("{} has {} rows and {} columns; if the columns are what you want to compare "
                    "(cells, when the rows are genes), turn it with ",
                    name, rows.rows(), rows.columns()),
        option("transpose", "true")}});
}

bool is_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_directory(path, ignored);
}

/// The source, or a copy of what it holds: for readers that go back and forth.
const MemorySource& in_memory(std::unique_ptr<ByteSource>& source) {
  if (dynamic_cast<const MemorySource*>(source.get()) == nullptr) source = load(*source);
  return dynamic_cast<const MemorySource&>(*source);
}

bool has_arrays(Kind kind) {
  return kind == Kind::npz || kind == Kind::hdf5 || kind == Kind::mat5;
}

Table finished(Table table, const ReadOptions& options, const std::string& name, bool chosen) {
  if (options.transpose) table = turned(std::move(table), options, name);
  if (chosen || (options.columns.empty() && options.drop.empty())) return table;
  check_turned(name, table.rows);
  return choose_columns(std::move(table), options, name);
}

/// Looks for missing cells only where there may be some, or where the means are wanted.
Table whole(Table table, const ReadOptions& options, const std::string& name, bool has_nan,
            std::uint64_t first_row = 0) {
  if (!has_nan && options.missing != Missing::mean) return table;
  return settle_missing(std::move(table), options, name, first_row);
}

}  // namespace

Table read_table_from(std::unique_ptr<ByteSource> source, const ReadOptions& options) {
  const Kind kind = prepare(source);
  refuse_options(source->name(), options, kind == Kind::text, has_arrays(kind));
  Table table;
  bool has_nan = false;
  switch (kind) {
    case Kind::npy:
      table.rows = read_npy(*source, &table.pictures, &has_nan);
      break;
    case Kind::idx:
      table.rows = read_idx(*source, &table.pictures, &has_nan);
      break;
    case Kind::vecs:
      table.rows = read_vecs(in_memory(source), ending_of(source->name()), &has_nan);
      break;
    case Kind::hdf5:
      table = read_hdf5(in_memory(source), options.array, &has_nan);
      break;
    case Kind::mat5:
      table = read_mat5(in_memory(source), options.array, &has_nan);
      break;
    case Kind::npz: {
      const auto* memory = dynamic_cast<const MemorySource*>(source.get());
      if (memory == nullptr) {
        throw FormatError(
            ErrorCode::unsupported,
            fmt::format("{}: a .npz inside gzip is not read; unpack it with 'gunzip' first",
                        source->name()),
            {.path = source->name()});
      }
      table = read_npz(*memory, options.array, &has_nan);
      break;
    }
    case Kind::matrix_market:
      table.rows = read_matrix_market(*source);
      if (!options.transpose) note_many_rows(table, source->name());
      break;
    case Kind::svmlight:
      table = read_svmlight(*source, options.column_count);
      break;
    case Kind::text:
      table = read_text_table(*source, as_numbers_when_turned(options));
      has_nan = options.missing != Missing::refuse;
      break;
  }
  table = finished(std::move(table), options, source->name(), kind == Kind::text);
  return whole(std::move(table), options, source->name(), has_nan);
}

StreamKind open_for_stream(std::unique_ptr<ByteSource>& source, const ReadOptions& options) {
  source = in_utf8(unpacked(std::move(source)));
  const Kind kind = kind_of(*source);
  refuse_options(source->name(), options, kind == Kind::text, has_arrays(kind));
  if (kind == Kind::npy) return StreamKind::npy;
  return kind == Kind::text ? StreamKind::text : StreamKind::other;
}

Table finished_table(Table table, const ReadOptions& options, const std::string& name,
                     StreamKind kind, bool has_nan, std::uint64_t first_row) {
  const bool is_text = kind == StreamKind::text;
  table = finished(std::move(table), options, name, is_text);
  return whole(std::move(table), options, name,
               has_nan || (is_text && options.missing != Missing::refuse), first_row);
}

std::unique_ptr<ByteSource> open_text_table(const std::string& path) {
  auto source = open_source(path);
  if (prepare(source) == Kind::text) return source;
  throw InvalidArgument(
      ErrorCode::unknown_choice,
      fmt::format("{} is no CSV or TSV, and only those can get more columns", path),
      {.path = path});
}

Labels read_labels_from(std::unique_ptr<ByteSource> source) {
  switch (prepare(source)) {
    case Kind::npy:
      return read_npy_labels(*source);
    case Kind::idx:
      return read_idx_labels(*source);
    case Kind::npz:
    case Kind::hdf5:
    case Kind::mat5:
    case Kind::vecs:
      throw FormatError(
          ErrorCode::unsupported,
          fmt::format(
              "{}: labels are not read from .npz, HDF5, MATLAB and vectors; save them as .npy, "
              "IDX or text with one per line",
              source->name()),
          {.path = source->name()});
    case Kind::svmlight:
      return *read_svmlight(*source, 0).labels;
    case Kind::matrix_market:
      throw FormatError(
          ErrorCode::unsupported,
          fmt::format(
              "{}: labels are not read from Matrix Market; save them as text with one per line",
              source->name()),
          {.path = source->name()});
    case Kind::text:
      break;
  }
  return read_text_labels(*source);
}

Table read_table(const std::filesystem::path& path, const ReadOptions& options) {
  if (const auto files = find_ten_x(path)) {
    refuse_options(path.string(), options, false, false);
    return finished(read_ten_x(*files), options, path.string(), false);
  }
  if (is_folder(path)) {
    refuse_options(path.string(), options, false, false, true);
    return finished(read_picture_folder(path, options), options, path.string(), false);
  }
  return read_table_from(open_source(path.string()), options);
}

namespace {

/// How words became numbers would be lost with the rest of the table.
ReadOptions only_numbers(ReadOptions options) {
  if (!options.coding) options.coding = TableCoding();
  return options;
}

}  // namespace

Matrix read_matrix(const std::filesystem::path& path, const ReadOptions& options) {
  Table table = read_table(path, only_numbers(options));
  if (table.rows.is_sparse()) {
    throw InvalidArgument(
        ErrorCode::sparse_rows,
        fmt::format("{} holds sparse rows, and dense ones are needed here; convert it to .npy",
                    path.string()),
        {.path = path});
  }
  return std::move(table.rows.dense());
}

SparseMatrix read_sparse(const std::filesystem::path& path, const ReadOptions& options) {
  Table table = read_table(path, only_numbers(options));
  if (!table.rows.is_sparse()) {
    throw InvalidArgument(
        ErrorCode::dense_rows,
        fmt::format("{} holds dense rows, and sparse ones are needed here; save them with "
                    "scipy.sparse.save_npz",
                    path.string()),
        {.path = path});
  }
  return std::move(table.rows.sparse());
}

Labels read_labels(const std::filesystem::path& path) {
  return read_labels_from(open_source(path.string()));
}

}  // namespace mbn
