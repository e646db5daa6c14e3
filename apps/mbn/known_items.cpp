// SPDX-License-Identifier: Apache-2.0
#include "known_items.hpp"

#include <fmt/format.h>

#include "option_fields.hpp"

namespace mbn::tool {

namespace {

// Evenly from all of them, so that any order of the file is as good.
Documents some_of(Documents all, std::uint32_t sample) {
  if (sample == 0 || all.size() <= sample) return all;
  Documents taken;
  for (std::uint64_t i = 0; i < sample; ++i) {
    const std::size_t at = i * all.size() / sample;
    taken.texts.push_back(std::move(all.texts[at]));
    taken.ids.push_back(std::move(all.ids[at]));
  }
  return taken;
}

}  // namespace

void KnownItemArguments::declare(CLI::App& verb) {
  verb.add_option("--known-items", questions,
                  "Questions to ask an index, each about the document whose id it has: a file as "
                  "'mbn index' reads; the rank of that document is scored")
      ->group("Known items");
  verb.add_option("--text-column", options.text_column,
                  "With --known-items: CSV column or JSONL field of the question")
      ->capture_default_str()
      ->group("Known items");
  verb.add_option("--id-column", options.id_column,
                  "With --known-items: CSV column or JSONL field of the document's id")
      ->group("Known items");
  verb.add_option_function<std::string>(
          "--method", [this](const std::string& text) { method = value_named<Method>(text); },
          "With --known-items: only this method of the index")
      ->check(CLI::IsMember(names_of<Method>()))
      ->default_str("all that it has")
      ->group("Known items");
  for (const char* name : {"--text-column", "--id-column", "--method"}) {
    verb.get_option(name)->needs("--known-items");
  }
}

void evaluate_known_items(Session& session, const std::string& path,
                          const KnownItemArguments& arguments, std::uint32_t sample) {
  const Index index = Index::load(path);
  const Documents questions =
      some_of(read_documents(arguments.questions, arguments.options), sample);
  const RunOptions& run = session.start(interrupted);
  Json list = Json::array();
  if (!session.json) fmt::print("method  reciprocal rank  recall at 1  recall at 10\n");
  for (const Method method : arguments.method ? std::vector{*arguments.method} : index.methods()) {
    const KnownItemScores scores = score_known_items(index, questions, method, run);
    list.push_back({{"method", name_of(method)},
                    {"mean_reciprocal_rank", scores.mean_reciprocal_rank},
                    {"recall_at_1", scores.recall_at_1},
                    {"recall_at_10", scores.recall_at_10},
                    {"unanswered", scores.unanswered}});
    if (session.json) continue;
    fmt::print("{:6}  {:15.4f}  {:11.4f}  {:12.4f}\n", name_of(method), scores.mean_reciprocal_rank,
               scores.recall_at_1, scores.recall_at_10);
  }
  session.report()["questions"] = questions.size();
  session.report()["methods"] = list;
}

}  // namespace mbn::tool
