// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

template <class Options>
Json options_json(const Options& options) {
  Json object = Json::object();
  visit_fields(options, [&]<class Value>(const Field& field, const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      object[std::string(field.name)] = name_of(value);
    } else {
      object[std::string(field.name)] = value;
    }
  });
  return object;
}

void print_options(const Json& options) {
  for (const auto& [name, value] : options.items()) {
    fmt::print("  {:18}{}\n", name, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

// A bar of up to 40 signs: the plot that a terminal has.
std::string bar(double share) {
  constexpr double kLongest = 40;
  return std::string(static_cast<std::size_t>(kLongest * std::clamp(share, 0.0, 1.0)), '#');
}

void print_selection(const Selection& selection) {
  if (selection.empty()) return;
  fmt::print("chosen: {}\n", describe(selection));
  if (!selection.candidates.empty()) {
    fmt::print("decay  scale     agreement by seed  by sample\n");
  }
  for (const Candidate& candidate : selection.candidates) {
    const bool taken = candidate.decay == selection.decay && candidate.scale == selection.scale;
    fmt::print("{:5}  {:8}  {:17.3f}  {:>9}  {}{}\n", candidate.decay, name_of(candidate.scale),
               candidate.by_seed,
               candidate.by_sample ? fmt::format("{:.3f}", *candidate.by_sample) : "-",
               bar(candidate.by_seed), taken ? " <- chosen" : "");
  }
  if (!selection.counts.empty()) fmt::print("clusters  agreement by seed  by sample\n");
  for (const ClusterCount& count : selection.counts) {
    fmt::print("{:8}  {:17.3f}  {:9.3f}  {}{}\n", count.clusters, count.by_seed, count.by_sample,
               bar(count.agreement()), count.clusters == selection.clusters ? " <- chosen" : "");
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
  fmt::print("{}\n", describe_fidelity("rows kept aside", info.validation));
  if (info.training.rows > 0) {
    fmt::print("{}\n", describe_fidelity("rows it learned from", info.training));
  }
  fmt::print("options\n");
  print_options(report["options"]);
  fmt::print("teacher: checksum {}, options (0 is auto)\n", info.teacher_checksum);
  print_options(report["teacher"]["options"]);
}

void run_student_info(Session& session, const std::string& path) {
  const Student student = Student::load(path);
  const StudentInfo& info = student.info();
  Json& report = session.report();
  report["kind"] = "student";
  report["columns"] = student.columns();
  report["outputs"] = student.outputs();
  report_student(report, info);
  report["options"] = options_json(info.options);
  report["teacher"] = {{"checksum", info.teacher_checksum},
                       {"clusters", student.cluster_centres().rows()},
                       {"options", options_json(info.teacher_options)}};
  if (!session.json) print_student(student, report);
}

void run_info(Session& session, const std::string& path) {
  if (is_student_file(path)) return run_student_info(session, path);
  const Model model = Model::load(path);
  const std::vector<LayerInfo> layers = model.layers();
  Json& report = session.report();
  report["training_rows"] = model.training_rows();
  report["columns"] = model.columns();
  report["components"] = model.components();
  report["clusters"] = model.cluster_centres().rows();
  report["bytes"] = model.bytes();
  report["checksum"] = model.checksum();
  report["search"] = {{"engine", model.search().engine},
                      {"neighbours", model.search().neighbours},
                      {"agreement", model.search().agreement}};
  report["explained_variance"] = model.explained_variance_ratio();
  report["options"] = options_json(model.options());
  if (!model.selection().empty()) report["selection"] = Json::parse(to_json(model.selection()));
  for (const LayerInfo& layer : layers) {
    report["layers"].push_back({{"centroids", layer.centroids},
                                {"features", layer.features},
                                {"pool_rows", layer.pool_rows},
                                {"bytes", layer.bytes}});
  }
  if (session.json) return;
  fmt::print("trained on {} rows x {} columns; {:.1f} MB\n", model.training_rows(), model.columns(),
             static_cast<double>(model.bytes()) / 1e6);
  fmt::print("checksum {}\n", model.checksum());
  fmt::print("options (0 is auto)\n");
  print_options(report["options"]);
  print_selection(model.selection());
  fmt::print("bottom search: {}, agreement with exact search {:.4f}\n", model.search().engine,
             model.search().agreement);
  fmt::print("layer  rows drawn  features drawn  rows kept  MB\n");
  for (std::size_t l = 0; l < layers.size(); ++l) {
    fmt::print("{:5}  {:10}  {:14}  {:9}  {:.1f}\n", l + 1, layers[l].centroids, layers[l].features,
               layers[l].pool_rows, static_cast<double>(layers[l].bytes) / 1e6);
  }
  fmt::print("component  share of the variance\n");
  const std::vector<double> ratio = model.explained_variance_ratio();
  for (std::size_t i = 0; i < ratio.size(); ++i) fmt::print("{:9}  {:.4f}\n", i + 1, ratio[i]);
  fmt::print("{}\n", model.cluster_centres().rows() > 0
                         ? fmt::format("{} clusters", model.cluster_centres().rows())
                         : std::string("no clusters"));
}

}  // namespace

void add_info(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("info", "Tell what is in a model or a student");
  const auto path = std::make_shared<std::string>();
  verb.add_option("MODEL", *path, "The model file, or a student (.onnx)")->required();
  add_common_options(verb, session);
  verb.callback(
      [&session, path] { session.action = [&session, path] { run_info(session, *path); }; });
}

}  // namespace mbn::tool
