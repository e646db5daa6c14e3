// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "option_fields.hpp"
#include "text_arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct VectorizeArguments {
  DocumentArguments documents;
  TextOptions text;
  std::string output;
  std::string vocabulary;
  std::string vocabulary_output;
  std::string ids;
};

std::string beside(const std::string& output) {
  return std::filesystem::path(output).replace_extension(".vocabulary.json").string();
}

void write_ids(const Session& session, const std::string& path,
               const std::vector<std::string>& ids) {
  std::string text;
  for (std::string id : ids) {
    for (char& letter : id) {
      if (letter == '\n' || letter == '\r') letter = ' ';
    }
    text += id + "\n";
  }
  write_text(path, text, session.write_options());
}

void report_rows(Session& session, const Vectorizer& vectorizer, const SparseMatrix& rows,
                 const std::string& output) {
  std::uint64_t empty = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.view().indices(i).empty()) ++empty;
  }
  Json& report = session.report();
  report["documents"] = rows.rows();
  report["words"] = vectorizer.words().size();
  report["nonzeros"] = rows.values.size();
  report["empty_documents"] = empty;
  report["output"] = output;
  report["seconds"] = session.seconds();
  session.say(fmt::format("wrote {}: {} documents x {} words, {} nonzeros, {:.1f} s", output,
                          rows.rows(), vectorizer.words().size(), rows.values.size(),
                          session.seconds()));
  if (empty > 0) session.say(fmt::format("{} documents have no known word", empty));
}

void run_vectorize(Session& session, VectorizeArguments& arguments) {
  if (!arguments.vocabulary.empty() && !arguments.vocabulary_output.empty()) {
    throw InvalidArgument("--vocabulary is read and --vocabulary-output written; give one of them");
  }
  if (std::filesystem::path(arguments.output).extension() != ".npz") {
    throw InvalidArgument(
        fmt::format("counts are written as .npz, but the output is called '{}'; "
                    "give it that ending",
                    arguments.output));
  }
  const bool fits = arguments.vocabulary.empty();
  if (fits && arguments.vocabulary_output.empty()) {
    arguments.vocabulary_output = beside(arguments.output);
  }
  session.check_file_output(arguments.output);
  session.check_file_output(arguments.vocabulary_output);
  session.check_file_output(arguments.ids);
  std::optional<Vectorizer> vectorizer;
  if (!fits) vectorizer = Vectorizer::load(arguments.vocabulary);
  const Documents documents = arguments.documents.read();
  const RunOptions& run = session.start(interrupted);
  if (fits) vectorizer = Vectorizer::fit(documents.texts, arguments.text, run);
  const SparseMatrix rows = vectorizer->transform(documents.texts, run);
  write_sparse(arguments.output, rows, session.write_options());
  if (!arguments.ids.empty()) write_ids(session, arguments.ids, documents.ids);
  report_rows(session, *vectorizer, rows, arguments.output);
  if (!fits) return;
  vectorizer->save(arguments.vocabulary_output, session.force);
  session.wrote("vocabulary", arguments.vocabulary_output);
}

}  // namespace

void add_vectorize(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("vectorize", "From texts to counts of their words");
  const auto arguments = std::make_shared<VectorizeArguments>();
  arguments->documents.declare(verb);
  verb.add_option("-o,--output", arguments->output, "Counts to write: .npz, as SciPy does")
      ->required();
  CLI::Option* vocabulary = verb.add_option(
      "--vocabulary", arguments->vocabulary,
      "Count the words of this file, which an earlier run wrote, instead of finding words");
  verb.add_option("--vocabulary-output", arguments->vocabulary_output,
                  "Where the words go; by default beside the output, as .vocabulary.json");
  verb.add_option("--ids", arguments->ids, "Write the documents' ids, one a line");
  declare_text_options(verb, arguments->text);
  visit_fields(arguments->text, [&](const Field& field, const auto&) {
    vocabulary->excludes(verb.get_option(option_name(field.name)));
  });
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_vectorize(session, *arguments); };
  });
}

}  // namespace mbn::tool
