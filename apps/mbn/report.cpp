// SPDX-License-Identifier: Apache-2.0
#include "report_arguments.hpp"

#include <fmt/format.h>

#include "our_files.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct PageArguments {
  std::string model;
  DataArguments data;
  TextArguments texts;
  TruthArguments truth;
  PlotArguments plot;
  ReportArguments report;
};

void report_with(Session& session, const PageArguments& arguments, const Model& model,
                 const Table& table, const PageContent& content) {
  const RunOptions& run = session.run;
  const std::string page = report_page(model, table.data(), content, arguments.report.options, run);
  write_text(arguments.report.path, page, session.write_options());
  session.report()["rows"] = table.data().rows();
  session.report()["bytes"] = page.size();
  session.report()["report"] = arguments.report.path;
  session.say(fmt::format("wrote {}: {} rows, {:.1f} MB, {:.1f} s; open it in a browser",
                          arguments.report.path, table.data().rows(),
                          static_cast<double>(page.size()) / 1e6, session.seconds()));
}

void report_with_model(Session& session, const PageArguments& arguments) {
  const Model model = Model::load(arguments.model);
  const Table table = arguments.data.read_for(session, model);
  const std::optional<Labels> truth = arguments.truth.read(table, arguments.data);
  session.start(interrupted);
  report_with(session, arguments, model, table,
              arguments.report.content(session, table, truth, arguments.plot, arguments.data));
}

// The texts of an index are captions at the same time, and its words are the columns.
void report_with_index(Session& session, const PageArguments& arguments) {
  const Index index = Index::load(arguments.model);
  const Model& network = network_of(index, arguments.model, "has no layers to show", "mbn index");
  session.start(interrupted);
  const NamedRows rows = arguments.texts.read_named(session, index, arguments.data);
  const std::optional<Labels> truth = arguments.truth.read(rows.table, arguments.data);
  PageContent content =
      arguments.report.content(session, rows.table, truth, arguments.plot, arguments.data);
  if (content.texts.empty()) content.texts = rows.texts;
  report_with(session, arguments, network, rows.table, content);
}

void run_report(Session& session, const PageArguments& arguments) {
  arguments.report.check(session);
  const FileKind kind = kind_to_load(session, arguments.model);
  arguments.texts.check(arguments.model, kind);
  switch (kind) {
    case FileKind::model:
      return report_with_model(session, arguments);
    case FileKind::index:
      return report_with_index(session, arguments);
    default:
      refuse_kind(arguments.model, kind, "show its layers");
  }
}

}  // namespace

void add_report(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("report", "One page that explores rows and network");
  const auto arguments = std::make_shared<PageArguments>();
  verb.add_option("MODEL", arguments->model, "A model, best fitted with --map 2, or an index")
      ->required();
  arguments->data.declare(verb);
  arguments->texts.declare(verb);
  arguments->report.path = "report.html";
  verb.add_option("-o,--output", arguments->report.path, "The page to write: .html")
      ->capture_default_str();
  arguments->truth.declare(verb);
  verb.add_option("--title", arguments->plot.title, "Title of the page [the data's file]");
  verb.add_option("--label-names", arguments->plot.label_names, "Names of labels 0, 1, ...")
      ->delimiter(',');
  arguments->report.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_report(session, *arguments); };
  });
}

}  // namespace mbn::tool
