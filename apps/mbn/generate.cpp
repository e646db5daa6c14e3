// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arguments.hpp"
#include "option_fields.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct GenerateArguments {
  GenerateOptions options;
  std::string output = "-";
  std::string labels;
};

void run_generate(Session& session, const GenerateArguments& arguments) {
  session.check_table_output(arguments.output);
  session.check_table_output(arguments.labels);
  session.start(interrupted);
  const Table table = generate(arguments.options);
  session.report()["rows"] = table.rows.rows();
  session.report()["columns"] = table.rows.columns();
  if (!(arguments.output == "-" && session.json)) {
    write_matrix(arguments.output, table.data().dense(), named_rows(session, table, table.columns));
  }
  if (!arguments.labels.empty()) {
    write_labels(arguments.labels, table.labels->values, named_rows(session, table, {"label"}));
  }
  if (arguments.output != "-") {
    session.say(fmt::format("wrote {}: {} rows x {} columns", arguments.output, table.rows.rows(),
                            table.rows.columns()));
  }
}

}  // namespace

void add_generate(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("generate", "Make toy data from a seed");
  const auto arguments = std::make_shared<GenerateArguments>();
  GenerateOptions& options = arguments->options;
  add_enum(verb, "KIND", options.kind, "What to make")->required();
  check_count(verb.add_option("-n,--rows", options.rows, "Rows to make"))->capture_default_str();
  verb.add_option("-o,--output", arguments->output, "Rows to write: .npy, .csv, .tsv; - is CSV")
      ->capture_default_str();
  verb.add_option("--labels", arguments->labels, "Write the true labels to this file");
  verb.add_option("--columns", options.columns, "gaussians: columns")->capture_default_str();
  verb.add_option("--clusters", options.clusters, "gaussians: clusters")->capture_default_str();
  check_count(verb.add_option("--seed", options.seed, "Starts every random stream"))
      ->capture_default_str();
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_generate(session, *arguments); };
  });
}

}  // namespace mbn::tool
