// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "report_arguments.hpp"
#include "training.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct ClusterArguments {
  DataArguments data;
  TrainingArguments training;
  TruthArguments truth;
  PlotArguments plot;
  ReportArguments report;
  std::string output = "-";
  std::string model;
  std::string embedding;
  std::string tree;
  RowNumbers numbers;
  AppendArguments append;
  bool raw = false;
};

// For a person, hundreds of bare numbers say nothing.
void print_sizes(const std::vector<std::uint64_t>& sizes) {
  constexpr double kLongestBar = 40;
  const auto largest = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
  fmt::print("cluster      rows\n");
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const double share = largest > 0 ? static_cast<double>(sizes[c]) / largest : 0;
    fmt::print("{:7}  {:8}  {}\n", c, sizes[c],
               std::string(static_cast<std::size_t>(kLongestBar * share), '#'));
  }
}

bool shows_sizes(const Session& session, const ClusterArguments& arguments) {
  return arguments.output == "-" && !session.json && isatty(STDOUT_FILENO) != 0;
}

void report_labels(Session& session, const ClusterArguments& arguments, const Table& table,
                   const std::vector<std::int32_t>& labels, std::uint32_t clusters,
                   const std::optional<Labels>& truth) {
  std::vector<std::uint64_t> sizes(clusters);
  for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
  session.report()["clusters"] = clusters;
  session.report()["cluster_sizes"] = sizes;
  if (shows_sizes(session, arguments)) {
    if (truth) say_scores(session, labels, *truth);
    print_sizes(sizes);
    return session.say("-o labels.csv keeps the cluster of every row");
  }
  deliver_labels(session, labels, truth, table, arguments.output);
}

