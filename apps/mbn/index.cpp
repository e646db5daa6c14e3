// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "option_fields.hpp"
#include "text_arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct IndexArguments {
  DocumentArguments documents;
  IndexOptions options;
  std::string output;
  std::string embedding;
  std::string model;
  std::string lsa;
  std::string vocabulary;
  std::string ids;
};

// A ready embedding, with whatever takes a query there.
Index index_embedding(Session& session, const IndexArguments& arguments) {
  if (!arguments.documents.paths.empty()) {
    throw InvalidArgument("--embedding is a collection already; leave out the documents");
  }
  IndexParts parts;
  Table table = read_table(arguments.embedding, {.coding = TableCoding()});
  for (const Note& note : table.notes) session.tell(note);
  if (table.rows.is_sparse()) {
    throw InvalidArgument(
        fmt::format("{} holds sparse rows, and an embedding is dense; embed them with --model or "
                    "--lsa first",
                    arguments.embedding));
  }
  parts.embedding = std::move(table.rows.dense());
  parts.ids = std::move(table.ids);
  if (!arguments.model.empty()) parts.model = Model::load(arguments.model);
  if (!arguments.lsa.empty()) parts.lsa = Lsa::load(arguments.lsa);
  if (!arguments.vocabulary.empty()) parts.vectorizer = Vectorizer::load(arguments.vocabulary);
  if (!arguments.ids.empty()) {
    parts.ids = read_documents(arguments.ids, {.format = DocumentFormat::lines}).texts;
  }
  return Index::make(std::move(parts));
}

Index index_documents(Session& session, const IndexArguments& arguments) {
  for (const std::string* path :
       {&arguments.model, &arguments.lsa, &arguments.vocabulary, &arguments.ids}) {
    if (path->empty()) continue;
    throw InvalidArgument(fmt::format("{} belongs to a ready embedding; add --embedding", *path));
  }
  if (arguments.documents.paths.empty()) {
    throw InvalidArgument("nothing to index; give documents, or rows with --embedding");
  }
  const Documents documents = arguments.documents.read();
  return Index::build(documents, arguments.options, session.start(interrupted));
}

void run_index(Session& session, const IndexArguments& arguments) {
  session.check_file_output(arguments.output);
  const Index index = arguments.embedding.empty() ? index_documents(session, arguments)
                                                  : index_embedding(session, arguments);
  index.save(arguments.output, session.force);
  Json& report = session.report();
  report["rows"] = index.rows();
  report["components"] = index.components();
  if (index.vectorizer() != nullptr) report["words"] = index.vectorizer()->words().size();
  report["method"] = index.lsa() != nullptr ? "lsa" : index.model() != nullptr ? "mbn" : "none";
  report["output"] = arguments.output;
  report["seconds"] = session.seconds();
  session.say(fmt::format("wrote {}: {} rows, {} components, {:.1f} s", arguments.output,
                          index.rows(), index.components(), session.seconds()));
}

}  // namespace

void add_index(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("index", "Embed a collection and keep it for 'search'");
  const auto arguments = std::make_shared<IndexArguments>();
  arguments->documents.declare(verb);
  verb.get_option("DOCUMENTS")->required(false);
  verb.add_option("-o,--output", arguments->output, "The index to write")->required();
  add_enum(verb, "--method", arguments->options.method,
           "What embeds the collection: the network, or latent semantic analysis");
  verb.add_option("--embedding", arguments->embedding,
                  "Index these rows, embedded already (.npy, .csv), instead of documents")
      ->group("A ready embedding");
  verb.add_option("--model", arguments->model, "The network that embedded them, for queries")
      ->group("A ready embedding");
  verb.add_option("--lsa", arguments->lsa, "The 'mbn lsa' that embedded them, for queries")
      ->group("A ready embedding");
  verb.add_option("--vocabulary", arguments->vocabulary, "Their words, for text queries")
      ->group("A ready embedding");
  verb.add_option("--ids", arguments->ids, "Their ids, one a line")->group("A ready embedding");
  declare_text_options(verb, arguments->options.text);
  // Words are weighted when they are counted.
  add_fields(verb, arguments->options.fit, "The network (lsa: components, metric and seed)",
             "weighting");
  verb.get_option("--components")->default_str("100");
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_index(session, *arguments); };
  });
}

}  // namespace mbn::tool
