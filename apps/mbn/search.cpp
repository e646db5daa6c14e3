// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iostream>

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

void print_hits(const Index& index, const std::vector<Hit>& hits) {
  if (hits.empty()) fmt::print("no word of the query is known\n");
  for (const Hit& hit : hits) {
    fmt::print("{:.4f}\t{}\t{}\n", hit.score, plain(index.id(hit.row)),
               plain(index.title(hit.row)));
  }
}

Json json_of(const Index& index, const std::vector<Hit>& hits) {
  Json list = Json::array();
  for (const Hit& hit : hits) {
    list.push_back({{"row", hit.row}, {"id", index.id(hit.row)}, {"score", hit.score}});
    if (!index.title(hit.row).empty()) list.back()["title"] = std::string(index.title(hit.row));
  }
  return list;
}

class Answers {
 public:
  Answers(Session& session, const Index& index) : session_(session), index_(index) {
    session_.report()["rows"] = index.rows();
    session_.report()["queries"] = Json::array();
  }

  void text(const std::string& query, std::uint32_t top) {
    const auto start = std::chrono::steady_clock::now();
    const auto answers = index_.search_text({&query, 1}, top, session_.run);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    add(query, answers[0], taken.count());
  }

  void add(const std::string& query, const std::vector<Hit>& hits, double seconds) {
    if (session_.json) {
      session_.report()["queries"].push_back(
          {{"query", query}, {"seconds", seconds}, {"hits", json_of(index_, hits)}});
      return;
    }
    if (count_++ > 0) fmt::print("\n");
    print_hits(index_, hits);
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
    answers.add(std::to_string(i), lists[i], taken.count() / static_cast<double>(lists.size()));
  }
}

void run_search(Session& session, const SearchArguments& arguments) {
  if (!arguments.rows.empty() && !arguments.queries.empty()) {
    throw InvalidArgument("give queries as words or as --rows, not both");
  }
  const Index index = Index::load(arguments.index);
  session.report()["load_seconds"] = session.seconds();
  session.start(interrupted);
  Answers answers(session, index);
  if (!arguments.rows.empty()) {
    search_rows(session, index, arguments, answers);
  } else if (!arguments.queries.empty()) {
    for (const std::string& query : arguments.queries) answers.text(query, arguments.top);
  } else {
    std::string line;
    while (!interrupted && std::getline(std::cin, line)) answers.text(line, arguments.top);
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
  declare_missing(verb, arguments->missing);
  check_count(verb.add_option("--top", arguments->top, "Documents to show for each question")
                  ->capture_default_str());
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_search(session, *arguments); };
  });
}

}  // namespace mbn::tool
