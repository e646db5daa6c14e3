// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/column_coding.hpp>
#include <mbn/matrix.hpp>
#include <mbn/message.hpp>
#include <mbn/options.hpp>
#include <mbn/picture_shape.hpp>
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
  Rows rows;                         ///< sparse from SciPy's `.npz`, svmlight, Matrix Market, cells
  std::vector<std::string> columns;  ///< names from a CSV header or a list of genes; may be empty
  std::optional<Labels> labels;      ///< from ReadOptions::label_column, or svmlight
  /// From ReadOptions::id_column, or found in the file; may be empty. One for each row, or one for
  /// each row and each of several id columns, row by row.
  std::vector<std::string> ids;
  std::vector<std::string> id_names;  ///< names of the id columns, where they have some
  std::vector<Note> notes;            ///< what the reader took the parts of the file for

  /// With Missing::mean, for dense rows: the mean of each column over the cells that have a value.
  std::vector<double> means{};
  /// With Missing::drop, when rows were left out: where in the file those stood that are here, from
  /// 0, and how many rows the file has.
  std::vector<std::uint32_t> kept{};
  std::uint64_t file_rows = 0;

  /// How words, dates and the like became numbers; empty when all columns are numbers as they
  /// stand. `columns` are then `coded_names` of it.
  TableCoding coding{};

  PictureShape pictures{};  ///< from arrays of more than two indices, and folders of pictures
  /// Raw counts of genes in cells (`.h5ad`, 10x): whole numbers from 0 on. Weighting::cells suits
  /// them, and the tool takes it unless told otherwise.
  bool gene_counts = false;

  RowsView data() const { return rows; }
};

/// How numbers are written in text: 1234.5 only; also 1,234.5, with marks between thousands; or
/// 1.234,5.
enum class Decimal : std::uint8_t { plain, point, comma };
template <>
constexpr auto enum_names<Decimal>() {
  return std::array<std::string_view, 3>{"plain", "point", "comma"};
}

/// What becomes of cells without a value: an error; the mean of their column; their rows are left
/// out; they stay, as NaN, until `fill_missing`; or they stay for a network that takes them
/// (FitOptions::missing), and a column or a row without any value is an error.
enum class Missing : std::uint8_t { refuse, mean, drop, keep, partial };
template <>
constexpr auto enum_names<Missing>() {
  return std::array<std::string_view, 5>{"refuse", "mean", "drop", "keep", "partial"};
}

struct ReadOptions {
  /// CSV/TSV: the column that holds labels, and those that hold row ids, by header name or by
  /// number from 1 (negative numbers count from the end). Empty: there is none; but a first column
  /// without a name is taken as ids.
  std::string label_column{};
  std::vector<std::string> id_column{};
  /// The columns to take, and those to leave out: names, numbers from 1 (negative ones count from
  /// the end), ranges (2-5, first:last) and patterns (gene_*). Without `columns` all are taken.
  std::vector<std::string> columns{};
  std::vector<std::string> drop{};
  /// CSV/TSV: how numbers are written.
  Decimal decimal = Decimal::plain;
  /// Cells that are empty or say so (NA, N/A, NaN, null, None, ?, -) in CSV/TSV, and NaN in arrays.
  Missing missing = Missing::refuse;
  /// CSV/TSV: kinds of columns that are not to be told from the cells, as "age=number": columns as
  /// in `columns`, and the name of a ColumnKind. Of several for one column the last counts.
  std::vector<std::string> types{};
  /// CSV/TSV: how columns become numbers. Nothing: told from the first rows, and `types`. That of a
  /// model: as there. Empty: all columns must be numbers.
  std::optional<TableCoding> coding{};
  /// Rows become columns, and columns rows. They are then numbers.
  bool transpose = false;
  /// `.npz`, HDF5 and MATLAB: the array to read, in HDF5 with its groups (layers/counts). Empty:
  /// `X`, `data`, `arr_0` (or `fea` in MATLAB), or the only one there is.
  std::string array{};
  /// svmlight: how many columns there are. 0: the highest that occurs.
  std::uint64_t column_count = 0;
  /// A folder of pictures: each becomes `size` x `size` pixels (0: 32, or what gives
  /// `column_count`), grey, or red, green and blue with `colour`.
  std::uint32_t size = 0;
  bool colour = false;
};

struct WriteOptions {
  /// Replace a file that exists. Otherwise writing to it is an IoError.
  bool overwrite = false;
  /// CSV: names for a header line; empty writes none. With `ids`, the first names are those of the
  /// id columns.
  std::vector<std::string> columns{};
  /// CSV: first columns of row ids, as in `Table`; empty writes none.
  std::vector<std::string> ids{};
};

