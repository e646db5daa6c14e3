// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/input.hpp>
#include <mbn/matrix.hpp>

namespace mbn {

/// The files that a path stands for, in the order of their names: those of a folder of tables (CSV,
/// TSV or `.npy`, and nothing else but hidden files), or those that fit a pattern (part-*.npy) when
/// there is no file of that name; else the path itself. IoError when a pattern fits no file.
std::vector<std::filesystem::path> data_files(const std::filesystem::path& path);

/// Rows that are read a batch at a time, of one file or of several as one: CSV and TSV (with the
/// same header) and `.npy`. Other kinds are read as a whole, and there can be one file only.
/// Options are those of `read_table`; `coding` must be known, that of a model or an empty one,
/// unless all rows are read in one batch. Errors name rows by their number among those of their
/// file.
class TableStream {
 public:
  explicit TableStream(std::vector<std::filesystem::path> files, const ReadOptions& options = {});
  ~TableStream();
  TableStream(TableStream&&) noexcept;
  TableStream& operator=(TableStream&&) noexcept;

  /// How many rows there are in all; nothing for text, where only reading tells.
  std::optional<std::uint64_t> rows() const;
  /// The next rows: `most` of them, or fewer at the end of a file; a table without rows at the end.
  /// Arrays may be views of the mapped file.
  Table next(std::size_t most);
  /// Passes over rows. Returns how many there were.
  std::uint64_t skip(std::uint64_t count);

  class Source;

 private:
  std::unique_ptr<Source> source_;
};

/// Whether a TableStream of these files reads them in batches, and not as a whole. False for what
/// is no file.
bool reads_in_batches(const std::vector<std::filesystem::path>& files,
                      const ReadOptions& options = {});

/// Counts the rows; text is read through for it.
std::uint64_t count_rows(const std::vector<std::filesystem::path>& files,
                         const ReadOptions& options = {});

/// The rows with these numbers (from 0, ascending), as `read_table` would read a file without the
/// others: levels, words and means come from these rows alone. Which kinds the columns of a text
/// are is told from the first rows of the file, as always. Memory is for these rows.
Table read_rows(const std::vector<std::filesystem::path>& files,
                const std::vector<std::uint64_t>& numbers, const ReadOptions& options = {});

/// `read_table` of several files as one.
Table read_table(const std::vector<std::filesystem::path>& files, const ReadOptions& options = {});

/// A file under its own name that holds what was written so far, for work that goes on after an
/// interruption.
struct PartFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;  ///< that are safe in it; what comes after is cut off
  std::uint64_t rows = 0;   ///< that they hold
};

/// Writes a table batch after batch, with the bytes that `write_matrix`, `write_labels` and
/// `write_codes` would give for all rows at once. The file appears whole, by `commit`, or not at
/// all. All batches must be of one kind and have the same columns.
class TableWriter {
 public:
  /// With a `part`, rows go to that file, which is renamed at the end and stays when there is none;
  /// writing goes on after the bytes that it says are safe.
  TableWriter(const std::filesystem::path& path, const WriteOptions& options,
              const std::optional<PartFile>& part = std::nullopt);
  ~TableWriter();
  TableWriter(TableWriter&&) noexcept;
  TableWriter& operator=(TableWriter&&) noexcept;

  /// `ids` are as in WriteOptions, for these rows.
  void add(MatrixView rows, std::span<const std::string> ids = {});
  void add(std::span<const std::int32_t> labels, std::span<const std::string> ids = {});
  void add(const CodeMatrix& codes, std::span<const std::string> ids = {});

  /// Brings all rows so far to the disk, and tells what a PartFile holds then.
  PartFile save();
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Joins files that are parts of a table, as jobs write them, row by row in this order: `.npy`
/// arrays of one type and width, or text, of which the first line is taken once when all have the
/// same, and `header` says that it holds names. Returns the number of rows.
std::uint64_t concatenate(const std::filesystem::path& target,
                          const std::vector<std::filesystem::path>& parts, bool header,
                          const WriteOptions& options = {});

}  // namespace mbn
