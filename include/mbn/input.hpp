// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/matrix.hpp>
#include <mbn/rows.hpp>
#include <mbn/sparse.hpp>

namespace mbn {

/// One class or cluster number per row, with the names that stood in the file when they were words.
struct Labels {
  std::vector<std::int32_t> values;
  std::vector<std::string> names;  ///< names[value]; empty when the file had plain integers
};

/// What a data file held: its rows, and what stood beside them.
struct Table {
  Rows rows;                         ///< sparse from SciPy's `.npz`, svmlight, Matrix Market
  std::vector<std::string> columns;  ///< names from a CSV header; may be empty
  std::optional<Labels> labels;      ///< from ReadOptions::label_column, or svmlight
  std::vector<std::string> ids;      ///< from ReadOptions::id_column; may be empty

  RowsView data() const { return rows; }
};

struct ReadOptions {
  /// CSV/TSV: the column that holds labels or row ids, by header name or by number from 1 (negative
  /// numbers count from the end). Empty: there is none.
  std::string label_column{};
  std::string id_column{};
  /// `.npz`: the array to read. Empty: `X`, `data`, `arr_0`, or the only one there is.
  std::string array{};
  /// svmlight: how many columns there are. 0: the highest that occurs.
  std::uint64_t columns = 0;
};

struct WriteOptions {
  /// Replace a file that exists. Otherwise writing to it is an IoError.
  bool overwrite = false;
  /// CSV: names for a header line; empty writes none. With `ids`, the first name is that of the
  /// ids.
  std::vector<std::string> columns{};
  /// CSV: a first column of row ids; empty writes none.
  std::vector<std::string> ids{};
};

/// Reads rows from `.npy` (mapped where possible), `.npz`, `.csv`, `.tsv`, `.txt` or IDX, and
/// sparse rows from SciPy's `.npz` (csr or csc), svmlight or Matrix Market (coordinate); text and
/// IDX may be gzipped; "-" is text on standard input. The kind is told from the first bytes, then
/// from the ending. Cells that are missing, not numbers or not finite, and ragged lines, are
/// FormatErrors that name the file and the line (or row and column).
Table read_table(const std::filesystem::path& path, const ReadOptions& options = {});

/// Only the rows of `read_table`. InvalidArgument when they are sparse.
Matrix read_matrix(const std::filesystem::path& path, const ReadOptions& options = {});

/// Reads one label per row from `.npy`, IDX, or text with one label per line (the last column of a
/// CSV; a header is skipped). Integers are kept; words become 0, 1, ... in sorted order, with
/// names.
Labels read_labels(const std::filesystem::path& path);

/// Only the rows of `read_table`, compressed. InvalidArgument when they are dense.
SparseMatrix read_sparse(const std::filesystem::path& path, const ReadOptions& options = {});

/// Reads labels of which a row may have none, one or many, as rows x labels: compressed rows
/// (`.npz`, a nonzero per label), one label per row as in `read_labels` (`.npy`, IDX; negative is
/// none), or text with a line per row and labels between spaces, commas, semicolons or tabs.
SparseMatrix read_label_sets(const std::filesystem::path& path);

/// Throws InvalidArgument when the writers below would not know the path's ending.
void check_table_ending(const std::filesystem::path& path);

/// Writes `.npy`, or CSV/TSV for the endings `.csv`, `.tsv` and `.txt`; "-" is CSV on standard
/// output. A file appears whole or not at all: it is written beside itself and renamed.
void write_matrix(const std::filesystem::path& path, MatrixView rows,
                  const WriteOptions& options = {});
void write_labels(const std::filesystem::path& path, std::span<const std::int32_t> labels,
                  const WriteOptions& options = {});
void write_codes(const std::filesystem::path& path, const CodeMatrix& codes,
                 const WriteOptions& options = {});
/// Writes compressed rows as `scipy.sparse.save_npz` does; the ending must be `.npz`.
void write_sparse(const std::filesystem::path& path, SparseView rows,
                  const WriteOptions& options = {});
/// Any text (a report, a picture). The file appears whole or not at all.
void write_text(const std::filesystem::path& path, std::string_view text,
                const WriteOptions& options = {});

}  // namespace mbn
