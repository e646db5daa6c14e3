// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "our_files.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct ReclusterArguments {
  std::string model;
  std::uint32_t clusters = 0;
  std::string output = "-";
  std::string new_model;
};

void run_recluster(Session& session, const ReclusterArguments& arguments) {
  session.check_table_output(arguments.output);
  session.check_file_output(arguments.new_model);
  const FileKind kind = kind_to_load(session, arguments.model);
  if (kind != FileKind::model) {
    throw FormatError(
        fmt::format("{} is {}, and only a model can be cut into other clusters; give "
                    "one that 'mbn fit' or 'mbn cluster' wrote",
                    arguments.model, describe(kind)));
  }
  const Model model = Model::load(arguments.model);
  const FitResult result = with_clusters(model, arguments.clusters, session.start(interrupted));
  Json& report = session.report();
  report["rows"] = result.labels.size();
  report["clusters"] = arguments.clusters;
  std::vector<std::uint64_t> sizes(arguments.clusters);
  for (const std::int32_t label : result.labels) ++sizes[static_cast<std::size_t>(label)];
  report["cluster_sizes"] = sizes;
  if (!arguments.new_model.empty()) {
    result.model.save(arguments.new_model, session.force);
    session.wrote("model", arguments.new_model);
  }
  session.say(fmt::format("{} clusters of {} rows", arguments.clusters, fmt::join(sizes, ", ")));
  deliver_labels(session, result.labels, std::nullopt, {}, arguments.output);
}

}  // namespace

void add_recluster(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand(
      "recluster", "Cut a network into another number of clusters, without a new fit");
  const auto arguments = std::make_shared<ReclusterArguments>();
  verb.add_option("MODEL", arguments->model, "The model; it stays as it is")->required();
  verb.add_option("--clusters", arguments->clusters, "How many")->required();
  verb.add_option("-o,--output", arguments->output,
                  "Labels of the training rows: .npy, .csv, .txt; - is text")
      ->capture_default_str();
  verb.add_option("--model", arguments->new_model, "Keep the network with these clusters (.mbn)");
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_recluster(session, *arguments); };
  });
}

}  // namespace mbn::tool
