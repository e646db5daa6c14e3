// SPDX-License-Identifier: Apache-2.0
//
// A folder of texts as rows: counts of their words, weighted and compared as suits words.
#include <fmt/format.h>

#include <filesystem>

#include "arguments.hpp"

namespace mbn::tool {

namespace {

constexpr std::uint32_t kTextWords = 10000;

}  // namespace

Table DataArguments::read_texts(Session& session) const {
  Documents documents = read_documents(path);
  words_ = Vectorizer::fit(documents.texts, {.words = kTextWords}, session.run);
  Table table;
  table.rows = words_->transform(documents.texts, session.run);
  table.columns = words_->words();
  table.ids = std::move(documents.ids);
  table.id_names = {"file"};
  session.word_counts = true;
  const TextOptions& how = words_->options();
  table.notes.push_back(
      {NoteCode::data_read,
       fmt::format("{}: {} texts as rows, their {} commonest words as columns (language: {}); 'mbn "
                   "vectorize' counts them in other ways",
                   path, table.ids.size(), table.columns.size(), name_of(how.language))});
  return table;
}

void DataArguments::keep_words(Session& session, const std::string& model) const {
  if (!words_ || model.empty()) return;
  const auto beside = std::filesystem::path(model).replace_extension(".vocabulary.json");
  words_->save(beside, session.force);
  session.wrote("vocabulary", beside.string());
}

void choose_for_words(Session& session, const CLI::App& verb, FitOptions& options) {
  const bool weighs = verb.count("--weighting") == 0;
  const bool compares = verb.count("--metric") == 0;
  if (weighs) options.weighting = Weighting::log_tfidf;
  if (compares) options.metric = Metric::cosine;
  if (!weighs && !compares) return;
  session.tell({NoteCode::options_chosen,
                {"these are counts of words, so they are weighted (",
                 option("weighting", std::string(name_of(options.weighting))), ") and compared by ",
                 option("metric", std::string(name_of(options.metric)))}});
}

}  // namespace mbn::tool
