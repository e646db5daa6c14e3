// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "option_fields.hpp"
#include "our_files.hpp"
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
  std::vector<std::string> add;
  std::vector<std::string> remove;
  bool no_texts = false;

  bool changes() const { return !add.empty() || !remove.empty(); }
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
  IndexOptions options = arguments.options;
  options.texts = !arguments.no_texts;
  return Index::build(documents, options, session.start(interrupted));
}

// Without an id column, lines are numbered on from those that are there already.
Documents read_additions(const IndexArguments& arguments) {
  DocumentArguments more = arguments.documents;
  more.paths = arguments.add;
  Documents documents = more.read();
  const bool numbered = more.options.id_column.empty() &&
                        std::ranges::none_of(more.paths, [](const std::string& path) {
                          return std::filesystem::is_directory(path);
                        });
  if (numbered) documents.ids.clear();
  return documents;
}

Index change_index(Session& session, const IndexArguments& arguments) {
  Index index = Index::load(arguments.documents.paths.front());
  const std::size_t before = index.rows();
  if (!arguments.remove.empty()) index = index.removed(arguments.remove);
  const std::size_t left = index.rows();
  session.report()["removed"] = before - left;
  if (!arguments.add.empty()) {
    index = index.added(read_additions(arguments), session.start(interrupted));
  }
  session.report()["added"] = index.rows() - left;
  const std::uint64_t fitted = index.vectorizer() != nullptr ? index.vectorizer()->documents() : 0;
  if (index.rows() > 2 * fitted && fitted > 0) {
    session.say(
        fmt::format("the embedding knows only the first {} documents; index all {} again "
                    "when answers get worse",
                    fitted, index.rows()));
  }
  return index;
}

void run_index(Session& session, IndexArguments& arguments) {
  // A change is written in the place of the old index, which is what was asked for.
  const bool in_place = arguments.changes() && arguments.output.empty();
  if (arguments.changes() &&
      (arguments.documents.paths.size() != 1 || !arguments.embedding.empty())) {
    throw InvalidArgument(
        "--add and --remove change one index; name it, as in 'mbn index news.index --add new.csv'");
  }
  if (in_place) {
    arguments.output = arguments.documents.paths.front();
  } else if (arguments.output.empty()) {
    throw InvalidArgument("--output is required: where shall the index go?");
  } else {
    session.check_file_output(arguments.output);
  }
  const Index index = arguments.changes()           ? change_index(session, arguments)
                      : arguments.embedding.empty() ? index_documents(session, arguments)
                                                    : index_embedding(session, arguments);
  index.save(arguments.output, session.force || in_place);
  Json& report = session.report();
  report["rows"] = index.rows();
  report["components"] = index.components();
  if (index.vectorizer() != nullptr) {
    report["words"] = index.vectorizer()->words().size();
    report["all_words"] = index.words();
    report["language"] = name_of(index.vectorizer()->options().language);
  }
  report["method"] = method_text(index);
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
  verb.add_option("-o,--output", arguments->output, "The index to write");
  add_enum(verb, "--method", arguments->options.method,
           "What answers: 'fusion' of the words and of latent semantic analysis, 'bm25' (words "
           "only), 'lsa', or 'mbn' (the network); with --clusters there is a network too");
  verb.add_option("--title-column", arguments->documents.options.title_column,
                  "CSV column or JSONL field of the document's title, which is searched too")
      ->group("Reading");
  verb.add_flag("--no-texts", arguments->no_texts,
                "Keep no texts: a smaller file, and answers without a passage");
  verb.add_option("--add", arguments->add,
                  "Add these documents to the index DOCUMENTS, without a new fit; it is written in "
                  "its place, or to --output")
      ->group("A ready index");
  verb.add_option("--remove", arguments->remove,
                  "Take the documents with these ids out of the index DOCUMENTS")
      ->group("A ready index");
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
