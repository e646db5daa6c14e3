// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "option_fields.hpp"

namespace mbn::tool {

namespace {

bool is_array(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".npy" || ending == ".npz";
}

void tell(Session& session, const Table& table) {
  for (const Note& note : table.notes) session.tell(note);
}

Table finished(Session& session, Table table, const PartArguments& part) {
  tell(session, table);
  const std::size_t count = table.data().rows();
  return part.of(std::move(table), count);
}

/// What another file holds for the rows of the data: only for those that are in the table. It may
/// have a line for every row of the data's file, or for those only that were not left out.
template <class Given>
Given given_for(Given given, std::size_t count, const Table& table, const DataArguments& data) {
  if (table.kept.empty()) return data.part.of(std::move(given), count);
  if (count != table.file_rows) return given;
  return gather_rows(given, table.kept);
}

}  // namespace

// Without 'keep': only networks can do something with missing cells, and 'partial' asks for that.
void declare_missing(CLI::App& verb, Missing& missing) {
  verb.add_option_function<std::string>(
          "--missing",
          [&missing](const std::string& text) {
            missing = value_named<Missing>(text).value_or(missing);
          },
          "Cells without a value (empty, NA, NaN, ?, ...): 'refuse' them, fill them with the "
          "'mean' of their column in the training rows, 'drop' their rows, or train a network that "
          "compares rows on the values that they have ('partial')")
      ->check(CLI::IsMember({"refuse", "mean", "drop", "partial"}))
      ->default_str("refuse")
      ->group("Reading");
}

void DataArguments::declare(CLI::App& verb, bool pictures) {
  verb.add_option_function<std::vector<std::string>>(
          "DATA",
          [this](const std::vector<std::string>& paths) {
            path = paths.front();
            more.assign(paths.begin() + 1, paths.end());
          },
          "Rows to read: .npy, .npz, .csv, .tsv, IDX, svmlight, Matrix Market, .h5ad, .h5, "
          ".mat, .fvecs, "
          "a 10x folder, a folder of pictures or of texts; - is text from stdin; several .npy or "
          "CSV, a folder of them, or 'part-*.npy' are read as one")
      ->required();
  verb.add_option("--label-column", options.label_column,
                  "CSV column of true labels, by name or number (-1 is the last): scored, not used")
      ->group("Reading");
  verb.add_option("--id-column", options.id_column,
                  "CSV columns of row ids, by name or number: copied to CSV outputs")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->group("Reading");
  verb.add_option("--columns", options.columns,
                  "Only these columns: names, numbers from 1, ranges (2-5, first:last), patterns "
                  "(gene_*)")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->group("Reading");
  verb.add_option("--drop", options.drop, "Leave out these columns, given in the same ways")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->group("Reading");
  add_enum(verb, "--decimal", options.decimal,
           "How CSV writes numbers: 'plain' 1234.5, 'point' also 1,234.5, 'comma' 1.234,5")
      ->group("Reading");
  verb.add_option(
          "--types", options.types,
          "What CSV columns hold, where it is not to be told from their cells, as "
          "name=kind: number, boolean, category, date (dmy, mdy: the day or the month "
          "first), log (ln(1+x)), text (its words become numbers) or drop (left out); columns as "
          "for --columns")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->group("Reading");
  declare_missing(verb, options.missing);
  verb.add_flag("--transpose", options.transpose, "Turn the data: its columns are the rows")
      ->group("Reading");
  verb.add_option("--array", options.array,
                  ".npz, .h5ad, .h5, .mat: the array to read, as X or layers/counts")
      ->group("Reading");
  if (pictures) {
    verb.add_option(
            "--size", options.size,
            "A folder of pictures: make each SIZE x SIZE pixels [32, or as the model has it]")
        ->check(CLI::Range(1, 1024))
        ->group("Reading");
    verb.add_flag("--colour", options.colour, "A folder of pictures: red, green and blue, not grey")
        ->group("Reading");
  }
  part.declare(verb);
}

Table DataArguments::read(Session& session) const {
  if (is_text_folder(path)) return finished(session, read_texts(session), part);
  if (options.missing != Missing::mean) return finished(session, read_all(options), part);
  // The means are those of the rows that are trained on, when they are a part.
  ReadOptions how = options;
  how.missing = Missing::keep;
  Table table = read_all(how);
  const std::size_t count = table.data().rows();
  table = fill_missing(part.of(std::move(table), count), path);
  tell(session, table);
  return table;
}

ReadOptions DataArguments::known_columns(std::uint64_t columns, const TableCoding& coding) const {
  if (!options.types.empty()) {
    throw InvalidArgument(
        "--types is for training; what was trained knows what its columns hold, so leave it out");
  }
  ReadOptions known = options;
  known.column_count = columns;
  known.coding = coding;
  return known;
}

Table DataArguments::read_for(Session& session, std::uint64_t columns,
                              const std::vector<std::string>& names, std::span<const double> means,
                              const TableCoding& coding) const {
  ReadOptions known = known_columns(columns, coding);
  // The means of these rows would be the wrong ones. What was trained with means has its own.
  const bool has_means = known.missing == Missing::refuse && !means.empty();
  if (known.missing == Missing::mean || has_means) known.missing = Missing::keep;
  Table table = match_columns(read_all(known), names, path);
  return finished(session, fill_missing(std::move(table), means, path), part);
}

FitOptions options_for(Session& session, const CLI::App& verb, FitOptions options,
                       const Table& table) {
  const bool paper = verb.count("--paper") > 0;
  options.blocks = blocks_of(table.coding);
  if (is_mixed(table.coding) && verb.count("--scale") == 0 && !paper) {
    options.scale = Scale::standard;
    session.tell(
        {NoteCode::options_chosen,
         {"columns of several kinds are brought to one scale (", option("scale", "standard"), "); ",
          option("scale", "none"), " takes them as they are"}});
  }
  if (table.gene_counts && verb.count("--weighting") == 0 && !paper) {
    options.weighting = Weighting::cells;
    session.tell({NoteCode::options_chosen,
                  {"these are raw counts of genes in cells, so ", option("weighting", "cells"),
                   " makes cells of different depth comparable (and takes the logarithm); ",
                   option("weighting", "counts"), " leaves them as they are"}});
  }
  if (session.word_counts && !paper) choose_for_words(session, verb, options);
  return options;
}

bool DataArguments::keeps_missing(const Model& model) const {
  const bool takes_missing = model.options().missing == MissingValues::partial;
  return options.missing == Missing::partial ||
         (takes_missing && options.missing == Missing::refuse);
}

Table DataArguments::read_for(Session& session, const Model& model) const {
  if (!keeps_missing(model)) {
    return read_for(session, model.columns(), model.column_names(), model.column_means(),
                    model.coding());
  }
  // A model that was trained otherwise refuses them. A file of few rows may lack whole columns.
  ReadOptions known = known_columns(model.columns(), model.coding());
  known.missing = Missing::keep;
  return finished(session, match_columns(read_all(known), model.column_names(), path), part);
}

void PartArguments::declare(CLI::App& verb) {
  const auto parse = [this](const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return false;
    if (!CLI::detail::lexical_cast(text.substr(0, slash), part.number)) return false;
    if (!CLI::detail::lexical_cast(text.substr(slash + 1), part.count)) return false;
    return part.number >= 1 && part.number <= part.count;
  };
  verb.add_option_function<std::string>(
          "--part",
          [parse](const std::string& text) {
            if (parse(text)) return;
            throw CLI::ValidationError("--part", fmt::format("'{}' is not like 1/2", text));
          },
          "Only part A of B random parts of the rows and their labels, as A/B: train on 1/2, look "
          "at 2/2")
      ->type_name("A/B")
      ->group("Reading");
}

void TruthArguments::declare(CLI::App& verb) {
  verb.add_option("--truth", path,
                  "True labels to score against (.npy, IDX, .csv, text): never used for training");
}

std::optional<Labels> TruthArguments::read(const Table& table, const DataArguments& data) const {
  if (path.empty()) return table.labels;
  Labels labels = read_labels(path);
  const std::size_t count = labels.values.size();
  labels = given_for(std::move(labels), count, table, data);
  if (labels.values.size() != table.data().rows()) {
    throw InvalidArgument(
        fmt::format("{} has {} labels, but the data has {} rows; give one label per row", path,
                    labels.values.size(), table.data().rows()));
  }
  return labels;
}

void PlotArguments::declare(CLI::App& verb) {
  verb.add_option("--plot", path,
                  "Draw the rows to this file (.svg, .png, .pdf), coloured by --truth when given");
  verb.add_option("--title", title, "Title of the picture or page [the data's file]");
  verb.add_option("--values", values,
                  "Colour the picture by the numbers in this file, one for each row (.npy, .csv)")
      ->needs("--plot");
  verb.add_option("--label-names", label_names, "Names of labels 0, 1, ... in the picture")
      ->delimiter(',');
}

void PlotArguments::declare_components(CLI::App& verb) {
  verb.add_option("--components-plot", components_path,
                  "Draw the first two components to this file, with the share of the variance that "
                  "each axis carries");
}

void PlotArguments::check(Session& session, bool has_page) const {
  if (!title.empty() && path.empty() && components_path.empty() && !has_page) {
    throw InvalidArgument("--title is for a picture; add --plot map.svg, or leave it out");
  }
  for (const std::string& file : {path, components_path}) {
    session.check_file_output(file);
    if (!file.empty()) check_plot_ending(file);
  }
}

std::vector<float> PlotArguments::read_values(const Table& table, const DataArguments& data) const {
  if (values.empty()) return {};
  // Tables of ours have ids in front.
  const bool text = !is_array(values);
  const ReadOptions last{.columns = {"-1"}, .coding = TableCoding()};
  Table numbers = read_table(values, text ? last : ReadOptions{});
  const std::size_t count = numbers.data().rows();
  numbers = given_for(std::move(numbers), count, table, data);
  const Shape shape{numbers.data().rows(), numbers.data().columns()};
  if (shape.columns != 1 || shape.rows != table.data().rows() || numbers.rows.is_sparse()) {
    throw InvalidArgument(fmt::format(
        "{} has {} rows x {} columns, but the data has {} rows; give one number per row with "
        "--values",
        values, shape.rows, shape.columns, table.data().rows()));
  }
  std::vector<float> out;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    out.push_back(numbers.rows.dense().at(row, 0));
  }
  return out;
}

