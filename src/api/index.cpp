// SPDX-License-Identifier: Apache-2.0
//
// A query takes the way that the collection took: text -> counts -> embedding, and is then held
// against every row (cosine.cpp).
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "base/job.hpp"
#include "rows/kinds.hpp"
#include "search/cosine.hpp"
#include "search/index_data.hpp"

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

void check_parts(const IndexParts& parts) {
  const std::size_t rows = parts.embedding.rows();
  if (rows == 0 || parts.embedding.columns() == 0 ||
      rows > std::numeric_limits<std::uint32_t>::max()) {
    refuse(fmt::format("an index needs rows, but the embedding is {} x {}", rows,
                       parts.embedding.columns()),
           ErrorCode::too_small);
  }
  for (const auto* texts : {&parts.names, &parts.titles}) {
    if (!texts->empty() && texts->size() != rows) {
      refuse(fmt::format("there are {} {} for {} rows; give one per row or none", texts->size(),
                         texts == &parts.names ? "names" : "titles", rows));
    }
  }
  if (parts.model && parts.lsa)
    refuse("an index has a model or an lsa, not both; leave one out", ErrorCode::conflict);
  const bool embeds = parts.model || parts.lsa;
  const std::uint64_t components = parts.model ? parts.model->components()
                                   : parts.lsa ? parts.lsa->components()
                                               : 0;
  if (embeds && components != parts.embedding.columns()) {
    refuse(
        fmt::format("the embedding has {} columns, but the model gives {}; embed the rows with "
                    "this model",
                    parts.embedding.columns(), components));
  }
  if (!parts.vectorizer) return;
  const std::uint64_t columns = parts.model ? parts.model->columns()
                                : parts.lsa ? parts.lsa->columns()
                                            : 0;
  if (columns != parts.vectorizer->words().size()) {
    refuse(
        fmt::format("the vocabulary has {} words, but the model takes {} columns; they belong "
                    "to different collections",
                    parts.vectorizer->words().size(), columns));
  }
}

Index::Index(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

Index Index::make(IndexParts parts) {
  check_parts(parts);
  parts.embedding = unit_rows(parts.embedding, "the embedding");
  return Index(std::make_shared<const Data>(Data{std::move(parts)}));
}

Index Index::build(const Documents& documents, const IndexOptions& options, const RunOptions& run) {
  FitOptions fit_options = options.fit;
  if (fit_options.components == 0) fit_options.components = kComponents;
  validate(fit_options);
  IndexParts parts;
  parts.vectorizer = Vectorizer::fit(documents.texts, options.text, run);
  const SparseMatrix counts = parts.vectorizer->transform(documents.texts, run);
  if (options.method == Method::lsa) {
    parts.lsa = Lsa::fit(counts,
                         {.components = fit_options.components,
                          .metric = fit_options.metric,
                          .seed = fit_options.seed},
                         run);
    parts.embedding = parts.lsa->transform(counts, run);
  } else {
    FitResult result = fit_transform(counts, fit_options, run);
    parts.model = std::move(result.model);
    parts.embedding = std::move(result.embedding);
  }
  parts.names = documents.names;
  for (const std::string& text : documents.texts) parts.titles.push_back(title_of(text));
  return make(std::move(parts));
}

std::size_t Index::rows() const {
  return data_->parts.embedding.rows();
}
std::size_t Index::components() const {
  return data_->parts.embedding.columns();
}
std::string Index::name(std::size_t row) const {
  return data_->parts.names.empty() ? std::to_string(row) : data_->parts.names[row];
}
std::string_view Index::title(std::size_t row) const {
  return data_->parts.titles.empty() ? std::string_view() : data_->parts.titles[row];
}
const Vectorizer* Index::vectorizer() const {
  return data_->parts.vectorizer ? &*data_->parts.vectorizer : nullptr;
}
const Model* Index::model() const {
  return data_->parts.model ? &*data_->parts.model : nullptr;
}
const Lsa* Index::lsa() const {
  return data_->parts.lsa ? &*data_->parts.lsa : nullptr;
}
MatrixView Index::embedding() const {
  return data_->parts.embedding;
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
  // The network gives every row a place, also one that says nothing.
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (counts.view().indices(i).empty()) answers[i].clear();
  }
  return answers;
}

}  // namespace mbn
