// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "training.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct ClusterArguments {
  DataArguments data;
  TrainingArguments training;
  TruthArguments truth;
  PlotArguments plot;
  std::string output = "-";
  std::string model;
  std::string embedding;
  RowNumbers numbers;
  bool raw = false;
};

void report_labels(Session& session, const ClusterArguments& arguments, const Table& table,
                   const std::vector<std::int32_t>& labels, std::uint32_t clusters,
                   const std::optional<Labels>& truth) {
  std::vector<std::uint64_t> sizes(clusters);
  for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
  session.report()["clusters"] = clusters;
  session.report()["cluster_sizes"] = sizes;
  deliver_labels(session, labels, truth, table, arguments.output);
}

// k-means on the rows themselves, to compare the network with.
void cluster_raw(Session& session, const ClusterArguments& arguments, const Table& table,
                 const std::optional<Labels>& truth) {
  const FitOptions& options = arguments.training.options;
  const std::uint32_t clusters = options.clusters.count();
  if (table.rows.is_sparse()) {
    throw InvalidArgument(
        "--raw works on dense rows, and these are sparse; leave it out, or convert them to .npy");
  }
  const KMeans result =
      kmeans(table.data().dense(),
             {.clusters = clusters, .restarts = options.restarts, .seed = options.seed},
             session.start(interrupted));
  session.report()["rows"] = table.data().rows();
  session.report()["columns"] = table.data().columns();
  session.report()["seconds"] = session.seconds();
  session.say(fmt::format("k-means on {} rows x {} columns: {:.1f} s", table.data().rows(),
                          table.data().columns(), session.seconds()));
  report_labels(session, arguments, table, result.labels, clusters, truth);
}

void cluster_network(Session& session, const ClusterArguments& arguments, const Table& table,
                     const std::optional<Labels>& truth) {
  const FitResult result = arguments.training.train(session, table.data());
  if (!arguments.model.empty()) {
    result.model.save(arguments.model, session.force);
    session.report()["model"] = arguments.model;
    session.say(fmt::format("wrote {}", arguments.model));
  }
  if (!arguments.embedding.empty()) {
    write_matrix(arguments.embedding, result.embedding,
                 named_rows(session, table, component_names(result.embedding.columns())));
    session.report()["embedding"] = arguments.embedding;
    session.say(fmt::format("wrote {}", arguments.embedding));
  }
  Assignment assignment;
  if (arguments.numbers.probabilities.empty()) {
    assignment.confidence = result.confidence;
  } else {
    assignment = result.model.assign(table.data(), session.run);
  }
  arguments.numbers.deliver(session, result.model, table, assignment);
  const Labels shown = truth.value_or(Labels{result.labels, {}});
  arguments.plot.write(session, result.embedding, shown, arguments.data,
                       fmt::format("{} rows x {} columns, coloured by {}", table.data().rows(),
                                   table.data().columns(), truth ? "true label" : "cluster"));
  report_labels(session, arguments, table, result.labels, result.model.options().clusters.count(),
                truth);
  arguments.training.discard_checkpoint();
}

void run_cluster(Session& session, const ClusterArguments& arguments) {
  const FitOptions& options = arguments.training.options;
  if (options.clusters == Clusters::unknown) {
    throw InvalidArgument(
        "clusters is unknown, and rows cannot be labelled without; give --clusters find or a "
        "number, or use 'mbn embed'");
  }
  if (arguments.raw && options.clusters == Clusters::find) {
    throw InvalidArgument(
        "clusters is find, but --raw trains no network that could find the number; give a "
        "number with --clusters");
  }
  if (arguments.raw && !(arguments.model.empty() && arguments.embedding.empty() &&
                         arguments.plot.path.empty() && !arguments.numbers.wanted())) {
    throw InvalidArgument(
        "--raw trains no network: leave out --model, --embedding, --confidence, --probabilities, "
        "--outliers and --plot");
  }
  session.check_table_output(arguments.output);
  session.check_file_output(arguments.model);
  session.check_table_output(arguments.embedding);
  arguments.numbers.check(session);
  arguments.plot.check(session);
  const Table table = arguments.data.read();
  const std::optional<Labels> truth = arguments.truth.read(table, arguments.data);
  if (arguments.raw) {
    cluster_raw(session, arguments, table, truth);
  } else {
    cluster_network(session, arguments, table, truth);
  }
}

}  // namespace

void add_cluster(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("cluster", "From a file to cluster labels");
  const auto arguments = std::make_shared<ClusterArguments>();
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output, "Labels to write: .npy, .csv, .txt; - is text")
      ->capture_default_str();
  verb.add_option("--model", arguments->model, "Keep the trained network in this file");
  verb.add_option("--embedding", arguments->embedding, "Keep the embedding in this file");
  arguments->numbers.declare(verb);
  verb.add_flag("--raw", arguments->raw, "k-means on the rows themselves, to compare with");
  arguments->truth.declare(verb);
  arguments->plot.declare(verb);
  // Labels need a number of clusters: when none is given, it is found.
  arguments->training.options.clusters = Clusters::find;
  arguments->training.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_cluster(session, *arguments); };
  });
}

}  // namespace mbn::tool
