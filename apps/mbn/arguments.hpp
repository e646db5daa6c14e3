// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "session.hpp"

namespace mbn::tool {

/// `--part 1/2`: one of the random parts of the rows.
struct PartArguments {
  Part part;

  void declare(CLI::App& verb);
  /// What the part holds of a table, of labels, or of label sets.
  template <class Rows>
  Rows of(Rows rows, std::size_t count) const {
    if (part.whole()) return rows;
    return gather_rows(rows, part.rows(count));
  }
};

/// The data file of a verb and how to read it.
struct DataArguments {
  std::string path;
  ReadOptions options;
  PartArguments part;

  void declare(CLI::App& verb, bool required = true);
  Table read() const { return read_with(options); }
  /// Rows for a model or a student. Its number of columns is used where a file does not have one.
  template <class Network>
  Table read_for(const Network& network) const {
    return read_with_columns(network.columns());
  }
  Table read_with_columns(std::uint64_t columns) const {
    ReadOptions known = options;
    known.columns = columns;
    return read_with(known);
  }

 private:
  Table read_with(const ReadOptions& read_options) const {
    Table table = read_table(path, read_options);
    const std::size_t count = table.data().rows();
    return part.of(std::move(table), count);
  }
};

/// True labels to score against: a file, or the data's label column.
struct TruthArguments {
  std::string path;

  void declare(CLI::App& verb);
  /// Checks that there is one label per row. The table was read from `data`.
  std::optional<Labels> read(const Table& table, const DataArguments& data) const;
};

/// The picture of a map.
struct PlotArguments {
  std::string path;
  std::vector<std::string> label_names;

  void declare(CLI::App& verb);
  void check(Session& session) const { session.check_file_output(path); }
  /// Draws when a file was asked for; rows are coloured by `labels`, and the title is the name of
  /// the data's file.
  void write(const Session& session, MatrixView embedding, const Labels& labels,
             const DataArguments& data, const std::string& subtitle) const;
};

/// "word1", "word2", ...
std::vector<std::string> numbered(std::string_view word, std::size_t count);
/// "component1", "component2", ...: the header of an embedding in CSV.
std::vector<std::string> component_names(std::size_t count);

/// How the rows of a table are written as CSV: with their ids in front, when the table has ids.
WriteOptions named_rows(const Session& session, const Table& table,
                        std::vector<std::string> columns);

/// --confidence, --probabilities and --outliers: numbers about every row.
struct RowNumbers {
  std::string confidence;
  std::string probabilities;
  std::string outliers;

  void declare(CLI::App& verb);
  void check(Session& session) const;
  bool wanted() const { return !confidence.empty() || !probabilities.empty() || !outliers.empty(); }
  /// Writes what was asked for and reports it. Of the assignment, only what was asked for must be
  /// there.
  void deliver(Session& session, const Model& model, const Table& table,
               const Assignment& assignment) const;
};

/// Scores labels when there is something to score against, writes them to a file or to standard
/// output (unless --json has that), and reports both.
void deliver_labels(Session& session, const std::vector<std::int32_t>& labels,
                    const std::optional<Labels>& truth, const Table& table,
                    const std::string& output);

/// What compress and info both report about a student.
void report_student(Json& report, const StudentInfo& info);
std::string describe_fidelity(std::string_view rows, const Fidelity& fidelity);

/// "2500, 1250, 625, 312, 156, 78, 39, 19"
std::string describe_widths(const std::vector<LayerInfo>& layers);

}  // namespace mbn::tool
