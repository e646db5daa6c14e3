// SPDX-License-Identifier: Apache-2.0
#include "search/index_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include <mbn/error.hpp>

namespace mbn {

namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw InvalidArgument(problem);
}

void check_rows(const IndexData& index) {
  const std::size_t rows = index.rows();
  const bool embedded = index.embedding.rows() > 0 && index.embedding.columns() > 0;
  if (rows == 0 || rows > std::numeric_limits<std::uint32_t>::max() ||
      !(embedded || index.lexicon)) {
    refuse(fmt::format("an index needs rows, but the embedding is {} x {}", index.embedding.rows(),
                       index.embedding.columns()));
  }
  const auto one_each = [rows](std::size_t count, const char* what) {
    if (count == 0 || count == rows) return;
    refuse(fmt::format("there are {} {} for {} rows; give one per row or none", count, what, rows));
  };
  one_each(index.ids.size(), "ids");
  one_each(index.titles.size(), "titles");
  one_each(index.texts.size(), "texts");
  one_each(index.clusters.size(), "clusters");
  one_each(index.embedding.rows(), "embedded rows");
  one_each(index.lsa_embedding.rows(), "rows embedded by the lsa");
}

void check_embedding(const Matrix& embedding, std::uint64_t components) {
  if (components == embedding.columns()) return;
  refuse(
      fmt::format("the embedding has {} columns, but the model gives {}; embed the rows with "
                  "this model",
                  embedding.columns(), components));
}

void check_words(const IndexData& index, std::uint64_t columns) {
  if (columns == index.vectorizer->words.size()) return;
  refuse(
      fmt::format("the vocabulary has {} words, but the model takes {} columns; they belong to "
                  "different collections",
                  index.vectorizer->words.size(), columns));
}

}  // namespace

bool IndexData::has(Method wanted) const {
  switch (wanted) {
    case Method::fusion:
      return lexicon && (lsa || model);
    case Method::bm25:
      return lexicon != nullptr;
    case Method::lsa:
      return lsa != nullptr;
    case Method::mbn:
      break;
  }
  return model != nullptr;
}

void check_index(const IndexData& index) {
  check_rows(index);
  if (index.model && index.lsa && !index.lexicon) {
    refuse("an index has a model or an lsa, not both; leave one out");
  }
  if (index.model) check_embedding(index.embedding, index.model->projection.components);
  if (index.lsa) check_embedding(index.by_lsa(), index.lsa->options.components);
  if (!(index.model && index.lsa) && index.lsa_embedding.rows() > 0) {
    refuse("there are rows embedded by an lsa that is not there");
  }
  if (index.lexicon && !index.vectorizer) refuse("there is a lexicon without its vocabulary");
  if (index.lexicon && !index.model && !index.lsa && index.embedding.rows() > 0) {
    refuse("there is an embedding that no question can be embedded in");
  }
  const std::uint64_t clusters = index.model ? index.model->options.clusters.count_or(0) : 0;
  if (std::ranges::any_of(index.clusters, [&](std::uint32_t one) { return one >= clusters; })) {
    refuse("a row is in a cluster that the model does not have");
  }
  if (!index.vectorizer) return;
  if (index.model) check_words(index, index.model->columns);
  if (index.lsa) check_words(index, index.lsa->columns());
  if (!index.model && !index.lsa && !index.lexicon) check_words(index, 0);
}

}  // namespace mbn
