// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "our_files.hpp"
#include "verbs.hpp"
#include "wording.hpp"

namespace mbn::tool {

namespace {

template <class Value>
Json value_json(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return name_of(value);
  } else if constexpr (WordOrCount<Value>) {
    return value.is_number() ? Json(value.count_or(0)) : Json(value.text());
  } else if constexpr (requires { value.has_value(); }) {
    return value ? Json(*value) : Json("auto");
  } else {
    return value;
  }
}

template <class Options>
Json options_json(const Options& options) {
  Json object = Json::object();
  visit_fields(options, [&](const Field& field, const auto& value) {
    object[std::string(field.name)] = value_json(value);
  });
  return object;
}

void print_options(const Json& options) {
  for (const auto& [name, value] : options.items()) {
    fmt::print("  {:18}{}\n", name, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

// A bar of up to 40 characters.
std::string bar(double share) {
  constexpr double kLongest = 40;
  return std::string(static_cast<std::size_t>(kLongest * std::clamp(share, 0.0, 1.0)), '#');
}

const char* mark_of(const Selection& selection, std::uint32_t clusters) {
  if (clusters == selection.clusters) return " <- chosen";
  const bool supported = std::ranges::any_of(
      selection.runners_up, [&](const RunnerUp& other) { return other.clusters == clusters; });
  return supported ? " <- supported" : "";
}

void print_selection(const Selection& selection) {
  if (selection.empty()) return;
  fmt::print("chosen: {}\n", in_tool_words(describe(selection)));
  if (!selection.candidates.empty()) {
    fmt::print("decay  scale     stability by seed  by sample\n");
  }
  for (const Candidate& candidate : selection.candidates) {
    const bool taken = candidate.decay == selection.decay && candidate.scale == selection.scale;
    fmt::print("{:5}  {:8}  {:17.3f}  {:>9}  {}{}\n", candidate.decay, name_of(candidate.scale),
               candidate.by_seed,
               candidate.by_sample ? fmt::format("{:.3f}", *candidate.by_sample) : "-",
               bar(candidate.by_seed), taken ? " <- chosen" : "");
  }
  if (!selection.counts.empty()) fmt::print("clusters  stability by seed  by sample\n");
  for (const ClusterCount& count : selection.counts) {
    fmt::print("{:8}  {:17.3f}  {:9.3f}  {}{}\n", count.clusters, count.by_seed, count.by_sample,
               bar(count.stability()), mark_of(selection, count.clusters));
  }
  for (const RunnerUp& other : selection.runners_up) {
    fmt::print("{} clusters would have {} of the {} rows that were looked at\n", other.clusters,
               fmt::join(other.sizes, ", "), selection.rows);
  }
}

void print_student(const Student& student, const Json& report) {
  const StudentInfo& info = student.info();
  fmt::print("student: {} columns -> {} {}; {} weights, {:.1f} MB\n", student.columns(),
             student.outputs(), info.options.target == Target::clusters ? "clusters" : "components",
             info.weights, 4e-6 * static_cast<double>(info.weights));
  fmt::print("layers: {}\n", fmt::join(info.sizes, " -> "));
  fmt::print("learned from {} rows in {} epoch{}; epoch {} was kept\n", info.training_rows,
             info.epochs, info.epochs == 1 ? "" : "s", info.best_epoch);
  fmt::print("{}\n", describe_fidelity("validation rows", info.validation));
  if (info.training.rows > 0) {
    fmt::print("{}\n", describe_fidelity("training rows", info.training));
  }
  fmt::print("options\n");
  print_options(report["options"]);
  fmt::print("teacher: checksum {}, options\n", info.teacher_checksum);
  print_options(report["teacher"]["options"]);
}

void run_student_info(Session& session, const std::string& path) {
  const Student student = Student::load(path);
  const StudentInfo& info = student.info();
  Json& report = session.report();
  report["columns"] = student.columns();
  report["outputs"] = student.outputs();
  report_student(report, info);
  report["options"] = options_json(info.options);
  report["teacher"] = {{"checksum", info.teacher_checksum},
                       {"clusters", student.cluster_centres().rows()},
                       {"options", options_json(info.teacher_options)}};
  if (!session.json) print_student(student, report);
}

void report_model(Json& report, const Model& model) {
  report["training_rows"] = model.training_rows();
  if (model.updated_rows() != 0) report["updated_rows"] = model.updated_rows();
  report["columns"] = model.columns();
  report["components"] = model.components();
  report["clusters"] = model.cluster_centres().rows();
  report["bytes"] = model.memory_bytes();
  report["checksum"] = model.checksum();
  report["engine"] = {{"name", model.engine().name},
                      {"neighbours", model.engine().neighbours},
                      {"recall", model.engine().recall},
                      {"excess", model.engine().excess}};
  report["directions"] = {{"count", model.directions().count},
                          {"variance", model.directions().variance}};
  report["explained_variance_ratio"] = model.explained_variance_ratio();
  report["options"] = options_json(model.options());
  if (!model.selection().empty()) report["selection"] = Json::parse(to_json(model.selection()));
  for (const LayerInfo& layer : model.layers()) {
    report["layers"].push_back({{"centroids", layer.centroids},
                                {"features", layer.features},
                                {"kept_rows", layer.kept_rows},
                                {"bytes", layer.bytes}});
  }
}

void print_model(const Model& model, const std::string& in_the_file) {
  const std::vector<LayerInfo> layers = model.layers();
  fmt::print("model: trained on {} rows x {} columns; {:.1f} MB in memory{}\n",
             model.training_rows(), model.columns(),
             static_cast<double>(model.memory_bytes()) / 1e6, in_the_file);
  if (model.updated_rows() != 0) {
    fmt::print("updated: components, clusters and map are of {} other rows\n",
               model.updated_rows());
  }
  fmt::print("checksum {}\n", model.checksum());
  fmt::print("options\n");
  print_options(options_json(model.options()));
  print_selection(model.selection());
  fmt::print("bottom engine: {}, recall {:.4f}, excess {:.4f}\n", model.engine().name,
             model.engine().recall, model.engine().excess);
  if (model.directions().count > 0) {
    fmt::print("directions: {}, with {:.1f} % of the variance of the rows\n",
               model.directions().count, 100 * model.directions().variance);
  }
  fmt::print("layer  rows drawn  features drawn  rows kept  MB in memory\n");
  for (std::size_t l = 0; l < layers.size(); ++l) {
    fmt::print("{:5}  {:10}  {:14}  {:9}  {:.1f}\n", l + 1, layers[l].centroids, layers[l].features,
               layers[l].kept_rows, static_cast<double>(layers[l].bytes) / 1e6);
  }
  fmt::print("component  share of the variance\n");
  const std::vector<double> ratio = model.explained_variance_ratio();
  for (std::size_t i = 0; i < ratio.size(); ++i) fmt::print("{:9}  {:.4f}\n", i + 1, ratio[i]);
  fmt::print("{}\n", model.cluster_centres().rows() > 0
                         ? fmt::format("{} clusters", model.cluster_centres().rows())
                         : std::string("no clusters"));
}

void run_model_info(Session& session, const std::string& path) {
  const Model model = Model::load(path);
  const std::uint64_t file_bytes = std::filesystem::file_size(path);
  report_model(session.report(), model);
  session.report()["file_bytes"] = file_bytes;
  if (session.json) return;
  print_model(model, fmt::format(", {:.1f} MB in the file", static_cast<double>(file_bytes) / 1e6));
}

void report_lsa(Json& report, const Lsa& lsa) {
  report["training_rows"] = lsa.training_rows();
  report["columns"] = lsa.columns();
  report["components"] = lsa.components();
  report["singular_values"] = lsa.singular_values();
  report["options"] = options_json(lsa.options());
}

void print_lsa(const Lsa& lsa) {
  fmt::print("latent semantic analysis: of {} rows x {} columns, {} components\n",
             lsa.training_rows(), lsa.columns(), lsa.components());
  fmt::print("options\n");
  print_options(options_json(lsa.options()));
  fmt::print("component  singular value\n");
  for (std::size_t i = 0; i < lsa.singular_values().size(); ++i) {
    fmt::print("{:9}  {:.6g}\n", i + 1, lsa.singular_values()[i]);
  }
}

void run_lsa_info(Session& session, const std::string& path) {
  const Lsa lsa = Lsa::load(path);
  report_lsa(session.report(), lsa);
  if (!session.json) print_lsa(lsa);
}

void report_vocabulary(Json& report, const Vectorizer& vectorizer) {
  report["words"] = vectorizer.words().size();
  report["documents"] = vectorizer.documents();
  report["options"] = options_json(vectorizer.options());
}

void print_vocabulary(const Vectorizer& vectorizer) {
  fmt::print("vocabulary: {} words of {} documents\n", vectorizer.words().size(),
             vectorizer.documents());
  fmt::print("options\n");
  print_options(options_json(vectorizer.options()));
}

void run_vocabulary_info(Session& session, const std::string& path) {
  const Vectorizer vectorizer = Vectorizer::load(path);
  report_vocabulary(session.report(), vectorizer);
  if (!session.json) print_vocabulary(vectorizer);
}

void run_index_info(Session& session, const std::string& path) {
  const Index index = Index::load(path);
  Json& report = session.report();
  report["rows"] = index.rows();
  report["components"] = index.components();
  report["method"] = method_text(index);
  if (index.words() > 0) report["words"] = index.words();
  if (index.vectorizer() != nullptr) report_vocabulary(report["vocabulary"], *index.vectorizer());
  if (index.model() != nullptr) report_model(report["model"], *index.model());
  if (index.lsa() != nullptr) report_lsa(report["lsa"], *index.lsa());
  if (session.json) return;
  fmt::print("index: {} rows x {} components, method {}\n", index.rows(), index.components(),
             method_text(index));
  if (index.words() > 0) fmt::print("all words: {}\n", index.words());
  if (index.vectorizer() != nullptr) print_vocabulary(*index.vectorizer());
  if (index.model() != nullptr) print_model(*index.model(), "");
  if (index.lsa() != nullptr) print_lsa(*index.lsa());
}

void run_checkpoint_info(Session& session, const std::string& path) {
  const CheckpointInfo info = checkpoint_info(path);
  Json& report = session.report();
  report["training_rows"] = info.training_rows;
  report["columns"] = info.columns;
  report["layers_done"] = info.layers_done;
  report["options"] = options_json(info.options);
  if (session.json) return;
  fmt::print("checkpoint: an unfinished fit of {} rows x {} columns; {} layer{} done\n",
             info.training_rows, info.columns, info.layers_done, info.layers_done == 1 ? "" : "s");
  fmt::print("repeat the fit with the same --checkpoint to go on from it\n");
  fmt::print("options\n");
  print_options(report["options"]);
}

void run_info(Session& session, const std::string& path) {
  switch (kind_to_load(session, path)) {
    case FileKind::student:
      return run_student_info(session, path);
    case FileKind::index:
      return run_index_info(session, path);
    case FileKind::lsa:
      return run_lsa_info(session, path);
    case FileKind::checkpoint:
      return run_checkpoint_info(session, path);
    case FileKind::vocabulary:
      return run_vocabulary_info(session, path);
    default:
      return run_model_info(session, path);
  }
}

}  // namespace

void add_info(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("info", "Tell what a file of mbn is and holds");
  const auto path = std::make_shared<std::string>();
  verb.add_option("FILE", *path, "A model, student (.onnx), index, lsa, checkpoint or vocabulary")
      ->required();
  add_common_options(verb, session);
  verb.callback(
      [&session, path] { session.action = [&session, path] { run_info(session, *path); }; });
}

}  // namespace mbn::tool
