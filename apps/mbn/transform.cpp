// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct TransformArguments {
  std::string model;
  DataArguments data;
  PlotArguments plot;
  std::string output = "-";
  std::uint32_t layer = 0;
  bool codes = false;
};

std::vector<std::string> clustering_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("clustering{}", i));
  return names;
}

void run_transform(Session& session, const TransformArguments& arguments) {
  if (arguments.codes && !arguments.plot.path.empty()) {
    throw InvalidArgument("--codes has no map to draw; leave out --plot or --codes");
  }
  session.check_table_output(arguments.output);
  arguments.plot.check(session);
  const Model model = Model::load(arguments.model);
  const Table table = arguments.data.read_for(model);
  const RunOptions& run_options = session.start(interrupted);
  const bool to_stdout = arguments.output == "-";
  const bool writes = !(to_stdout && session.json);
  session.report()["rows"] = table.data().rows();
  if (arguments.codes) {
    const CodeMatrix codes = model.codes(table.data(), arguments.layer, run_options);
    session.report()["clusterings"] = codes.clusterings();
    if (writes) {
      write_codes(arguments.output, codes,
                  named_rows(session, table, clustering_names(codes.clusterings())));
    }
  } else {
    const Matrix embedding = model.transform_layer(table.data(), arguments.layer, run_options);
    session.report()["components"] = embedding.columns();
    if (writes) {
      write_matrix(arguments.output, embedding,
                   named_rows(session, table, component_names(embedding.columns())));
    }
    const Labels labels = table.labels.value_or(Labels{});
    arguments.plot.write(session, embedding, labels, arguments.data,
                         fmt::format("{} rows through {}", table.data().rows(), arguments.model));
  }
  if (!to_stdout) {
    session.report()["output"] = arguments.output;
    session.say(fmt::format("wrote {}: {} rows, {:.2f} s", arguments.output, table.data().rows(),
                            session.seconds()));
  }
}

}  // namespace

void add_transform(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("transform", "Embed any rows with a trained network");
  const auto arguments = std::make_shared<TransformArguments>();
  verb.add_option("MODEL", arguments->model, "The model file")->required();
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output,
                  "Embedding to write: .npy, .csv, .tsv; - is CSV")
      ->capture_default_str();
  verb.add_option("--layer", arguments->layer,
                  "The map after this layer instead of the top; 1 is the bottom");
  verb.add_flag("--codes", arguments->codes, "Write the layer's codes instead of a map");
  arguments->plot.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_transform(session, *arguments); };
  });
}

}  // namespace mbn::tool
