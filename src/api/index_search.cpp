// SPDX-License-Identifier: Apache-2.0
//
// A question in words goes two ways: its stems are looked up among all words of the collection, and
// it is embedded as the collection was (text -> counts -> embedding). search/rank.cpp puts both
// together. A row takes the second way only.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/index.hpp>

#include "api/index_implementation.hpp"
#include "base/job.hpp"
#include "rows/kinds.hpp"
#include "search/bm25.hpp"
#include "search/cosine.hpp"
#include "search/passage.hpp"
#include "search/rank.hpp"

namespace mbn {

namespace {

[[noreturn]] void refuse(const std::string& problem, ErrorCode code = ErrorCode::does_not_fit) {
  throw InvalidArgument(code, problem);
}

void check_columns(std::size_t seen, std::uint64_t wanted) {
  if (seen == wanted) return;
  refuse(fmt::format("the rows have {} columns, but the index takes {}; use the same vocabulary",
                     seen, wanted));
}

Method settled_method(const IndexData& data, std::optional<Method> wanted) {
  const Method method = wanted.value_or(data.method);
  if (data.has(method)) return method;
  std::string there;
  for (const Method one : {Method::fusion, Method::bm25, Method::lsa, Method::mbn}) {
    if (data.has(one)) there += fmt::format("{}{}", there.empty() ? "" : ", ", name_of(one));
  }
  const std::string name(name_of(method));
  throw InvalidArgument(
      ErrorCode::not_found,
      {option("method", name), " is not in this index, which has ",
       there.empty() ? "an embedding only" : there, "; build it with that method"},
      {.option = "method", .value = name});
}

bool uses_lsa(const IndexData& data, Method method) {
  return method == Method::lsa || (method == Method::fusion && data.lsa);
}

/// What a method compares a question with.
Collection collection_for(const IndexData& data, Method method) {
  const Lexicon* lexicon =
      method == Method::fusion || method == Method::bm25 ? data.lexicon.get() : nullptr;
  if (method == Method::bm25) return {lexicon, {}};
  return {lexicon, uses_lsa(data, method) ? data.by_lsa() : data.embedding};
}

/// Gives each question its direction, unless it is zero.
void give_directions(MatrixView embedded, std::vector<Question>& questions) {
  const Matrix unit = unit_rows(embedded, "the queries");
  for (std::size_t i = 0; i < unit.rows(); ++i) {
    const float* cells = unit.row<float>(i);
    const bool somewhere =
        std::any_of(cells, cells + unit.columns(), [](float cell) { return cell != 0; });
    if (somewhere) questions[i].direction.assign(cells, cells + unit.columns());
  }
}

std::vector<QuestionWord> words_of(const IndexData& data, std::string_view text) {
  return question_words(*data.lexicon, word_stems(text, data.vectorizer->options));
}

/// The stems of a question that the collection has, with what each tells.
StemWeights weights_of(const IndexData& data, std::span<const std::string> stems) {
  StemWeights weights;
  for (const std::string& stem : stems) {
    if (!data.lexicon) {
      weights[stem] = 1;
    } else if (const auto word = data.lexicon->find(stem)) {
      weights[stem] = word_weight(*data.lexicon, *word);
    }
  }
  return weights;
}

}  // namespace

Matrix Index::embed(RowsView rows, const RunOptions& run) const {
  const std::uint64_t wanted = model() != nullptr ? model()->columns()
                               : lsa() != nullptr ? lsa()->columns()
                                                  : components();
  check_columns(rows.columns(), wanted);
  if (model() != nullptr) return model()->transform(rows, run);
  if (lsa() != nullptr) return lsa()->transform(rows, run);
  return Matrix::copy_of(as_dense(rows).view().dense());
}

std::vector<std::vector<Hit>> Index::search(MatrixView embedded, std::uint32_t top,
                                            const RunOptions& run) const {
  check_columns(embedded.columns(), components());
  const Matrix queries = unit_rows(embedded, "the queries");
  std::vector<std::vector<Hit>> answers(queries.rows());
  Job job(run);
  for_each_best(
      queries, embedding(), std::min<std::size_t>(top, rows()), nullptr,
      [&](std::size_t query, std::vector<Hit> hits) {
        const float* cells = queries.row<float>(query);
        const bool has_direction =
            std::any_of(cells, cells + components(), [](float cell) { return cell != 0; });
        if (has_direction) answers[query] = std::move(hits);
      },
      job);
  return answers;
}

std::vector<std::vector<Hit>> Index::search_text(std::span<const std::string> texts,
                                                 std::uint32_t top, const RunOptions& run,
                                                 std::optional<Method> wanted) const {
  const IndexData& data = implementation_->data;
  if (vectorizer() == nullptr) {
    refuse("the index has no vocabulary, so it takes rows and no texts; build it from texts",
           ErrorCode::no_vocabulary);
  }
  const Method method = settled_method(data, wanted);
  const Collection collection = collection_for(data, method);
  std::vector<Question> questions(texts.size());
  if (collection.embedding.columns() > 0) {
    const SparseMatrix counts = vectorizer()->transform(texts, run);
    give_directions(
        uses_lsa(data, method) ? lsa()->transform(counts, run) : model()->transform(counts, run),
        questions);
    // The network embeds a row of zeros too, but a text without a known word has no direction.
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (counts.view().indices(i).empty()) questions[i].direction.clear();
    }
  }
  if (collection.lexicon != nullptr) {
    for (std::size_t i = 0; i < texts.size(); ++i) questions[i].words = words_of(data, texts[i]);
  }
  Job job(run);
  return rank(collection, questions, std::min<std::size_t>(top, rows()), job);
}