void PlotArguments::write_components(const Session& session, const FitResult& result,
                                     PlotContent content, const DataArguments& data) const {
  content.axis_names = component_axes(result.model);
  draw(components_path, session, result.embedding, content, data);
}

void PlotArguments::draw(const std::string& file, const Session& session, MatrixView embedding,
                         const PlotContent& content, const DataArguments& data) const {
  if (file.empty()) return;
  const auto file_name = [](const std::string& name) {
    return std::filesystem::path(name).filename().string();
  };
  PlotOptions options;
  options.title = title.empty() ? file_name(data.path) : title;
  options.subtitle = content.subtitle;
  options.label_names = label_names.empty() ? content.labels.names : label_names;
  options.axis_names = content.axis_names;
  options.values = content.values;
  options.values_name = file_name(values);
  write_plot(file, embedding, content.labels.values, options, session.force);
  session.say(fmt::format("wrote {}", file));
}

std::vector<std::string> component_axes(const Model& model) {
  std::vector<std::string> names;
  for (const double share : model.explained_variance_ratio()) {
    names.push_back(fmt::format("component {} ({:.{}f} % of the variance)", names.size() + 1,
                                100 * share, share < 0.1 ? 1 : 0));
  }
  return names;
}

std::vector<std::string> component_axes(std::size_t columns) {
  return numbered("component ", columns);
}

