// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/options.hpp>
#include <mbn/sparse.hpp>
#include <mbn/text_options.hpp>

namespace mbn {

struct VectorizerData;

/// The words of a collection, and how to count them in any text.
///
/// A word is a run of letters, marks on letters and digits, as Unicode has them; everything else,
/// also bytes that are not UTF-8, separates words. Capital letters become small. Words of more than
/// 64 bytes are no words and are dropped. What is left after stop words is stemmed.
///
/// It never changes; copies share it; every method may be called from many threads at once.
class Vectorizer {
 public:
  /// Finds the most frequent words. InvalidArgument when no word is left.
  static Vectorizer fit(std::span<const std::string> documents, const TextOptions& options = {},
                        const RunOptions& run = {});

  const TextOptions& options() const;
  /// The stems in the order of the columns, which is that of their bytes.
  const std::vector<std::string>& words() const;
  /// How many documents of the collection hold each word.
  const std::vector<std::uint32_t>& document_counts() const;
  /// Documents that `fit` saw.
  std::uint64_t documents() const;

  /// documents x words. A document without known words is an empty row. A document gives the same
  /// row alone, in any batch, with any number of threads.
  SparseMatrix transform(std::span<const std::string> documents, const RunOptions& run = {}) const;

  /// For every column the whole word behind its stem that is most frequent in these documents
  /// ("cars" for "car"); the stem where none has it.
  std::vector<std::string> whole_words(std::span<const std::string> documents) const;

  /// As JSON: {"format": "mbn vocabulary", "options": {...}, "words": [...], ...}.
  std::string to_json() const;
  /// FormatError, beginning with `file`, when the text is not such an object or contradicts itself.
  static Vectorizer from_json(std::string_view text, std::string_view file);
  void save(const std::filesystem::path& path, bool overwrite = false) const;
  static Vectorizer load(const std::filesystem::path& path);

 private:
  friend class Index;
  explicit Vectorizer(std::shared_ptr<const VectorizerData> data);

  std::shared_ptr<const VectorizerData> data_;
};

}  // namespace mbn
