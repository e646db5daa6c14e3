// SPDX-License-Identifier: Apache-2.0
//
// Readers leave missing cells as NaN; what becomes of them is decided here, when the columns are
// chosen and turned, so that means and rows are those that the network gets. Means are summed in
// double, row by row, and so are the same on every machine.
#include "input/missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <mbn/error.hpp>
#include <mbn/part.hpp>

#include "input/column_choice.hpp"

namespace mbn {
namespace {

/// Whether rows can have missing cells at all.
bool may_have_holes(const Table& table) {
  return !table.rows.is_sparse() && table.rows.dense().type() == ElementType::float32;
}

/// How many cells of each column are missing, and where the first is.
struct Holes {
  std::vector<std::size_t> count;
  std::size_t all = 0;
  std::size_t first_row = 0;
  std::size_t first_column = 0;

  explicit Holes(const Table& table) : count(table.rows.columns()) {
    if (!may_have_holes(table)) return;
    const MatrixView rows = table.rows.dense();
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const float* row = rows.row<float>(i);
      for (std::size_t j = 0; j < rows.columns(); ++j) {
        if (std::isnan(row[j])) add(i, j);
      }
    }
  }

  std::size_t columns() const {
    return count.size() - static_cast<std::size_t>(std::ranges::count(count, std::size_t{0}));
  }

  /// "2 cells in 1 column (age: 2)"
  std::string describe(const Table& table) const {
    constexpr std::size_t kMost = 20;
    std::string list;
    std::size_t listed = 0;
    for (std::size_t j = 0; j < count.size() && listed < kMost; ++j) {
      if (count[j] == 0) continue;
      list += fmt::format("{}{}: {}", listed++ > 0 ? ", " : "", name_of_column(table, j), count[j]);
    }
    return fmt::format("{} cell{} in {} column{} ({}{})", all, all == 1 ? "" : "s", columns(),
                       columns() == 1 ? "" : "s", list, columns() > kMost ? ", ..." : "");
  }

  static std::string name_of_column(const Table& table, std::size_t column) {
    return table.columns.empty() ? fmt::format("column {}", column + 1)
                                 : list_of({table.columns[column]});
  }

 private:
  void add(std::size_t row, std::size_t column) {
    if (all++ == 0) {
      first_row = row;
      first_column = column;
    }
    ++count[column];
  }
};

[[noreturn]] void refuse(const Table& table, const Holes& holes, const std::string& file,
                         std::uint64_t first_row) {
  const std::uint64_t row = first_row + holes.first_row + 1;
  Message message =
      fmt::format("{}: row {}, column {} (counted from 1): the value is missing (NaN); in all {}",
                  file, row, holes.first_column + 1, holes.describe(table));
  message += missing_advice();
  throw FormatError(ErrorCode::bad_value, std::move(message),
                    {.path = file, .place = {.row = row, .column = holes.first_column + 1}});
}

[[noreturn]] void refuse_column(const Table& table, std::size_t column, const char* consequence,
                                const std::string& file) {
  const std::string name = Holes::name_of_column(table, column);
  throw FormatError(ErrorCode::bad_value,
                    {fmt::format("{}: {} has no value in any row{}; leave the column out with ",
                                 file, name, consequence),
                     table.columns.empty() ? option("drop") : option("drop", name)},
                    {.path = file, .place = {.column = column + 1}});
}

std::vector<double> means_of(const Table& table, const Holes& holes, const std::string& file) {
  const MatrixView rows = table.rows.dense();
  std::vector<double> means(rows.columns(), 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      const float value = rows.at(i, j);
      if (!std::isnan(value)) means[j] += double{value};
    }
  }
  for (std::size_t j = 0; j < means.size(); ++j) {
    if (holes.count[j] == rows.rows()) refuse_column(table, j, ", and so no mean", file);
    means[j] /= static_cast<double>(rows.rows() - holes.count[j]);
  }
  return means;
}

/// A copy: the cells may be those of the file.
Matrix filled(MatrixView rows, std::span<const double> means) {
  Matrix full(rows.rows(), rows.columns(), ElementType::float32);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float* from = rows.row<float>(i);
    float* to = full.mutable_row<float>(i);
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      to[j] = std::isnan(from[j]) ? static_cast<float>(means[j]) : from[j];
    }
  }
  return full;
}

void note_filled(Table& table, const Holes& holes, const std::string& file, const char* whose) {
  table.notes.push_back(
      {NoteCode::data_read,
       fmt::format("{}: cells without a value were filled with the means of {}: {}", file, whose,
                   holes.describe(table))});
}

