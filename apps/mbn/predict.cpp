// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct Arguments {
  std::string model;
  DataArguments data;
  TruthArguments truth;
  std::string output = "-";
};

void run(Session& session, const Arguments& arguments) {
  session.check_output(arguments.output);
  const Model model = Model::load(arguments.model);
  const Table table = arguments.data.read();
  const std::optional<Labels> truth = arguments.truth.read(table);
  const std::vector<std::int32_t> labels = model.predict(table.rows, session.start(interrupted));
  session.report()["rows"] = table.rows.rows();
  if (truth) {
    const ClusterScores scores = score_clusters(labels, truth->values);
    session.report().update(to_json(scores));
    session.say(describe(scores));
  }
  if (arguments.output == "-" && session.json) return;
  write_labels(arguments.output, labels, named_rows(session, table, {"label"}));
  if (arguments.output != "-") {
    session.report()["output"] = arguments.output;
    session.say(fmt::format("wrote {}: {} labels, {:.2f} s", arguments.output, labels.size(),
                            session.seconds()));
  }
}

}  // namespace

void add_predict(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("predict", "Label new rows with a trained network");
  const auto arguments = std::make_shared<Arguments>();
  verb.add_option("MODEL", arguments->model, "A model that was fitted with --clusters")->required();
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output, "Labels to write: .npy, .csv, .txt; - is text")
      ->capture_default_str();
  arguments->truth.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run(session, *arguments); };
  });
}

}  // namespace mbn::tool
