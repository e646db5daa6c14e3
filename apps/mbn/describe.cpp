// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "our_files.hpp"
#include "report_arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct DescribeArguments {
  std::string model;
  DataArguments data;
  TextArguments texts;
  DescribeOptions options;
  std::string output;
  std::string plot;
  std::string pictures;
};

std::string row_name(const Table& table, std::uint32_t row) {
  const bool one_each = table.ids.size() == table.data().rows();
  return one_each ? table.ids[row] : std::to_string(row + 1);
}

std::string row_names(const Table& table, const std::vector<std::uint32_t>& rows) {
  std::vector<std::string> names;
  for (const std::uint32_t row : rows) names.push_back(row_name(table, row));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string as_text(const Table& table, const std::vector<ClusterDescription>& clusters) {
  std::string text;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ClusterDescription& cluster = clusters[c];
    const double share =
        static_cast<double>(cluster.rows) / static_cast<double>(table.data().rows());
    text += fmt::format("cluster {}: {} rows ({:.1f} %), confidence {:.0f} %\n", c, cluster.rows,
                        100 * share, 100 * cluster.confidence);
    text += fmt::format("  {}\n",
                        cluster.sentence.empty() ? "no column sets it apart" : cluster.sentence);
    if (!cluster.exemplars.empty()) {
      text += fmt::format("  typical: {}\n", row_names(table, cluster.exemplars));
    }
  }
  return text;
}

std::string quoted(const std::string& cell) {
  std::string out = "\"";
  for (const char letter : cell)
    out += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return out + "\"";
}

std::string as_csv(const Table& table, const std::vector<ClusterDescription>& clusters) {
  std::string text = "cluster,rows,confidence,description,typical\n";
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    text +=
        fmt::format("{},{},{:.4f},{},{}\n", c, clusters[c].rows, clusters[c].confidence,
                    quoted(clusters[c].sentence), quoted(row_names(table, clusters[c].exemplars)));
  }
  return text;
}

void fill_report(Json& report, const Table& table,
                 const std::vector<ClusterDescription>& clusters) {
  report["rows"] = table.data().rows();
  report["clusters"] = Json::array();
  for (const ClusterDescription& cluster : clusters) {
    Json entry{{"rows", cluster.rows},
               {"confidence", cluster.confidence},
               {"description", cluster.sentence},
               {"marks", Json::array()},
               {"typical", Json::array()}};
    for (const Mark& mark : cluster.marks) {
      const bool named = mark.column < table.columns.size();
      entry["marks"].push_back({{"column", mark.column + 1},
                                {"name", named ? table.columns[mark.column] : ""},
                                {"effect", mark.effect},
                                {"inside", mark.inside},
                                {"outside", mark.outside}});
    }
    for (const std::uint32_t row : cluster.exemplars) {
      entry["typical"].push_back(row_name(table, row));
    }
    report["clusters"].push_back(std::move(entry));
  }
}

void describe_with(Session& session, const DescribeArguments& arguments, const Model& model,
                   const Table& table) {
  DescribeOptions options = arguments.options;
  options.means = !arguments.plot.empty();
  const PictureShape shape = parse_pictures(arguments.pictures).value_or(table.pictures);
  if (options.means && shape.empty()) {
    throw InvalidArgument(ErrorCode::invalid,
                          {"the file does not say how its columns make pictures; say so with ",
                           option("pictures", "28x28"), " (lines x pixels)"},
                          {.option = "pictures"});
  }
  const auto clusters = describe_clusters(model, table.data(), table.columns, options, session.run);
  if (options.means) {
    write_cluster_pictures(arguments.plot, clusters, table.data(), shape,
                           session.write_options().overwrite);
    session.wrote("plot", arguments.plot);
  }
  fill_report(session.report(), table, clusters);
  if (!arguments.output.empty()) {
    write_text(arguments.output, as_csv(table, clusters), session.write_options());
    session.wrote("output", arguments.output);
  } else if (!session.json) {
    std::fputs(as_text(table, clusters).c_str(), stdout);
  }
}

void describe_with_model(Session& session, const DescribeArguments& arguments) {
  const Model model = Model::load(arguments.model);
  session.start(interrupted);
  Table table = arguments.data.read_for(session, model);
  if (table.columns.empty()) table.columns = model.column_names();
  describe_with(session, arguments, model, table);
}

void describe_with_index(Session& session, const DescribeArguments& arguments) {
  const Index index = Index::load(arguments.model);
  const Model& network = network_of(index, arguments.model, "has no clusters");
  session.start(interrupted);
  const NamedRows rows = arguments.texts.read_named(session, index, arguments.data);
  describe_with(session, arguments, network, rows.table);
}

void run_describe(Session& session, const DescribeArguments& arguments) {
  session.check_file_output(arguments.output);
  if (!arguments.plot.empty()) {
    check_plot_ending(arguments.plot);
    session.check_file_output(arguments.plot);
  } else if (!arguments.pictures.empty()) {
    throw InvalidArgument("--pictures is for a picture; add --plot clusters.png");
  }
  const FileKind kind = kind_to_load(session, arguments.model);
  arguments.texts.check(arguments.model, kind);
  switch (kind) {
    case FileKind::model:
      return describe_with_model(session, arguments);
    case FileKind::index:
      return describe_with_index(session, arguments);
    default:
      refuse_kind(arguments.model, kind, "describe clusters");
  }
}

}  // namespace

void add_describe(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("describe", "Say what sets each cluster apart");
  const auto arguments = std::make_shared<DescribeArguments>();
  verb.add_option("MODEL", arguments->model,
                  "A model that was fitted with --clusters, or an index with one")
      ->required();
  arguments->data.declare(verb);
  arguments->texts.declare(verb);
  verb.add_option("-o,--output", arguments->output,
                  "Write a table (.csv) in place of the text: cluster, rows, confidence, "
                  "description, typical rows");
  verb.add_option("--plot", arguments->plot,
                  "Rows are pictures: draw the mean and the typical rows of each cluster (.svg, "
                  ".png, .pdf)");
  declare_pictures(verb, arguments->pictures);
  verb.add_option("--marks", arguments->options.marks,
                  "Columns or words named for each cluster, at most")
      ->capture_default_str();
  verb.add_option("--exemplars", arguments->options.exemplars,
                  "Typical rows named for each cluster, at most")
      ->capture_default_str();
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_describe(session, *arguments); };
  });
}

}  // namespace mbn::tool
