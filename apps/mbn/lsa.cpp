// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "arguments.hpp"
#include "option_fields.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct LsaArguments {
  DataArguments data;
  std::string output = "-";
  std::string model;
  std::string apply;
  LsaOptions options;
};

void run_lsa(Session& session, const LsaArguments& arguments) {
  if (!arguments.apply.empty() && !arguments.model.empty()) {
    throw InvalidArgument("--apply uses a decomposition and --model keeps a new one; give one");
  }
  session.check_table_output(arguments.output);
  session.check_file_output(arguments.model);
  std::optional<Lsa> lsa;
  if (!arguments.apply.empty()) lsa = Lsa::load(arguments.apply);
  const Table table = arguments.data.read(session);
  const RowsView rows = table.data();
  const RunOptions& run = session.start(interrupted);
  if (!lsa) lsa = Lsa::fit(rows, arguments.options, run);
  const Matrix embedding = lsa->transform(rows, run);
  Json& report = session.report();
  report["rows"] = rows.rows();
  report["columns"] = rows.columns();
  report["components"] = lsa->components();
  report["singular_values"] = lsa->singular_values();
  report["seconds"] = session.seconds();
  session.say(fmt::format("{} rows x {} columns; {} components, {:.1f} s", rows.rows(),
                          rows.columns(), lsa->components(), session.seconds()));
  if (!arguments.model.empty()) {
    lsa->save(arguments.model, session.force);
    session.wrote("model", arguments.model);
  }
  const bool to_stdout = arguments.output == "-";
  if (to_stdout && session.json) return;
  write_matrix(arguments.output, embedding,
               named_rows(session, table, component_names(embedding.columns())));
  if (to_stdout) return;
  session.wrote("output", arguments.output);
}

}  // namespace

void add_lsa(CLI::App& app, Session& session) {
  CLI::App& verb =
      *app.add_subcommand("lsa", "Embed rows by latent semantic analysis, to compare with");
  const auto arguments = std::make_shared<LsaArguments>();
  arguments->data.options.coding = TableCoding();  // which an .mbn file of this kind does not keep
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output,
                  "Embedding to write: .npy, .csv, .tsv; - is CSV")
      ->capture_default_str();
  verb.add_option("--model", arguments->model, "Keep the decomposition in this file");
  CLI::Option* apply = verb.add_option("--apply", arguments->apply,
                                       "Embed with the decomposition in this file instead");
  add_fields(verb, arguments->options, "The decomposition");
  visit_fields(arguments->options, [&](const Field& field, const auto&) {
    apply->excludes(verb.get_option(option_name(field.name)));
  });
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_lsa(session, *arguments); };
  });
}

}  // namespace mbn::tool
