// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "our_files.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct UpdateArguments {
  std::string model;
  DataArguments data;
  std::string output;
};

void run_update(Session& session, const UpdateArguments& arguments) {
  session.check_file_output(arguments.output);
  const FileKind kind = kind_to_load(session, arguments.model);
  if (kind != FileKind::model) {
    throw FormatError(fmt::format(
        "{} is {}, and only a model can be updated; give one that 'mbn fit' or 'mbn cluster' wrote",
        arguments.model, describe(kind)));
  }
  const Model model = Model::load(arguments.model);
  const Table table = arguments.data.read_for(session, model);
  const FitResult result = update(model, table.data(), session.start(interrupted));
  result.model.save(arguments.output, session.force);
  Json& report = session.report();
  report["rows"] = table.data().rows();
  report["training_rows"] = model.training_rows();
  report["components"] = result.model.components();
  report["clusters"] = result.model.cluster_centres().rows();
  report["checksum"] = result.model.checksum();
  report["model"] = arguments.output;
  session.say(
      fmt::format("wrote {}: the layers of {}, with components{}{} of {} rows, {:.1f} s",
                  arguments.output, arguments.model, result.labels.empty() ? "" : ", clusters",
                  result.map.rows() == 0 ? "" : ", map", table.data().rows(), session.seconds()));
}

}  // namespace

void add_update(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand(
      "update", "Keep a model's layers, and find components, clusters and map for other rows");
  const auto arguments = std::make_shared<UpdateArguments>();
  verb.add_option("MODEL", arguments->model, "The model; it stays as it is")->required();
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output, "The new model to write (.mbn)")->required();
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_update(session, *arguments); };
  });
}

}  // namespace mbn::tool
