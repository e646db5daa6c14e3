// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arguments.hpp"
#include "training.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct FitArguments {
  DataArguments data;
  TrainingArguments training;
  std::string output;
};

void run_fit(Session& session, const FitArguments& arguments) {
  session.check_file_output(arguments.output);
  const Table table = arguments.data.read();
  const FitResult result = arguments.training.train(session, table.data());
  result.model.save(arguments.output, session.force);
  arguments.training.discard_checkpoint();
  session.report()["model"] = arguments.output;
  session.say(fmt::format("wrote {} ({:.1f} MB)", arguments.output,
                          static_cast<double>(result.model.memory_bytes()) / 1e6));
}

}  // namespace

void add_fit(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("fit", "Train a network on rows and save it");
  const auto arguments = std::make_shared<FitArguments>();
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output, "The model file to write (.mbn)")->required();
  arguments->training.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_fit(session, *arguments); };
  });
}

}  // namespace mbn::tool