/// Reads rows from `.npy` (mapped where possible), `.npz`, `.csv`, `.tsv`, `.txt`, IDX, `.fvecs`
/// (and `.bvecs`, `.ivecs`), MATLAB's `.mat` or HDF5, and sparse rows from SciPy's `.npz` (csr or
/// csc), svmlight, Matrix Market (coordinate), `.mat` or HDF5; all but `.npz` may be gzipped; "-"
/// is text on standard input. The kind is told from the first bytes, then from the ending. In text,
/// columns of words and dates become numbers (`Table::coding`). Cells that are not what their
/// column holds or not finite, missing ones unless ReadOptions::missing says otherwise, and ragged
/// lines, are FormatErrors that name the file and the line (or row and column), and all such
/// columns.
///
/// A folder with `matrix.mtx`, `barcodes.tsv` and `features.tsv` or `genes.tsv` (each may be
/// gzipped), as 10x Genomics' programs write it, is read with cells as rows, barcodes as ids and
/// genes as columns; so is a `matrix.mtx` with such files beside it. In HDF5, AnnData's `.h5ad` is
/// known with its names of cells and genes, and so are 10x's files. HDF5 and `.mat` of version 7.3
/// need a build with libhdf5.
///
/// Any other folder is one of pictures: PNG, JPEG and WebP (as far as the build has their
/// libraries), in it and below it, are the rows, in the order of their names, which are the ids.
Table read_table(const std::filesystem::path& path, const ReadOptions& options = {});

/// The table with its columns in the order of `names`, a model's column names, and a note when that
/// was another one. Without names on either side, columns go by their position. InvalidArgument
/// that tells which names are missing or unknown; `path` is what to call the table.
Table match_columns(Table table, const std::vector<std::string>& names,
                    const std::filesystem::path& path);

/// The table with its missing cells (NaN, as Missing::keep leaves them) filled by `means`, one for
/// each column: those of the training rows, as a model keeps them, and not of these rows.
/// InvalidArgument when there are missing cells but no means.
Table fill_missing(Table table, std::span<const double> means, const std::filesystem::path& path);

/// The same for training rows, by their own means, which it sets in `Table::means`: what
/// Missing::mean does, for rows of which only a part is taken after reading.
Table fill_missing(Table table, const std::filesystem::path& path);

/// A column of a table in memory: numbers, with NaN for those that are missing, or texts as a CSV
/// file would have them.
struct FrameColumn {
  std::string name{};
  std::vector<double> numbers{};
  std::vector<std::string> texts{};
  std::optional<ColumnKind> kind{};  ///< nothing: told from the cells
};

/// The table that `read_table` makes of a CSV file with these columns: `missing`, `types`,
/// `coding`, `columns` and `drop` of the options apply. `name` is what to call it in messages.
Table code_frame(std::vector<FrameColumn> columns, const ReadOptions& options,
                 const std::string& name);

/// What a table is made of, column by column as in its file.
struct ColumnProfile {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::size_t levels = 0;              ///< of a category; words of a text
  std::size_t columns = 0;             ///< of numbers that it becomes
  std::optional<std::size_t> missing;  ///< cells without a value; unknown when it is left out
  bool heavy_tailed = false;           ///< numbers from 0 on that logarithms (`log`) would even out
};

/// The columns of a dense table that was read with Missing::keep.
std::vector<ColumnProfile> profile_columns(const Table& table);

/// Only the rows of `read_table`; all columns must be numbers. InvalidArgument when they are
/// sparse.
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
/// One more column of a text table.
struct AddedColumn {
  std::string name;  ///< ignored when the table has no header
  std::vector<std::string> cells;
};

/// Copies a text table (CSV, TSV, spaces; may be gzipped) as it stands, with columns added at the
/// end of its lines, one cell for each row. A name that the table has already gets "mbn_" in front.
/// `header` tells whether its first line holds names, as `Table::columns` does. InvalidArgument
/// when the source is another kind of file, as `check_text_table` finds out beforehand, or has
/// another number of rows.
void check_text_table(const std::filesystem::path& source);
void append_columns(const std::filesystem::path& target, const std::filesystem::path& source,
                    bool header, const std::vector<AddedColumn>& columns,
                    const WriteOptions& options = {});

/// Writes compressed rows as `scipy.sparse.save_npz` does; the ending must be `.npz`.
void write_sparse(const std::filesystem::path& path, SparseView rows,
                  const WriteOptions& options = {});
/// Any text (a report, a picture). The file appears whole or not at all.
void write_text(const std::filesystem::path& path, std::string_view text,
                const WriteOptions& options = {});

}  // namespace mbn
