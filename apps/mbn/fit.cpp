// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "arguments.hpp"
#include "training.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

// Nothing for a pipe.
std::string size_of_file(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
  return failed ? "" : fmt::format(" ({:.1f} MB)", static_cast<double>(bytes) / 1e6);
}

struct FitArguments {
  DataArguments data;
  TrainingArguments training;
  std::string output;
};

void run_fit(Session& session, const FitArguments& arguments) {
  session.check_file_output(arguments.output);
  const TrainingRows rows =
      arguments.data.read_for_training(session, arguments.training.options, false);
  const FitResult result = arguments.training.train(session, rows.table, rows.all);
  result.model.save(arguments.output, session.force);
  arguments.data.keep_words(session, arguments.output);
  arguments.training.discard_checkpoint();
  session.report()["model"] = arguments.output;
  session.say(fmt::format("wrote {}{}", arguments.output, size_of_file(arguments.output)));
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
