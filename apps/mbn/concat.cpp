// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct ConcatArguments {
  std::vector<std::string> parts;
  std::string output;
  bool no_header = false;
};

void run_concat(Session& session, const ConcatArguments& arguments) {
  session.check_table_output(arguments.output);
  std::vector<std::filesystem::path> parts;
  for (const std::string& part : arguments.parts) {
    for (std::filesystem::path& file : data_files(part)) parts.push_back(std::move(file));
  }
  const std::uint64_t rows =
      concatenate(arguments.output, parts, !arguments.no_header, session.write_options());
  session.report()["rows"] = rows;
  session.report()["parts"] = parts.size();
  if (arguments.output == "-") return;
  session.report()["output"] = arguments.output;
  session.say(fmt::format("wrote {}: {} rows of {} parts", arguments.output, rows, parts.size()));
}

}  // namespace

void add_concat(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("concat", "Join tables that are parts of one");
  const auto arguments = std::make_shared<ConcatArguments>();
  verb.add_option("PART", arguments->parts,
                  "Tables in the order of their rows, as 'mbn predict --rows' wrote them: .npy, or "
                  "text with the same header; 'part-*.npy' is all of them by name")
      ->required();
  verb.add_option("-o,--output", arguments->output, "The table to write: .npy, .csv, .tsv, .txt")
      ->required();
  verb.add_flag("--no-header", arguments->no_header, "Text: the first lines are rows");
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_concat(session, *arguments); };
  });
}

}  // namespace mbn::tool
