// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/hit.hpp>
#include <mbn/lsa.hpp>
#include <mbn/matrix.hpp>
#include <mbn/model.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>
#include <mbn/text.hpp>

namespace mbn {

struct IndexData;

struct IndexOptions {
  /// `fusion` keeps all words and latent semantic analysis, `bm25` the words, `lsa` and `mbn` the
  /// words and one embedding. With `fit.clusters` there is a network too, whatever the method.
  Method method = Method::fusion;
  /// Words of the embeddings; all words of the collection are kept for BM25.
  TextOptions text{.words = 10000, .weighting = Weighting::log_tfidf};
  /// Latent semantic analysis uses only `components` (nothing means 100), `metric` and `seed` of
  /// it.
  FitOptions fit{.metric = Metric::cosine};
  /// Keep the texts, so that answers can show a passage.
  bool texts = true;
};

/// What an index is made of. Only the embedding must be there; ids and titles are empty or one
/// per row; without a vectorizer there are no text queries; with neither model nor lsa, queries are
/// rows of the embedding itself.
struct IndexParts {
  Matrix embedding;
  std::vector<std::string> ids;
  std::vector<std::string> titles;
  std::optional<Vectorizer> vectorizer;
  std::optional<Model> model;
  std::optional<Lsa> lsa;
};

/// A collection that finds its documents for a question in words, or its rows nearest to a row.
/// Every question is compared with all documents: 60,000 of 100 components take a few
/// milliseconds. It never changes; copies share it; every method may be called from many threads at
/// once.
class Index {
 public:
  /// InvalidArgument when the parts do not fit each other or the embedding is not finite.
  static Index make(IndexParts parts);
  /// From texts: finds the words, trains, embeds. Titles that the documents do not have are the
  /// beginnings of the texts; those that they have are part of what is searched.
  static Index build(const Documents& documents, const IndexOptions& options = {},
                     const RunOptions& run = {});

  std::size_t rows() const;
  /// Of `embedding()`; 0 when there is none.
  std::size_t components() const;
  /// `id` is the row number when there are no ids; `title` is empty when there are no titles.
  std::string id(std::size_t row) const;
  std::string_view title(std::size_t row) const;
  /// The row with this id, the first of several.
  std::optional<std::uint32_t> find(std::string_view id) const;
  /// The cluster of a document, when the index was built with `clusters`.
  std::optional<std::uint32_t> cluster(std::size_t row) const;
  /// What answers unless told otherwise, and all that can.
  Method method() const;
  std::vector<Method> methods() const;
  /// How many different words the collection has; 0 for an index that was made without BM25.
  std::size_t words() const;
  /// Null when the index has none.
  const Vectorizer* vectorizer() const;
  const Model* model() const;
  const Lsa* lsa() const;
  /// By the network, or else by latent semantic analysis; no rows when there is neither. Rows are
  /// scaled to norm 1; rows of zeros stay zero.
  MatrixView embedding() const;

  /// Embeds rows as `embedding()` was made. Without model and lsa the rows are the embedding.
  Matrix embed(RowsView rows, const RunOptions& run = {}) const;

  /// For each row of an embedding the `top` best by the cosine, best first, ties by row number. A
  /// query of zeros has no direction: its list is empty.
  std::vector<std::vector<Hit>> search(MatrixView embedded, std::uint32_t top = 10,
                                       const RunOptions& run = {}) const;
  /// The best documents for each text, by `method()` unless told otherwise. A text without a known
  /// word gets an empty list. InvalidArgument when the index has no vectorizer, or not the method.
  std::vector<std::vector<Hit>> search_text(std::span<const std::string> texts,
                                            std::uint32_t top = 10, const RunOptions& run = {},
                                            std::optional<Method> method = std::nullopt) const;
  /// The documents most like one of them, which is not in the list. By its words only when the
  /// index has its text; InvalidArgument when neither is there.
  std::vector<Hit> like(std::uint32_t row, std::uint32_t top = 10, const RunOptions& run = {},
                        std::optional<Method> method = std::nullopt) const;
  /// The part of a document that answers a question, with the question's words marked.
  Passage passage(std::size_t row, std::string_view question) const;

  /// With more documents, embedded as they are without a new fit; words that are new to the
  /// collection are found by BM25 only. InvalidArgument when the index was not built from texts, or
  /// an id is there already.
  Index added(const Documents& documents, const RunOptions& run = {}) const;
  /// Without the documents of these ids. InvalidArgument when one is unknown, or none would be
  /// left.
  Index removed(std::span<const std::string> ids) const;

  /// The layout of a model file (docs/model-format.md), with the kind "index".
  void save(const std::filesystem::path& path, bool overwrite = false) const;
  static Index load(const std::filesystem::path& path);

 private:
  struct Implementation;
  explicit Index(std::shared_ptr<const Implementation> implementation);
  static Index from_data(IndexData data);

  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace mbn
