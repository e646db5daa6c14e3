// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report_arguments.hpp"
#include "training.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct MapArguments {
  DataArguments data;
  TrainingArguments training;
  TruthArguments truth;
  PlotArguments plot;
  ReportArguments report;
  std::string output = "-";
  std::string model;
  AppendArguments append;
};

bool needs_all_rows(const MapArguments& arguments) {
  return !arguments.truth.path.empty() || !arguments.plot.path.empty() ||
         !arguments.plot.components_path.empty() || !arguments.report.path.empty() ||
         arguments.append.wanted() || !arguments.data.options.label_column.empty();
}

// More rows than the network is made from: the others go through it as they are read.
void map_in_batches(Session& session, const MapArguments& arguments, const TrainingRows& rows) {
  const FitResult result = arguments.training.train(session, rows.table, rows.all);
  label_in_batches(session, result.model, arguments.data, arguments.training.batches(),
                   {.map = arguments.output});
  if (!arguments.model.empty()) {
    result.model.save(arguments.model, session.force);
    session.wrote("model", arguments.model);
  }
  session.report()["seconds"] = session.seconds();
  arguments.training.discard_checkpoint();
}

void run_map(Session& session, const MapArguments& arguments) {
  if (arguments.training.options.map == 0) {
    throw InvalidArgument("--map is 0, which makes no map; leave it out, or use 'mbn embed'");
  }
  session.check_table_output(arguments.output);
  session.check_file_output(arguments.model);
  arguments.plot.check(session, !arguments.report.path.empty());
  arguments.report.check(session);
  arguments.append.check(session, arguments.data);
  const TrainingRows rows = arguments.data.read_for_training(session, arguments.training.options,
                                                             needs_all_rows(arguments));
  if (rows.is_pool) return map_in_batches(session, arguments, rows);
  const Table& table = rows.table;
  const std::optional<Labels> truth = arguments.truth.read(table, arguments.data);
  std::vector<float> values = arguments.plot.read_values(table, arguments.data);
  const FitResult result = arguments.training.train(session, table);
  if (!arguments.model.empty()) {
    result.model.save(arguments.model, session.force);
    session.wrote("model", arguments.model);
    arguments.data.keep_words(session, arguments.model);
  }
  const bool to_stdout = arguments.output == "-";
  if (!(to_stdout && session.json)) {
    write_matrix(arguments.output, result.map,
                 named_rows(session, table, numbered("map", result.map.columns())));
  }
  arguments.append.write(session, table, arguments.data, result.labels, result.confidence,
                         result.map);
  const PlotContent content{
      truth.value_or(Labels{result.labels, {}}),
      std::move(values),
      {},
      fmt::format("{} rows x {} columns", table.data().rows(), table.data().columns())};
  arguments.plot.write(session, result.map, content, arguments.data);
  arguments.plot.write_components(session, result, content, arguments.data);
  arguments.report.write(
      session, result, table,
      arguments.report.content(session, table, truth, arguments.plot, arguments.data));
  if (!to_stdout) {
    session.wrote("output", arguments.output);
  }
  arguments.training.discard_checkpoint();
}

}  // namespace

void add_map(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("map", "From a file to a map to look at");
  const auto arguments = std::make_shared<MapArguments>();
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output,
                  "Places to write, one row each: .npy, .csv, .tsv; - is CSV")
      ->capture_default_str();
  verb.add_option("--model", arguments->model, "Keep the trained network in this file");
  arguments->append.declare(verb);
  arguments->truth.declare(verb);
  arguments->plot.declare(verb);
  arguments->plot.declare_components(verb);
  verb.add_option("--report", arguments->report.path,
                  "Write a page (.html) that explores rows and layers");
  arguments->report.declare(verb);
  arguments->training.options.map = 2;
  arguments->training.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_map(session, *arguments); };
  });
}

}  // namespace mbn::tool