Table without_holes(Table table, const Holes& holes, const std::string& file) {
  const MatrixView rows = table.rows.dense();
  if (rows.rows() > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument(ErrorCode::out_of_range,
                          fmt::format("{} has too many rows to leave some out", file),
                          {.option = "missing", .path = file});
  }
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float* row = rows.row<float>(i);
    const bool whole =
        std::none_of(row, row + rows.columns(), [](float value) { return std::isnan(value); });
    if (whole) kept.push_back(static_cast<std::uint32_t>(i));
  }
  const std::size_t all = rows.rows();
  if (kept.empty()) {
    Message message = fmt::format("{}: every row has a cell without a value, {}; no row is left",
                                  file, holes.describe(table));
    message += Message{"; fill them with ", option("missing", "mean"),
                       ", or leave columns out with ", option("drop")};
    throw FormatError(ErrorCode::too_small, std::move(message), {.path = file});
  }
  Note note{
      NoteCode::data_read,
      fmt::format("{}: {} of {} rows were left out, since they have cells without a value, {}; "
                  "what is written has {} rows",
                  file, all - kept.size(), all, holes.describe(table), kept.size())};
  table = gather_rows(table, kept);
  table.kept = std::move(kept);
  table.file_rows = all;
  table.notes.push_back(std::move(note));
  return table;
}

// What a network that compares rows on the values they have could not take.
void check_partial(const Table& table, const Holes& holes, const std::string& file) {
  const MatrixView rows = table.rows.dense();
  for (std::size_t j = 0; j < holes.count.size(); ++j) {
    if (holes.count[j] == rows.rows()) refuse_column(table, j, "", file);
  }
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float* row = rows.row<float>(i);
    const bool empty =
        std::all_of(row, row + rows.columns(), [](float value) { return std::isnan(value); });
    if (!empty) continue;
    throw FormatError(ErrorCode::bad_value,
                      {fmt::format("{}: row {} (counted from 1) has no value at all, so it cannot "
                                   "be compared with any other; remove such rows, or leave out all "
                                   "rows with a missing value with ",
                                   file, i + 1),
                       option("missing", "drop")},
                      {.path = file, .place = {.row = i + 1}});
  }
}

}  // namespace

Message missing_advice() {
  return {"; ",
          option("missing", "mean"),
          " fills them with the means of their columns, ",
          option("missing", "drop"),
          " leaves out such rows, and with ",
          option("missing", "partial"),
          " a network compares rows on the values that they have"};
}

Table settle_missing(Table table, const ReadOptions& options, const std::string& file,
                     std::uint64_t first_row) {
  if (options.missing == Missing::keep || table.rows.is_sparse()) return table;
  const Holes holes(table);
  if (options.missing == Missing::mean) table.means = means_of(table, holes, file);
  if (holes.all == 0) return table;
  switch (options.missing) {
    case Missing::mean:
      note_filled(table, holes, file, "their columns");
      table.rows = filled(table.rows.dense(), table.means);
      return table;
    case Missing::partial:
      check_partial(table, holes, file);
      table.notes.push_back(
          {NoteCode::data_read,
           fmt::format(
               "{}: rows are compared on the values that they have, where some are missing: "
               "{}",
               file, holes.describe(table))});
      return table;
    case Missing::drop:
      return without_holes(std::move(table), holes, file);
    default:
      refuse(table, holes, file, first_row);
  }
}

Table fill_missing(Table table, const std::filesystem::path& path) {
  return settle_missing(std::move(table), {.missing = Missing::mean}, path.string());
}

Table fill_missing(Table table, std::span<const double> means, const std::filesystem::path& path) {
  const Holes holes(table);
  if (holes.all == 0) return table;
  if (means.empty()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        {fmt::format("{} has {} without a value, and the means of the training rows, which would "
                     "fill them, are not in the model; train it with ",
                     path.string(), holes.describe(table)),
         option("missing", "mean"), ", or leave out such rows with ", option("missing", "drop")},
        {.option = "missing", .path = path});
  }
  if (means.size() != table.rows.columns()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("{} has {} columns, and there are {} means; give one for each", path.string(),
                    table.rows.columns(), means.size()),
        {.option = "missing", .path = path});
  }
  note_filled(table, holes, path.string(), "the training rows");
  table.rows = filled(table.rows.dense(), means);
  return table;
}

}  // namespace mbn
