// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>

#include "arguments.hpp"
#include "option_fields.hpp"
#include "text_arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct SearchArguments {
  std::string index;
  std::vector<std::string> queries;
  std::string rows;
  std::string like;
  std::optional<Method> method;
  Missing missing = Missing::refuse;
  std::uint32_t top = 10;
};

// Ids and titles come from files: control characters in them could change the terminal.
std::string plain(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7F) letter = ' ';
  }
  return result;
}

// Bold on a terminal, between stars elsewhere.
std::string marked(const Passage& passage) {
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  const std::string begin = terminal ? "\033[1m" : "*";
  const std::string end = terminal ? "\033[0m" : "*";
  std::string text = passage.begins_inside ? "... " : "";
  std::size_t at = 0;
  for (const Passage::Mark& mark : passage.marks) {
    text += plain(passage.text.substr(at, mark.begin - at)) + begin;
    text += plain(passage.text.substr(mark.begin, mark.end - mark.begin)) + end;
    at = mark.end;
  }
  return text + plain(passage.text.substr(at)) + (passage.ends_inside ? " ..." : "");
}

// A line for the document, then indented lines for what of it answers.
void print_hits(const Index& index, const std::string& query, const std::vector<Hit>& hits) {
  for (const Hit& hit : hits) {
    fmt::print("{:.4f}\t{}\t{}\n", hit.score, plain(index.id(hit.row)),
               plain(index.title(hit.row)));
    const Passage passage = index.passage(hit.row, query);
    if (!passage.text.empty()) fmt::print("\t{}\n", marked(passage));
    std::vector<std::string> facts;
    if (!passage.words.empty()) facts.push_back(fmt::format("{}", fmt::join(passage.words, ", ")));
    if (const auto cluster = index.cluster(hit.row)) {
      facts.push_back(fmt::format("cluster {}", *cluster));
    }
    if (!facts.empty()) fmt::print("\t[{}]\n", plain(fmt::format("{}", fmt::join(facts, "; "))));
  }
}

Json json_of(const Index& index, const std::string& query, const std::vector<Hit>& hits) {
  Json list = Json::array();
  for (const Hit& hit : hits) {
    Json one = {{"row", hit.row}, {"id", index.id(hit.row)}, {"score", hit.score}};
    if (!index.title(hit.row).empty()) one["title"] = std::string(index.title(hit.row));
    if (const auto cluster = index.cluster(hit.row)) one["cluster"] = *cluster;
    const Passage passage = index.passage(hit.row, query);
    if (!passage.text.empty()) {
      one["passage"] = passage.text;
      one["marks"] = Json::array();
      for (const Passage::Mark& mark : passage.marks) {
        one["marks"].push_back({mark.begin, mark.end});
      }
    }
    if (index.words() > 0) one["words"] = passage.words;
    list.push_back(std::move(one));
  }
  return list;
}

class Answers {
 public:
  Answers(Session& session, const Index& index) : session_(session), index_(index) {
    session_.report()["rows"] = index.rows();
    session_.report()["queries"] = Json::array();
  }

  void text(const std::string& query, const SearchArguments& arguments) {
    const auto start = std::chrono::steady_clock::now();
    const auto answers =
        index_.search_text({&query, 1}, arguments.top, session_.run, arguments.method);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    add(query, query, answers[0], taken.count());
    if (!answers[0].empty()) return;
    session_.unanswered = true;
    fmt::print(stderr, "mbn: no document answers '{}': the collection knows none of its words\n",
               plain(query));
  }

  void like(const SearchArguments& arguments) {
    const auto row = index_.find(arguments.like);
    if (!row) {
      throw InvalidArgument(
          fmt::format("no document of the index is called '{}'", plain(arguments.like)));
    }
    const auto start = std::chrono::steady_clock::now();
    const auto hits = index_.like(*row, arguments.top, session_.run, arguments.method);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    add(arguments.like, std::string(index_.title(*row)), hits, taken.count());
    if (!hits.empty()) return;
    session_.unanswered = true;
    fmt::print(stderr, "mbn: nothing is like '{}': it has no word that another document has\n",
               plain(arguments.like));
  }

  /// `words` are what passages are looked for with.
  void add(const std::string& query, const std::string& words, const std::vector<Hit>& hits,
           double seconds) {
    if (session_.json) {
      session_.report()["queries"].push_back(
          {{"query", query}, {"seconds", seconds}, {"hits", json_of(index_, words, hits)}});
      return;
    }
    if (count_++ > 0) fmt::print("\n");
    print_hits(index_, words, hits);
    std::fflush(stdout);
  }

 private:
  Session& session_;
  const Index& index_;
  std::size_t count_ = 0;
};

void search_rows(Session& session, const Index& index, const SearchArguments& arguments,
                 Answers& answers) {
  DataArguments data;
  data.path = arguments.rows;
  data.options.missing = arguments.missing;
  const Table table = index.model() != nullptr ? data.read_for(session, *index.model())
                                               : data.read_for(session, 0, {});
  const Matrix embedded = index.embed(table.data(), session.run);
  const auto start = std::chrono::steady_clock::now();
  const auto lists = index.search(embedded, arguments.top, session.run);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    answers.add(std::to_string(i), "", lists[i], taken.count() / static_cast<double>(lists.size()));
  }
}

void run_search(Session& session, const SearchArguments& arguments) {
  const int kinds = (arguments.rows.empty() ? 0 : 1) + (arguments.like.empty() ? 0 : 1) +
                    (arguments.queries.empty() ? 0 : 1);
  if (kinds > 1) {
    throw InvalidArgument("give questions as words, as --rows or as --like, not several of them");
  }
  if (!arguments.rows.empty() && arguments.method) {
    throw InvalidArgument("--rows are compared by the embedding; leave out --method");
  }
  const Index index = Index::load(arguments.index);
  session.report()["load_seconds"] = session.seconds();
  session.start(interrupted);
  Answers answers(session, index);
  if (!arguments.rows.empty()) {
    search_rows(session, index, arguments, answers);
  } else if (!arguments.like.empty()) {
    answers.like(arguments);
  } else if (!arguments.queries.empty()) {
    for (const std::string& query : arguments.queries) answers.text(query, arguments);
  } else {
    std::string line;
    while (!interrupted && std::getline(std::cin, line)) answers.text(line, arguments);
  }
}

}  // namespace

void add_search(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("search", "The documents of an index nearest to a question");
  const auto arguments = std::make_shared<SearchArguments>();
  verb.add_option("INDEX", arguments->index, "What 'mbn index' wrote")->required();
  verb.add_option("QUERY", arguments->queries,
                  "Questions, each in quotes; without any, lines of standard input");
  verb.add_option(
      "--rows", arguments->rows,
      "Rows to search for instead: like those the index was made of (.npz, .npy, .csv, ...)");
  verb.add_option("--like", arguments->like, "Documents like this one of the index, by its id");
  verb.add_option_function<std::string>(
          "--method",
          [arguments](const std::string& text) { arguments->method = value_named<Method>(text); },
          "What ranks the documents, of what the index has: 'fusion', 'bm25', 'lsa' or 'mbn'")
      ->check(CLI::IsMember(names_of<Method>()))
      ->default_str("that of the index");
  declare_missing(verb, arguments->missing);
  check_count(verb.add_option("--top", arguments->top, "Documents to show for each question")
                  ->capture_default_str());
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_search(session, *arguments); };
  });
}

}  // namespace mbn::tool