std::vector<Hit> Index::like(std::uint32_t row, std::uint32_t top, const RunOptions& run,
                             std::optional<Method> wanted) const {
  const IndexData& data = implementation_->data;
  if (row >= rows()) {
    refuse(fmt::format("row {} is not in the index, which has {}", row, rows()),
           ErrorCode::out_of_range);
  }
  Collection collection{nullptr, data.embedding};
  if (data.lexicon) collection = collection_for(data, settled_method(data, wanted));
  std::vector<Question> questions(1);
  questions[0].self = row;
  if (collection.embedding.columns() > 0) {
    give_directions(collection.embedding.slice(row, 1), questions);
  }
  if (collection.lexicon != nullptr && !data.texts.empty()) {
    questions[0].words = words_of(data, data.texts[row]);
  }
  if (questions[0].direction.empty() && data.texts.empty()) {
    refuse(
        "the index keeps no texts and has no embedding, so it cannot tell what is like a "
        "document; build it with its texts",
        ErrorCode::not_found);
  }
  Job job(run);
  return rank(collection, questions, std::min<std::size_t>(top, rows()), job)[0];
}

Passage Index::passage(std::size_t row, std::string_view question) const {
  const IndexData& data = implementation_->data;
  if (!data.vectorizer || row >= rows()) return {};
  const TextOptions& options = data.vectorizer->options;
  const std::vector<std::string> stems = word_stems(question, options);
  WordReader reader(options);
  Passage passage;
  if (!data.texts.empty()) {
    passage = find_passage(data.texts[row], weights_of(data, stems), reader);
  }
  if (!data.lexicon) return passage;
  reader.read_places(question, [&](std::string_view stem, WordPlace place) {
    const auto word = data.lexicon->find(stem);
    if (!word || !data.lexicon->has(*word, static_cast<std::uint32_t>(row))) return;
    const std::string written(question.substr(place.begin, place.end - place.begin));
    if (std::ranges::find(passage.words, written) == passage.words.end()) {
      passage.words.push_back(written);
    }
  });
  return passage;
}

}  // namespace mbn