std::vector<std::string> numbered(std::string_view word, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", word, i));
  return names;
}

std::vector<std::string> component_names(std::size_t count) {
  return numbered("component", count);
}

std::vector<std::string> cluster_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t label = 0; label < count; ++label) {
    names.push_back(fmt::format("cluster{}", label));
  }
  return names;
}

void AppendArguments::declare(CLI::App& verb) {
  verb.add_option(
      "--append", path,
      "Keep in this file the data's CSV as it is, with cluster, confidence and the place "
      "on the map (x, y) added to every line");
}

void AppendArguments::check(Session& session, const DataArguments& data) const {
  if (!wanted()) return;
  session.check_file_output(path);
  if (data.path == "-" || !data.part.part.whole() || data.options.transpose) {
    throw InvalidArgument(
        "--append reads the data's file a second time, line by line; leave out --part and "
        "--transpose, and give a file instead of standard input");
  }
  check_text_table(data.path);
}

void AppendArguments::write(Session& session, const Table& table, const DataArguments& data,
                            const std::vector<std::int32_t>& labels,
                            const std::vector<float>& confidence, MatrixView map) const {
  if (!wanted()) return;
  const std::size_t rows = table.data().rows();
  std::vector<AddedColumn> columns;
  const auto add = [&](const char* name, const auto& cell_of) {
    AddedColumn& column = columns.emplace_back(AddedColumn{name, {}});
    // Rows that were left out get empty cells.
    column.cells.resize(table.kept.empty() ? rows : table.file_rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t line = table.kept.empty() ? row : table.kept[row];
      column.cells[line] = fmt::format("{}", cell_of(row));
    }
  };
  if (!labels.empty()) add("cluster", [&](std::size_t row) { return labels[row]; });
  if (!confidence.empty()) add("confidence", [&](std::size_t row) { return confidence[row]; });
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t axis = 0; axis < map.columns() && map.rows() == rows; ++axis) {
    add(axes[axis], [&](std::size_t row) { return map.at(row, axis); });
  }
  append_columns(path, data.path, !table.columns.empty(), columns, session.write_options());
  session.wrote("append", path);
}