// k-means on the rows themselves, to compare the network with.
void cluster_raw(Session& session, const ClusterArguments& arguments, const Table& table,
                 const std::optional<Labels>& truth) {
  const FitOptions& options = arguments.training.options;
  const std::uint32_t clusters = options.clusters.count();
  if (options.missing == MissingValues::partial) {
    throw InvalidArgument(
        "--raw is k-means on whole rows; fill missing values with --missing mean, or leave out "
        "--raw");
  }
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

bool is_json(const std::string& path) {
  return path.ends_with(".json");
}

// The tree as data, or as a picture of its clearest answer.
void deliver_tree(Session& session, const ClusterArguments& arguments, const Model& model,
                  const Table& table) {
  const std::string& path = arguments.tree;
  if (path.empty()) return;
  const Tree tree = model.tree(table.data(), session.run);
  const std::vector<TreeCut> cuts = cuts_of(tree.merges);
  if (is_json(path)) {
    write_text(path, to_json(tree) + "\n", session.write_options());
  } else {
    const auto all = static_cast<std::uint32_t>(tree.rows.size());
    write_tree(path, branches_of(tree.merges, cuts.empty() ? all : cuts[0].least_rows),
               {.title = fmt::format("{} rows by what they have in common", all)}, session.force);
  }
  session.wrote("tree", path);
}

void cluster_network(Session& session, const ClusterArguments& arguments, const Table& table,
                     const std::optional<Labels>& truth) {
  std::vector<float> values = arguments.plot.read_values(table, arguments.data);
  TrainingArguments training = arguments.training;
  const bool shown =
      !arguments.plot.path.empty() || !arguments.report.path.empty() || arguments.append.wanted();
  if (shown && training.options.map == 0) training.options.map = 2;
  const FitResult result = training.train(session, table);
  if (!arguments.model.empty()) {
    result.model.save(arguments.model, session.force);
    session.wrote("model", arguments.model);
    arguments.data.keep_words(session, arguments.model);
  }
  if (!arguments.embedding.empty()) {
    write_matrix(arguments.embedding, result.embedding,
                 named_rows(session, table, component_names(result.embedding.columns())));
    session.wrote("embedding", arguments.embedding);
  }
  deliver_tree(session, arguments, result.model, table);
  Assignment assignment;
  if (arguments.numbers.probabilities.empty()) {
    assignment.confidence = result.confidence;
  } else {
    assignment = result.model.assign(table.data(), session.run);
  }
  arguments.numbers.deliver(session, result.model, table, assignment);
  arguments.append.write(session, table, arguments.data, result.labels, result.confidence,
                         result.map);
  const char* colours = truth ? "true label" : "cluster";
  const PlotContent content{
      truth.value_or(Labels{result.labels, {}}),
      std::move(values),
      {},
      fmt::format("{} rows x {} columns, {} by {}", table.data().rows(), table.data().columns(),
                  arguments.plot.values.empty() ? "coloured" : "named", colours)};
  arguments.plot.write(session, result.map, content, arguments.data);
  arguments.plot.write_components(session, result, content, arguments.data);
  arguments.report.write(
      session, result, table,
      arguments.report.content(session, table, truth, arguments.plot, arguments.data));
  report_labels(session, arguments, table, result.labels, result.model.options().clusters.count(),
                truth);
  arguments.training.discard_checkpoint();
}

bool needs_all_rows(const ClusterArguments& arguments) {
  return arguments.raw || !arguments.truth.path.empty() || !arguments.plot.path.empty() ||
         !arguments.plot.components_path.empty() || !arguments.report.path.empty() ||
         !arguments.tree.empty() || arguments.append.wanted() ||
         !arguments.data.options.label_column.empty();
}

// More rows than the network is made from: the others go through it as they are read.
void cluster_in_batches(Session& session, const ClusterArguments& arguments,
                        const TrainingRows& rows) {
  const FitResult result = arguments.training.train(session, rows.table, rows.all);
  const bool shown = shows_sizes(session, arguments);
  const std::vector<std::uint64_t> sizes =
      label_in_batches(session, result.model, arguments.data, arguments.training.batches(),
                       {.labels = shown ? "" : arguments.output,
                        .embedding = arguments.embedding,
                        .map = {},
                        .numbers = arguments.numbers,
                        .sizes = true});
  if (!arguments.model.empty()) {
    result.model.save(arguments.model, session.force);
    session.wrote("model", arguments.model);
  }
  session.report()["clusters"] = sizes.size();
  session.report()["cluster_sizes"] = sizes;
  session.report()["seconds"] = session.seconds();
  if (shown) print_sizes(sizes);
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
  if (arguments.raw &&
      !(arguments.model.empty() && arguments.embedding.empty() && arguments.plot.path.empty() &&
        arguments.plot.components_path.empty() && arguments.report.path.empty() &&
        arguments.tree.empty() && !arguments.numbers.wanted() && !arguments.append.wanted())) {
    throw InvalidArgument(
        "--raw trains no network: leave out --model, --embedding, --confidence, --probabilities, "
        "--outliers, --append, --tree, --plot, --components-plot and --report");
  }
  session.check_table_output(arguments.output);
  session.check_file_output(arguments.model);
  session.check_table_output(arguments.embedding);
  session.check_file_output(arguments.tree);
  if (!arguments.tree.empty() && !is_json(arguments.tree)) check_plot_ending(arguments.tree);
  arguments.numbers.check(session);
  arguments.append.check(session, arguments.data);
  arguments.plot.check(session, !arguments.report.path.empty());
  arguments.report.check(session);
  const TrainingRows rows = arguments.data.read_for_training(session, arguments.training.options,
                                                             needs_all_rows(arguments));
  if (rows.is_pool) return cluster_in_batches(session, arguments, rows);
  const Table& table = rows.table;
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
  verb.add_option("--tree", arguments->tree,
                  "Write the tree of rows that agree, with coarse and fine clusters: .json, or a "
                  "picture (.svg, .png, .pdf)");
  arguments->numbers.declare(verb);
  arguments->append.declare(verb);
  verb.add_flag("--raw", arguments->raw, "k-means on the rows themselves, to compare with");
  arguments->truth.declare(verb);
  arguments->plot.declare(verb);
  arguments->plot.declare_components(verb);
  verb.add_option("--report", arguments->report.path,
                  "Write a page (.html) that explores rows, clusters and layers");
  arguments->report.declare(verb);
  // Labels need a number of clusters: when none is given, it is found.
  arguments->training.options.clusters = Clusters::find;
  arguments->training.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_cluster(session, *arguments); };
  });
}

}  // namespace mbn::tool
