// SPDX-License-Identifier: Apache-2.0
//
// An index never changes: these make another one. New documents take the way of a question (the
// same words, the same embedding), so nothing is fitted again; the lexicon gets their words
// whatever they are.
#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/index.hpp>

#include "api/index_implementation.hpp"
#include "base/job.hpp"
#include "rows/gather.hpp"
#include "search/cosine.hpp"
#include "search/passage.hpp"

namespace mbn {

namespace {

Matrix below(MatrixView first, MatrixView second) {
  Matrix all(first.rows() + second.rows(), first.columns());
  for (std::size_t i = 0; i < all.rows(); ++i) {
    const bool in_first = i < first.rows();
    copy_row(in_first ? first : second, in_first ? i : i - first.rows(), all.mutable_row<float>(i));
  }
  return all;
}

PackedTexts joined(PackedTexts all, std::size_t rows, const std::vector<std::string>& more,
                   const char* what) {
  if (all.empty() && rows > 0) return all;
  for (const std::string& one : more) all.push_back(one, what);
  return all;
}

PackedTexts chosen(const PackedTexts& texts, const std::vector<bool>& keep, const char* what) {
  PackedTexts rest;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (keep[i]) rest.push_back(texts[i], what);
  }
  return rest;
}

[[noreturn]] void refuse(const std::string& problem, ErrorCode code) {
  throw InvalidArgument(code, problem);
}

void check_new_ids(const PackedTexts& old, const std::vector<std::string>& ids) {
  std::set<std::string_view> known;
  for (std::size_t i = 0; i < old.size(); ++i) known.insert(old[i]);
  for (const std::string& id : ids) {
    if (known.insert(id).second) continue;
    refuse(fmt::format("the id '{}' is in the index already; remove that document first, or give "
                       "the new one another id",
                       id),
           ErrorCode::conflict);
  }
}

}  // namespace

Index Index::added(const Documents& documents, const RunOptions& run) const {
  const IndexData& old = implementation_->data;
  if (!old.lexicon) {
    refuse(
        "documents can be added to an index that was built from texts by this version; build it "
        "again",
        ErrorCode::no_vocabulary);
  }
  std::vector<std::string> ids = documents.ids;
  if (ids.empty() && !old.ids.empty()) {
    for (std::size_t i = 1; i <= documents.size(); ++i) ids.push_back(std::to_string(rows() + i));
  }
  PackedTexts known = old.ids;
  if (!ids.empty() && known.empty()) {
    for (std::size_t row = 0; row < rows(); ++row) known.push_back(id(row), "ids");
  }
  check_new_ids(known, ids);
  std::vector<std::string> texts = documents.texts;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    titles.push_back(title_of(documents.titles.empty() ? texts[i] : documents.titles[i]));
    if (!documents.titles.empty()) texts[i] = documents.titles[i] + "\n" + texts[i];
  }
  Job job(run);
  IndexData data;
  data.method = old.method;
  data.vectorizer = old.vectorizer;
  data.model = old.model;
  data.lsa = old.lsa;
  data.lexicon = std::make_shared<const Lexicon>(
      mbn::joined(*old.lexicon, make_lexicon(texts, old.vectorizer->options, job)));
  data.ids = joined(std::move(known), rows(), ids, "ids");
  data.titles = joined(old.titles, rows(), titles, "titles");
  data.texts = joined(old.texts, rows(), texts, "texts");
  const SparseMatrix counts = vectorizer()->transform(texts, run);
  if (old.lsa) {
    Matrix all = below(old.by_lsa(), unit_rows(lsa()->transform(counts, run), "the embedding"));
    (old.model ? data.lsa_embedding : data.embedding) = std::move(all);
  }
  if (old.model) {
    data.embedding =
        below(old.embedding, unit_rows(model()->transform(counts, run), "the embedding"));
  }
  data.clusters = old.clusters;
  if (!old.clusters.empty()) {
    for (const std::int32_t label : model()->predict(counts, run)) {
      data.clusters.push_back(static_cast<std::uint32_t>(label));
    }
  }
  check_index(data);
  return from_data(std::move(data));
}

Index Index::removed(std::span<const std::string> ids) const {
  const IndexData& old = implementation_->data;
  std::set<std::string_view> leaving(ids.begin(), ids.end());
  std::set<std::string> found;
  std::vector<bool> keep(rows());
  std::vector<std::uint32_t> kept;
  for (std::uint32_t row = 0; row < rows(); ++row) {
    std::string name = id(row);
    keep[row] = !leaving.contains(name);
    if (keep[row]) kept.push_back(row);
    if (!keep[row]) found.insert(std::move(name));
  }
  for (const std::string_view one : leaving) {
    if (found.contains(std::string(one))) continue;
    refuse(fmt::format("no document of the index is called '{}'", one), ErrorCode::not_found);
  }
  if (kept.empty()) {
    refuse("no document would be left in the index; remove its file instead", ErrorCode::too_small);
  }
  IndexData data;
  data.method = old.method;
  data.vectorizer = old.vectorizer;
  data.model = old.model;
  data.lsa = old.lsa;
  if (old.lexicon) data.lexicon = std::make_shared<const Lexicon>(selected(*old.lexicon, keep));
  data.ids = chosen(old.ids, keep, "ids");
  data.titles = chosen(old.titles, keep, "titles");
  data.texts = chosen(old.texts, keep, "texts");
  if (old.embedding.rows() > 0) data.embedding = gather_rows(old.embedding, kept);
  if (old.lsa_embedding.rows() > 0) data.lsa_embedding = gather_rows(old.lsa_embedding, kept);
  for (std::size_t row = 0; row < old.clusters.size(); ++row) {
    if (keep[row]) data.clusters.push_back(old.clusters[row]);
  }
  check_index(data);
  return from_data(std::move(data));
}

}  // namespace mbn
