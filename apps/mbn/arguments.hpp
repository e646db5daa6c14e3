// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
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

/// `--missing`, for data that a model or a verb takes.
void declare_missing(CLI::App& verb, Missing& missing);

/// Rows for something trained, as they come: in its columns, and with missing cells filled. What is
/// noted of them is told once, with the rows that it is about where there are several batches.
class KnownRows {
 public:
  KnownRows(TableStream stream, std::string path, std::vector<std::string> names,
            std::optional<std::vector<double>> means)
      : stream_(std::move(stream)),
        path_(std::move(path)),
        names_(std::move(names)),
        means_(std::move(means)) {}

  std::optional<std::uint64_t> rows() const { return stream_.rows(); }
  std::uint64_t skip(std::uint64_t count) { return stream_.skip(count); }
  Table next(Session& session, std::size_t most);

 private:
  void tell(Session& session, const std::vector<Note>& notes, bool all);

  TableStream stream_;
  std::string path_;
  std::vector<std::string> names_;
  std::optional<std::vector<double>> means_;  // nothing: missing cells stay
  std::vector<std::string> told_;
  std::vector<Note> waiting_;  // until it is known whether there are more rows
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
};

/// Rows to train on: all, or those of the pool when the others are to go through the network later.
struct TrainingRows {
  Table table;
  std::uint64_t all = 0;
  bool is_pool = false;
};

/// The data of a verb, a file or several that are read as one, and how to read it.
struct DataArguments {
  std::string path;               ///< the first, or what all are called
  std::vector<std::string> more;  ///< the others
  ReadOptions options;
  PartArguments part;

  /// Without `pictures`, a folder of them can only be read as a model wants it.
  void declare(CLI::App& verb, bool pictures = true);
  Table read(Session& session) const;
  /// The files that the paths stand for: those of a folder of tables, or of a pattern.
  std::vector<std::filesystem::path> files() const;
  /// The rows that a network with these options is made from, and all of them where `whole` asks
  /// for it or where they cannot be read in batches. Words, levels and means come from the pool in
  /// both cases, so that it does not matter which.
  TrainingRows read_for_training(Session& session, const FitOptions& options, bool whole) const;
  /// After `read` of a folder of texts: keeps its words beside a model, as .vocabulary.json.
  void keep_words(Session& session, const std::string& model) const;
  /// Rows for something trained: `columns` is used where a file does not tell their number, the
  /// columns are coded as there and put in the order of `names`, if both have some, and missing
  /// cells get `means`, unless their rows are to be dropped.
  Table read_for(Session& session, std::uint64_t columns, const std::vector<std::string>& names,
                 std::span<const double> means = {}, const TableCoding& coding = {}) const;
  /// A model that was trained with `--missing partial` gets missing cells as they are.
  Table read_for(Session& session, const Model& model) const;
  Table read_for(Session& session, const Student& student) const {
    const StudentInfo& info = student.info();
    return read_for(session, student.columns(), info.column_names, info.column_means, info.coding);
  }
  /// Whether rows can be read in batches, and not as a whole: no --part, --transpose or the like.
  bool is_streamable() const;
  /// The same rows as from `read_for`, as they come.
  KnownRows stream_for(const Model& model) const;
  KnownRows stream_for(const Student& student) const;

 private:
  Table read_texts(Session& session) const;
  Table read_all(const ReadOptions& how) const;
  KnownRows stream_known(std::uint64_t columns, const std::vector<std::string>& names,
                         const std::vector<double>& means, const TableCoding& coding) const;
  bool keeps_missing(const Model& model) const;
  /// How to read rows for something trained, which knows its columns.
  ReadOptions known_columns(std::uint64_t columns, const TableCoding& coding) const;

  mutable std::optional<Vectorizer> words_;  ///< of a folder of texts that was read
};

/// The options of a fit for a table: with the blocks of its categories, on one scale when its
/// columns are of several kinds and `verb` was not told a scale, and weighted when it holds raw
/// counts of genes and `verb` was not told a weighting.
FitOptions options_for(Session& session, const CLI::App& verb, FitOptions options,
                       const Table& table);

/// Weighting and metric for counts of words, where `verb` was not told them.
void choose_for_words(Session& session, const CLI::App& verb, FitOptions& options);

/// True labels to score against: a file, or the data's label column.
struct TruthArguments {
  std::string path;

  void declare(CLI::App& verb);
  /// Checks that there is one label per row. The table was read from `data`.
  std::optional<Labels> read(const Table& table, const DataArguments& data) const;
};

/// What a picture shows besides the rows' places.
struct PlotContent {
  Labels labels;              ///< colours and names; empty: none
  std::vector<float> values;  ///< colours instead of those of the labels; empty: none
  /// What the axes mean; empty for a map, whose axes mean nothing.
  std::vector<std::string> axis_names;
  std::string subtitle;
};

/// The picture of an embedding or a map.
struct PlotArguments {
  std::string path;
  std::string components_path;
  std::string title;
  std::string values;
  std::vector<std::string> label_names;

  void declare(CLI::App& verb);
  /// For verbs that draw a map: the components are another picture.
  void declare_components(CLI::App& verb);
  /// Refuses, before any work, a file that could not be drawn or written, and a title of nothing.
  void check(Session& session, bool has_page = false) const;
  /// The numbers of --values, one for each row of the table; empty when there are none to be drawn.
  std::vector<float> read_values(const Table& table, const DataArguments& data) const;
  /// Draws when a file was asked for. The title is --title, or the name of the data's file.
  void write(const Session& session, MatrixView embedding, const PlotContent& content,
             const DataArguments& data) const {
    draw(path, session, embedding, content, data);
  }
  /// The same for --components-plot.
  void write_components(const Session& session, const FitResult& result, PlotContent content,
                        const DataArguments& data) const;

 private:
  void draw(const std::string& file, const Session& session, MatrixView embedding,
            const PlotContent& content, const DataArguments& data) const;
};

/// --append: the data's file with columns about every row added.
struct AppendArguments {
  std::string path;

  void declare(CLI::App& verb);
  /// Refuses, before any work, what could not be written.
  void check(Session& session, const DataArguments& data) const;
  bool wanted() const { return !path.empty(); }
  /// Writes `cluster`, `confidence` and the places x, y (and z) on the map; empty ones are left
  /// out.
  void write(Session& session, const Table& table, const DataArguments& data,
             const std::vector<std::int32_t>& labels, const std::vector<float>& confidence,
             MatrixView map) const;
};

/// "component 1 (34 % of the variance)", ...: the axes of what a model embeds.
std::vector<std::string> component_axes(const Model& model);
/// "component 1", "component 2": the axes of components whose variance is not known.
std::vector<std::string> component_axes(std::size_t columns);

/// "word1", "word2", ...
std::vector<std::string> numbered(std::string_view word, std::size_t count);
/// "component1", "component2", ...: the header of an embedding in CSV.
std::vector<std::string> component_names(std::size_t count);

/// "cluster0", "cluster1", ...: the header of probabilities.
std::vector<std::string> cluster_names(std::size_t count);

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

/// Reports how well labels agree with true ones.
void say_scores(Session& session, const std::vector<std::int32_t>& labels, const Labels& truth);

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