void RowNumbers::declare(CLI::App& verb) {
  verb.add_option("--confidence", confidence,
                  "Keep in this file how sure each label is: 1 is sure, 0.5 undecided between two");
  verb.add_option("--probabilities", probabilities,
                  "Keep in this file the probability of every cluster for each row");
  verb.add_option("--outliers", outliers,
                  "Keep in this file how far outside the training data each row lies: 1 is usual");
}

void RowNumbers::check(Session& session) const {
  session.check_table_output(confidence);
  session.check_table_output(probabilities);
  session.check_table_output(outliers);
}

WriteOptions named_rows(const Session& session, const Table& table,
                        std::vector<std::string> columns) {
  WriteOptions options = session.write_options();
  options.columns = std::move(columns);
  options.ids = table.ids;
  if (table.ids.empty()) return options;
  const std::vector<std::string> ids =
      table.id_names.empty() ? std::vector<std::string>{"id"} : table.id_names;
  options.columns.insert(options.columns.begin(), ids.begin(), ids.end());
  return options;
}

void RowNumbers::deliver(Session& session, const Model& model, const Table& table,
                         const Assignment& assignment) const {
  const auto write = [&](const std::string& path, const char* name, MatrixView numbers,
                         std::vector<std::string> columns) {
    write_matrix(path, numbers, named_rows(session, table, std::move(columns)));
    session.wrote(name, path);
  };
  const auto column = [](const std::vector<float>& numbers) {
    return MatrixView(numbers.data(), numbers.size(), 1);
  };
  if (!confidence.empty()) {
    write(confidence, "confidence", column(assignment.confidence), {"confidence"});
  }
  if (!probabilities.empty()) {
    write(probabilities, "probabilities", assignment.probabilities,
          cluster_names(assignment.probabilities.columns()));
  }
  if (!outliers.empty()) {
    const std::vector<float> scores =
        model.outlier_scores(table.data(), session.start(interrupted));
    write(outliers, "outliers", column(scores), {"outliers"});
  }
}

void say_scores(Session& session, const std::vector<std::int32_t>& labels, const Labels& truth) {
  const ClusterScores scores = score_clusters(labels, truth.values);
  session.report().update(Json{{"nmi", scores.nmi},
                               {"accuracy", scores.accuracy},
                               {"ari", scores.ari},
                               {"purity", scores.purity}});
  session.say(fmt::format("NMI {:.1f} %, accuracy {:.1f} %, ARI {:.1f} %, purity {:.1f} %",
                          100 * scores.nmi, 100 * scores.accuracy, 100 * scores.ari,
                          100 * scores.purity));
}

void deliver_labels(Session& session, const std::vector<std::int32_t>& labels,
                    const std::optional<Labels>& truth, const Table& table,
                    const std::string& output) {
  if (truth) say_scores(session, labels, *truth);
  if (output == "-" && session.json) return;
  write_labels(output, labels, named_rows(session, table, {"label"}));
  if (output == "-") return;
  session.wrote("output", output);
}

namespace {

Json fidelity_json(const Fidelity& fidelity) {
  Json object{{"rows", fidelity.rows}, {"r2", fidelity.r2}};
  if (fidelity.labels) object["labels"] = *fidelity.labels;
  return object;
}

}  // namespace

void report_student(Json& report, const StudentInfo& info) {
  report["sizes"] = info.sizes;
  report["weights"] = info.weights;
  report["training_rows"] = info.training_rows;
  report["epochs"] = info.epochs;
  report["best_epoch"] = info.best_epoch;
  report["validation"] = fidelity_json(info.validation);
  if (info.training.rows > 0) report["training"] = fidelity_json(info.training);
}

std::string describe_fidelity(std::string_view rows, const Fidelity& fidelity) {
  std::string text = fmt::format("{} {}: R^2 {:.4f}", fidelity.rows, rows, fidelity.r2);
  if (fidelity.labels) {
    text += fmt::format(", the teacher's cluster for {:.1f} %", 100 * *fidelity.labels);
  }
  return text;
}

std::string describe_widths(const std::vector<LayerInfo>& layers) {
  std::string text;
  for (const LayerInfo& layer : layers) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", layer.centroids);
  }
  return text;
}

}  // namespace mbn::tool
