// SPDX-License-Identifier: Apache-2.0
//
// A query is embedded as the collection was: text -> counts -> embedding. Then it is compared with
// every row (search/cosine.cpp).
#include <mbn/index.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "api/model_access.hpp"
#include "base/job.hpp"
#include "rows/kinds.hpp"
#include "search/cosine.hpp"
#include "search/index_data.hpp"
#include "store/index_file.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kComponents = 100;
constexpr std::size_t kTitleBytes = 100;

/// The beginning of a text on one line, cut between characters.
std::string title_of(std::string_view text) {
  std::string title;
  for (const char letter : text) {
    const bool blank = static_cast<unsigned char>(letter) <= 0x20 || letter == 0x7F;
    if (blank && (title.empty() || title.back() == ' ')) continue;
    const bool inside = (static_cast<unsigned char>(letter) & 0xC0U) == 0x80U;
    if (title.size() >= kTitleBytes && !inside) break;
    if (title.size() >= kTitleBytes + 3) break;
    title += blank ? ' ' : letter;
  }
  if (title.ends_with(' ')) title.pop_back();
  return title;
}

[[noreturn]] void refuse(const std::string& problem, ErrorCode code = ErrorCode::does_not_fit) {
  throw InvalidArgument(code, problem);
}

void check_columns(std::size_t seen, std::uint64_t wanted) {
  if (seen == wanted) return;
  refuse(fmt::format("the rows have {} columns, but the index takes {}; use the same vocabulary",
                     seen, wanted));
}

}  // namespace

/// The parts as a caller sees them, and the same as plain data, which shares their memory.
struct Index::Implementation {
  IndexData data;
  std::optional<Vectorizer> vectorizer;
  std::optional<Model> model;
  std::optional<Lsa> lsa;
};

Index::Index(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}

Index Index::make(IndexParts parts) {
  IndexData data;
  data.embedding = std::move(parts.embedding);
  data.ids = std::move(parts.ids);
  data.titles = std::move(parts.titles);
  if (parts.vectorizer) data.vectorizer = parts.vectorizer->data_;
  if (parts.model) data.model = ModelAccess::shared_data(*parts.model);
  if (parts.lsa) data.lsa = parts.lsa->data_;
  check_index(data);
  data.embedding = unit_rows(data.embedding, "the embedding");
  return Index(std::make_shared<const Implementation>(Implementation{
      std::move(data), std::move(parts.vectorizer), std::move(parts.model), std::move(parts.lsa)}));
}

Index Index::build(const Documents& documents, const IndexOptions& options, const RunOptions& run) {
  FitOptions fit_options = options.fit;
  const std::uint32_t components = options.fit.components.value_or(kComponents);
  fit_options.components = components;
  validate(fit_options);
  IndexParts parts;
  parts.vectorizer = Vectorizer::fit(documents.texts, options.text, run);
  const SparseMatrix counts = parts.vectorizer->transform(documents.texts, run);
  if (options.method == Method::lsa) {
    parts.lsa = Lsa::fit(
        counts, {.components = components, .metric = fit_options.metric, .seed = fit_options.seed},
        run);
    parts.embedding = parts.lsa->transform(counts, run);
  } else {
    FitResult result = fit_transform(counts, fit_options, run);
    parts.model = std::move(result.model);
    parts.embedding = std::move(result.embedding);
  }
  parts.ids = documents.ids;
  for (const std::string& text : documents.texts) parts.titles.push_back(title_of(text));
  return make(std::move(parts));
}

std::size_t Index::rows() const {
  return implementation_->data.embedding.rows();
}
std::size_t Index::components() const {
  return implementation_->data.embedding.columns();
}
std::string Index::id(std::size_t row) const {
  return implementation_->data.ids.empty() ? std::to_string(row) : implementation_->data.ids[row];
}
std::string_view Index::title(std::size_t row) const {
  return implementation_->data.titles.empty() ? std::string_view()
                                              : implementation_->data.titles[row];
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
                                                 std::uint32_t top, const RunOptions& run) const {
  if (vectorizer() == nullptr) {
    refuse("the index has no vocabulary, so it takes rows and no texts; build it from texts",
           ErrorCode::no_vocabulary);
  }
  const SparseMatrix counts = vectorizer()->transform(texts, run);
  std::vector<std::vector<Hit>> answers = search(embed(counts, run), top, run);
  // The network embeds a row of zeros too, but a text without a known word must get no hits.
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (counts.view().indices(i).empty()) answers[i].clear();
  }
  return answers;
}

void Index::save(const std::filesystem::path& path, bool overwrite) const {
  write_index_file(path, implementation_->data, overwrite);
}

Index Index::load(const std::filesystem::path& path) {
  Implementation index;
  index.data = read_index_file(path);
  if (index.data.vectorizer) index.vectorizer = Vectorizer(index.data.vectorizer);
  if (index.data.model) index.model = ModelAccess::make(index.data.model);
  if (index.data.lsa) index.lsa = Lsa(index.data.lsa);
  return Index(std::make_shared<const Implementation>(std::move(index)));
}

}  // namespace mbn
