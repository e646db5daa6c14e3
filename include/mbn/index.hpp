// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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

/// How a collection is embedded: by the network, or by latent semantic analysis.
enum class Method : std::uint8_t { mbn, lsa };
template <>
constexpr auto enum_names<Method>() {
  return std::array<std::string_view, 2>{"mbn", "lsa"};
}

struct IndexOptions {
  Method method = Method::mbn;
  TextOptions text{};
  /// Latent semantic analysis uses only `components` (0 means 100), `metric` and `seed` of it.
  FitOptions fit{.metric = Metric::cosine};
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

/// A collection of embedded rows that finds its rows nearest to a query, by the cosine in the
/// embedding. Every query is compared with all rows: 60,000 rows of 100 components take a few
/// milliseconds. It never changes; copies share it; every method may be called from many threads at
/// once.
class Index {
 public:
  /// InvalidArgument when the parts do not fit each other or the embedding is not finite.
  static Index make(IndexParts parts);
  /// From texts: finds the words, trains, embeds. Titles are the beginnings of the texts.
  static Index build(const Documents& documents, const IndexOptions& options = {},
                     const RunOptions& run = {});

  std::size_t rows() const;
  std::size_t components() const;
  /// `id` is the row number when there are no ids; `title` is empty when there are no titles.
  std::string id(std::size_t row) const;
  std::string_view title(std::size_t row) const;
  /// Null when the index has none.
  const Vectorizer* vectorizer() const;
  const Model* model() const;
  const Lsa* lsa() const;
  /// Rows scaled to norm 1; rows of zeros stay zero.
  MatrixView embedding() const;

  /// Embeds rows as the collection was embedded. Without model and lsa the rows are the embedding.
  Matrix embed(RowsView rows, const RunOptions& run = {}) const;

  /// For each row of an embedding the `top` best, best first, ties by row number. A query of
  /// zeros has no direction: its list is empty.
  std::vector<std::vector<Hit>> search(MatrixView embedded, std::uint32_t top = 10,
                                       const RunOptions& run = {}) const;
  /// The same for each text. A text without a known word gets an empty list. InvalidArgument when
  /// the index has no vectorizer.
  std::vector<std::vector<Hit>> search_text(std::span<const std::string> texts,
                                            std::uint32_t top = 10,
                                            const RunOptions& run = {}) const;

  /// The layout of a model file (docs/model-format.md), with the kind "index".
  void save(const std::filesystem::path& path, bool overwrite = false) const;
  static Index load(const std::filesystem::path& path);

 private:
  struct Implementation;
  explicit Index(std::shared_ptr<const Implementation> implementation);

  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace mbn
