// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arguments.hpp"
#include "training.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct EmbedArguments {
  DataArguments data;
  TrainingArguments training;
  TruthArguments truth;
  PlotArguments plot;
  std::string output = "-";
  std::string model;
};

// More rows than the network is made from: the others go through it as they are read.
void embed_in_batches(Session& session, const EmbedArguments& arguments, const TrainingRows& rows) {
  const FitResult result = arguments.training.train(session, rows.table, rows.all);
  label_in_batches(session, result.model, arguments.data, arguments.training.batches(),
                   {.embedding = arguments.output});
  if (!arguments.model.empty()) result.model.save(arguments.model, session.force);
  session.report()["output"] = arguments.output;
  session.report()["seconds"] = session.seconds();
  arguments.training.discard_checkpoint();
}

void run_embed(Session& session, const EmbedArguments& arguments) {
  session.check_table_output(arguments.output);
  session.check_file_output(arguments.model);
  arguments.plot.check(session);
  const bool whole = !arguments.truth.path.empty() || !arguments.plot.path.empty() ||
                     !arguments.data.options.label_column.empty();
  const TrainingRows rows =
      arguments.data.read_for_training(session, arguments.training.options, whole);
  if (rows.is_pool) return embed_in_batches(session, arguments, rows);
  const Table& table = rows.table;
  const std::optional<Labels> truth = arguments.truth.read(table, arguments.data);
  std::vector<float> values = arguments.plot.read_values(table, arguments.data);
  const FitResult result = arguments.training.train(session, table);
  if (!arguments.model.empty()) result.model.save(arguments.model, session.force);
  arguments.data.keep_words(session, arguments.model);
  const bool to_stdout = arguments.output == "-";
  if (!(to_stdout && session.json)) {
    write_matrix(arguments.output, result.embedding,
                 named_rows(session, table, component_names(result.embedding.columns())));
  }
  arguments.plot.write(
      session, result.embedding,
      {truth.value_or(Labels{result.labels, {}}), std::move(values), component_axes(result.model),
       fmt::format("{} rows x {} columns", table.data().rows(), table.data().columns())},
      arguments.data);
  if (!to_stdout) {
    session.wrote("output", arguments.output);
  }
  arguments.training.discard_checkpoint();
}

}  // namespace

void add_embed(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("embed", "Train and embed the same rows in one go");
  const auto arguments = std::make_shared<EmbedArguments>();
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output,
                  "Embedding to write: .npy, .csv, .tsv; - is CSV")
      ->capture_default_str();
  verb.add_option("--model", arguments->model, "Keep the trained network in this file");
  arguments->truth.declare(verb);
  arguments->plot.declare(verb);
  arguments->training.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_embed(session, *arguments); };
  });
}

}  // namespace mbn::tool
