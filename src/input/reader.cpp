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
#include <array>

#include <mbn/error.hpp>

#include "input/gzip_source.hpp"
#include "input/idx.hpp"
#include "input/matrix_market.hpp"
#include "input/npy.hpp"
#include "input/npz.hpp"
#include "input/svmlight.hpp"
#include "input/text_table.hpp"

namespace mbn {
namespace {

enum class Kind { npy, npz, idx, matrix_market, svmlight, text };

bool is_text(Kind kind) {
  return kind == Kind::text || kind == Kind::svmlight || kind == Kind::matrix_market;
}

constexpr std::size_t kStartBytes = 4096;

bool is_gzip(std::span<const std::byte> start) {
  return start.size() >= 2 && start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b};
}

[[noreturn]] void fail_kind(const std::string& name, const char* kind) {
  throw FormatError(
      ErrorCode::not_this_format,
      fmt::format(
          "{}: the file does not begin like {}; it is damaged or something else, fetch or write it "
          "again",
          name, kind),
      {.path = name});
}

Kind kind_of(ByteSource& source) {
  const auto start = source.peek(kStartBytes);
  if (is_npy(start)) return Kind::npy;
  if (is_zip(start)) return Kind::npz;
  if (is_idx(start)) return Kind::idx;
  std::string ending = std::filesystem::path(source.name()).extension().string();
  if (ending == ".gz") {
    ending = std::filesystem::path(source.name()).stem().extension().string();
  }
  if (is_matrix_market(start)) return Kind::matrix_market;
  if (ending == ".mtx") fail_kind(source.name(), "a Matrix Market file");
  if (ending == ".npy") fail_kind(source.name(), "a .npy file");
  if (ending == ".npz") fail_kind(source.name(), "a .npz file");
  if (ending == ".idx" || source.name().ends_with("-ubyte")) {
    fail_kind(source.name(), "an IDX file");
  }
  if (std::find(start.begin(), start.end(), std::byte{0}) != start.end()) {
    throw FormatError(
        ErrorCode::not_this_format,
        fmt::format("{}: this is not a kind of file that is read: it is not text in UTF-8, and "
                    "does not begin like .npy, .npz or IDX; convert it to one of them",
                    source.name()),
        {.path = source.name()});
  }
  const bool svmlight = ending == ".svm" || ending == ".svmlight" || ending == ".libsvm";
  return svmlight || is_svmlight(start) ? Kind::svmlight : Kind::text;
}

/// Opens gzip, and gives readers that must know sizes a source that knows them.
Kind prepare(std::unique_ptr<ByteSource>& source) {
  if (is_gzip(source->peek(2))) {
    if (source->limit() == UINT64_MAX) source = load(*source);
    source = std::make_unique<GzipSource>(std::move(source));
  }
  const Kind kind = kind_of(*source);
  if (!is_text(kind) && source->limit() == UINT64_MAX) source = load(*source);
  return kind;
}

void refuse_options(const std::string& name, const ReadOptions& options, Kind kind) {
  const auto refuse = [&](const char* given, const std::string& value, const char* where) {
    if (value.empty()) return;
    throw InvalidArgument(
        ErrorCode::conflict,
        {option(given, value),
         fmt::format(" is for {}, and {} is another kind of file; leave it out", where, name)},
        {.option = given, .value = value, .path = name});
  };
  if (kind != Kind::text) {
    refuse("label_column", options.label_column, "CSV and TSV");
    refuse("id_column", options.id_column, "CSV and TSV");
  }
  if (kind != Kind::npz) refuse("array", options.array, ".npz");
}

}  // namespace

Table read_table_from(std::unique_ptr<ByteSource> source, const ReadOptions& options) {
  const Kind kind = prepare(source);
  refuse_options(source->name(), options, kind);
  Table table;
  switch (kind) {
    case Kind::npy:
      table.rows = read_npy(*source);
      break;
    case Kind::idx:
      table.rows = read_idx(*source);
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
      table = read_npz(*memory, options.array);
      break;
    }
    case Kind::matrix_market:
      table.rows = read_matrix_market(*source);
      break;
    case Kind::svmlight:
      table = read_svmlight(*source, options.columns);
      break;
    case Kind::text:
      table = read_text_table(*source, options);
      break;
  }
  return table;
}

Labels read_labels_from(std::unique_ptr<ByteSource> source) {
  switch (prepare(source)) {
    case Kind::npy:
      return read_npy_labels(*source);
    case Kind::idx:
      return read_idx_labels(*source);
    case Kind::npz:
      throw FormatError(
          ErrorCode::unsupported,
          fmt::format(
              "{}: labels are not read from .npz; save them as .npy, IDX or text with one per line",
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
  return read_table_from(open_source(path.string()), options);
}

Matrix read_matrix(const std::filesystem::path& path, const ReadOptions& options) {
  Table table = read_table(path, options);
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
  Table table = read_table(path, options);
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
