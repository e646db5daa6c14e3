// SPDX-License-Identifier: Apache-2.0
//
// How an index is made: all words of the collection for BM25, the commonest of them as rows for
// latent semantic analysis and for the network. Questions are answered in index_search.cpp.
#include <mbn/index.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "api/index_implementation.hpp"
#include "api/model_access.hpp"
#include "base/job.hpp"
#include "rows/kinds.hpp"
#include "search/cosine.hpp"
#include "search/passage.hpp"
#include "store/index_file.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kComponents = 100;

/// Few texts have no 100 components that are not zero.
std::uint32_t most_components(const SparseMatrix& rows) {
  const std::uint64_t rank = std::min<std::uint64_t>(rows.rows(), rows.columns);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(rank, 1, kComponents));
}

/// What is searched where documents have titles: the titles belong to their words.
std::vector<std::string> with_titles(const Documents& documents) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < documents.titles.size(); ++i) {
    texts.push_back(documents.titles[i] + "\n" + documents.texts[i]);
  }
  return texts;
}

FitOptions network_options(const IndexOptions& options) {
  FitOptions fit = options.fit;
  // The components asked for are those of latent semantic analysis where that is there too.
  fit.components = options.method == Method::mbn
                       ? std::optional(options.fit.components.value_or(kComponents))
                       : std::nullopt;
  return fit;
}

void check_documents(const Documents& documents) {
  for (const auto* list : {&documents.ids, &documents.titles}) {
    if (list->empty() || list->size() == documents.size()) continue;
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("there are {} {} for {} rows; give one per row or none", list->size(),
                    list == &documents.ids ? "ids" : "titles", documents.size()));
  }
}

}  // namespace

Index::Index(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}

Index Index::from_data(IndexData data) {
  Implementation index;
  index.data = std::move(data);
  if (index.data.vectorizer) index.vectorizer = Vectorizer(index.data.vectorizer);
  if (index.data.model) index.model = ModelAccess::make(index.data.model);
  if (index.data.lsa) index.lsa = Lsa(index.data.lsa);
  return Index(std::make_shared<const Implementation>(std::move(index)));
}

Index Index::make(IndexParts parts) {
  IndexData data;
  data.embedding = std::move(parts.embedding);
  data.ids = PackedTexts(parts.ids, "ids");
  data.titles = PackedTexts(parts.titles, "titles");
  if (parts.vectorizer) data.vectorizer = parts.vectorizer->data_;
  if (parts.model) data.model = ModelAccess::shared_data(*parts.model);
  if (parts.lsa) data.lsa = parts.lsa->data_;
  data.method = data.lsa ? Method::lsa : Method::mbn;
  check_index(data);
  data.embedding = unit_rows(data.embedding, "the embedding");
  return from_data(std::move(data));
}

Index Index::build(const Documents& documents, const IndexOptions& options, const RunOptions& run) {
  const bool by_lsa = options.method == Method::fusion || options.method == Method::lsa;
  const bool by_network =
      options.method == Method::mbn || options.fit.clusters != Clusters::unknown;
  const FitOptions fit = network_options(options);
  validate(options.fit);
  validate(fit);
  check_documents(documents);
  const std::vector<std::string> titled = with_titles(documents);
  const std::vector<std::string>& texts = titled.empty() ? documents.texts : titled;
  const Vectorizer vectorizer = Vectorizer::fit(texts, options.text, run);
  IndexData data;
  data.method = options.method;
  data.vectorizer = vectorizer.data_;
  Job job(run);
  data.lexicon = std::make_shared<const Lexicon>(make_lexicon(texts, vectorizer.options(), job));
  SparseMatrix rows;
  if (by_lsa || by_network) rows = vectorizer.transform(texts, run);
  if (by_lsa) {
    const Lsa lsa = Lsa::fit(rows,
                             {.components = options.fit.components.value_or(most_components(rows)),
                              .metric = options.fit.metric,
                              .seed = options.fit.seed},
                             run);
    data.lsa = lsa.data_;
    data.embedding = unit_rows(lsa.transform(rows, run), "the embedding");
  }
  if (by_network) {
    FitResult result = fit_transform(rows, fit, run);
    data.model = ModelAccess::shared_data(result.model);
    std::swap(data.lsa_embedding, data.embedding);
    data.embedding = unit_rows(result.embedding, "the embedding");
    data.clusters.assign(result.labels.begin(), result.labels.end());
  }
  data.ids = PackedTexts(documents.ids, "ids");
  for (std::size_t i = 0; i < documents.size(); ++i) {
    data.titles.push_back(
        title_of(documents.titles.empty() ? documents.texts[i] : documents.titles[i]), "titles");
  }
  if (options.texts) data.texts = PackedTexts(texts, "texts");
  check_index(data);
  return from_data(std::move(data));
}

std::size_t Index::rows() const {
  return implementation_->data.rows();
}
std::size_t Index::components() const {
  return implementation_->data.embedding.columns();
}
std::string Index::id(std::size_t row) const {
  const PackedTexts& ids = implementation_->data.ids;
  return ids.empty() ? std::to_string(row) : std::string(ids[row]);
}
std::string_view Index::title(std::size_t row) const {
  const PackedTexts& titles = implementation_->data.titles;
  return titles.empty() ? std::string_view() : titles[row];
}
std::optional<std::uint32_t> Index::cluster(std::size_t row) const {
  const auto& clusters = implementation_->data.clusters;
  return clusters.empty() ? std::nullopt : std::optional(clusters[row]);
}
std::optional<std::uint32_t> Index::find(std::string_view id) const {
  for (std::size_t row = 0; row < rows(); ++row) {
    const PackedTexts& ids = implementation_->data.ids;
    const bool same = ids.empty() ? std::to_string(row) == id : ids[row] == id;
    if (same) return static_cast<std::uint32_t>(row);
  }
  return std::nullopt;
}
Method Index::method() const {
  return implementation_->data.method;
}
std::vector<Method> Index::methods() const {
  std::vector<Method> all;
  for (const Method one : {Method::fusion, Method::bm25, Method::lsa, Method::mbn}) {
    if (implementation_->data.has(one)) all.push_back(one);
  }
  return all;
}
std::size_t Index::words() const {
  return implementation_->data.lexicon ? implementation_->data.lexicon->words.size() : 0;
}
const Vectorizer* Index::vectorizer() const {
  return implementation_->vectorizer ? &*implementation_->vectorizer : nullptr;
}
const Model* Index::model() const {
  return implementation_->model ? &*implementation_->model : nullptr;
}
const Lsa* Index::lsa() const {
  return implementation_->lsa ? &*implementation_->lsa : nullptr;
}
MatrixView Index::embedding() const {
  return implementation_->data.embedding;
}

void Index::save(const std::filesystem::path& path, bool overwrite) const {
  write_index_file(path, implementation_->data, overwrite);
}

Index Index::load(const std::filesystem::path& path) {
  return from_data(read_index_file(path));
}

}  // namespace mbn
