// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace mbn::tool {

void DataArguments::declare(CLI::App& verb, bool required) {
  CLI::Option* data = verb.add_option(
      "DATA", path,
      "Rows to read: .npy, .npz, .csv, .tsv, IDX, svmlight, Matrix Market (.gz for all but the "
      "first two); - is text from stdin");
  if (required) data->required();
  verb.add_option("--label-column", options.label_column,
                  "CSV column of true labels, by name or number (-1 is the last): scored, not used")
      ->group("Reading");
  verb.add_option("--id-column", options.id_column,
                  "CSV column of row ids, by name or number: copied to CSV outputs")
      ->group("Reading");
  verb.add_option("--array", options.array, ".npz: the array to read")->group("Reading");
  part.declare(verb);
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
  labels = data.part.of(std::move(labels), count);
  if (labels.values.size() != table.data().rows()) {
    throw InvalidArgument(
        fmt::format("{} has {} labels, but the data has {} rows; give one label per row", path,
                    labels.values.size(), table.data().rows()));
  }
  return labels;
}

void PlotArguments::declare(CLI::App& verb) {
  verb.add_option("--plot", path, "Draw the map to this SVG file, coloured by --truth when given");
  verb.add_option("--label-names", label_names, "Names of labels 0, 1, ... in the picture")
      ->delimiter(',');
}

void PlotArguments::write(const Session& session, MatrixView embedding, const Labels& labels,
                          const DataArguments& data, const std::string& subtitle) const {
  if (path.empty()) return;
  PlotOptions options;
  options.title = std::filesystem::path(data.path).filename().string();
  options.subtitle = subtitle;
  options.label_names = label_names.empty() ? labels.names : label_names;
  write_text(path, plot_svg(embedding, labels.values, options), session.write_options());
  session.say(fmt::format("wrote {}", path));
}

std::vector<std::string> numbered(std::string_view word, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", word, i));
  return names;
}

std::vector<std::string> component_names(std::size_t count) {
  return numbered("component", count);
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
  if (!table.ids.empty()) options.columns.insert(options.columns.begin(), "id");
  return options;
}

void RowNumbers::deliver(Session& session, const Model& model, const Table& table,
                         const Assignment& assignment) const {
  const auto write = [&](const std::string& path, const char* name, MatrixView numbers,
                         std::vector<std::string> columns) {
    write_matrix(path, numbers, named_rows(session, table, std::move(columns)));
    session.report()[name] = path;
    session.say(fmt::format("wrote {}", path));
  };
  const auto column = [](const std::vector<float>& numbers) {
    return MatrixView(numbers.data(), numbers.size(), 1);
  };
  if (!confidence.empty()) {
    write(confidence, "confidence", column(assignment.confidence), {"confidence"});
  }
  if (!probabilities.empty()) {
    std::vector<std::string> names;
    for (std::size_t label = 0; label < assignment.probabilities.columns(); ++label) {
      names.push_back(fmt::format("cluster{}", label));
    }
    write(probabilities, "probabilities", assignment.probabilities, std::move(names));
  }
  if (!outliers.empty()) {
    const std::vector<float> scores =
        model.outlier_scores(table.data(), session.start(interrupted));
    write(outliers, "outliers", column(scores), {"outliers"});
  }
}

void deliver_labels(Session& session, const std::vector<std::int32_t>& labels,
                    const std::optional<Labels>& truth, const Table& table,
                    const std::string& output) {
  if (truth) {
    const ClusterScores scores = score_clusters(labels, truth->values);
    session.report().update(Json{{"nmi", scores.nmi},
                                 {"accuracy", scores.accuracy},
                                 {"ari", scores.ari},
                                 {"purity", scores.purity}});
    session.say(fmt::format("NMI {:.1f} %, accuracy {:.1f} %, ARI {:.1f} %, purity {:.1f} %",
                            100 * scores.nmi, 100 * scores.accuracy, 100 * scores.ari,
                            100 * scores.purity));
  }
  if (output == "-" && session.json) return;
  write_labels(output, labels, named_rows(session, table, {"label"}));
  if (output == "-") return;
  session.report()["output"] = output;
  session.say(fmt::format("wrote {}", output));
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
