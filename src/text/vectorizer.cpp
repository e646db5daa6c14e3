// SPDX-License-Identifier: Apache-2.0
//
// Fitting counts every stem in blocks of documents; each thread has a table of its own, and the
// tables are added up at the end. Counts are whole numbers, so neither the order of documents nor
// the number of threads can change them. The most frequent stems are kept, and sorted by their
// bytes: columns then do not depend on which word came first.
#include "text/vectorizer.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "base/validate.hpp"
#include "rows/weights.hpp"
#include "text/language.hpp"
#include "text/word_reader.hpp"

namespace mbn {

namespace {

constexpr std::size_t kDocumentsPerTask = 256;

struct WordCount {
  std::uint64_t total = 0;
  std::uint32_t documents = 0;
  std::size_t last_document = ~std::size_t{0};
};
using WordTable = std::unordered_map<std::string, WordCount, TextHash, std::equal_to<>>;

void count_words(WordTable& table, WordReader& reader, std::size_t number, std::string_view text) {
  reader.read(text, [&](std::string_view stem) {
    auto found = table.find(stem);
    if (found == table.end()) found = table.emplace(std::string(stem), WordCount{}).first;
    WordCount& count = found->second;
    ++count.total;
    if (count.last_document != number) ++count.documents;
    count.last_document = number;
  });
}

WordTable count_all(std::span<const std::string> documents, const TextOptions& options, Job& job) {
  std::vector<WordTable> tables(job.threads());
  std::vector<WordReader> readers;
  for (unsigned i = 0; i < job.threads(); ++i) readers.emplace_back(options);
  const std::size_t tasks = blocks(documents.size(), kDocumentsPerTask);
  job.stage("words", 1, tasks);
  job.parallel(tasks, [&](std::size_t task, unsigned worker) {
    const std::size_t last = std::min((task + 1) * kDocumentsPerTask, documents.size());
    for (std::size_t i = task * kDocumentsPerTask; i < last; ++i) {
      count_words(tables[worker], readers[worker], i, documents[i]);
    }
  });
  WordTable sum = std::move(tables[0]);
  for (std::size_t t = 1; t < tables.size(); ++t) {
    for (const auto& [word, count] : tables[t]) {
      WordCount& place = sum[word];
      place.total += count.total;
      place.documents += count.documents;
    }
  }
  return sum;
}

struct Candidate {
  std::string_view word;
  std::uint64_t total;
  std::uint32_t documents;
};

/// The kept words in the order of their bytes.
std::vector<Candidate> choose_words(const WordTable& table, const TextOptions& options) {
  std::vector<Candidate> chosen;
  for (const auto& [word, count] : table) {
    if (count.documents < options.min_documents) continue;
    chosen.push_back({word, count.total, count.documents});
  }
  const auto commoner = [](const Candidate& a, const Candidate& b) {
    return a.total != b.total ? a.total > b.total : a.word < b.word;
  };
  if (options.words && *options.words < chosen.size()) {
    std::nth_element(chosen.begin(), chosen.begin() + *options.words, chosen.end(), commoner);
    chosen.resize(*options.words);
  }
  std::ranges::sort(chosen, {}, &Candidate::word);
  return chosen;
}

/// Counts one document into the end of `rows`.
class RowMaker {
 public:
  explicit RowMaker(const VectorizerData& data)
      : data_(data), reader_(data.options), counts_(data.words.size()) {}

  void append(std::string_view text, SparseMatrix& rows) {
    seen_.clear();
    reader_.read(text, [&](std::string_view stem) {
      const auto found = data_.columns.find(stem);
      if (found == data_.columns.end()) return;
      if (counts_[found->second]++ == 0) seen_.push_back(found->second);
    });
    std::sort(seen_.begin(), seen_.end());
    const std::size_t first = rows.values.size();
    for (const std::uint32_t column : seen_) {
      rows.indices.push_back(column);
      rows.values.push_back(static_cast<float>(counts_[column]));
      counts_[column] = 0;
    }
    weigh_row(data_.weights, std::span(rows.indices).subspan(first),
              std::span(rows.values).subspan(first));
    rows.starts.push_back(rows.values.size());
  }

 private:
  const VectorizerData& data_;
  WordReader reader_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> seen_;
};

void append_rows(SparseMatrix& to, const SparseMatrix& part) {
  const std::uint64_t shift = to.starts.back();
  for (std::size_t i = 1; i < part.starts.size(); ++i) to.starts.push_back(shift + part.starts[i]);
  to.indices.insert(to.indices.end(), part.indices.begin(), part.indices.end());
  to.values.insert(to.values.end(), part.values.begin(), part.values.end());
}

}  // namespace

void VectorizerData::complete() {
  weights.weighting = options.weighting;
  columns.reserve(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    columns.emplace(words[i], static_cast<std::uint32_t>(i));
    if (has_frequencies(options.weighting)) {
      weights.frequency.push_back(inverse_document_frequency(documents, document_counts[i]));
    }
  }
}

void validate(const TextOptions& options) {
  validate_fields(options);
  if (options.weighting == Weighting::cells) {
    throw InvalidArgument(ErrorCode::unknown_choice,
                          {option("weighting", "cells"),
                           " is for genes of cells, not for words; "
                           "choose ",
                           option_value("log-tfidf")},
                          {.option = "weighting", .value = "cells"});
  }
}

VectorizerData fit_vectorizer(std::span<const std::string> documents, const TextOptions& given,
                              Job& job) {
  validate(given);
  const TextOptions options = settled(given, documents);
  const WordTable table = count_all(documents, options, job);
  VectorizerData vectorizer;
  vectorizer.options = options;
  vectorizer.documents = documents.size();
  for (const Candidate& candidate : choose_words(table, options)) {
    vectorizer.words.emplace_back(candidate.word);
    vectorizer.document_counts.push_back(candidate.documents);
  }
  if (vectorizer.words.empty()) {
    throw InvalidArgument(
        ErrorCode::too_small,
        {fmt::format("no word is left: {} documents have {} different words, none in {} documents "
                     "or more; give texts with words, or lower ",
                     documents.size(), table.size(), options.min_documents),
         option("min_documents")},
        {.option = "min_documents", .value = std::to_string(options.min_documents)});
  }
  vectorizer.complete();
  return vectorizer;
}

SparseMatrix vectorize(const VectorizerData& vectorizer, std::span<const std::string> documents,
                       Job& job) {
  const std::size_t tasks = blocks(documents.size(), kDocumentsPerTask);
  std::vector<SparseMatrix> parts(tasks);
  std::vector<std::unique_ptr<RowMaker>> makers(job.threads());
  job.stage("counting", 1, tasks);
  job.parallel(tasks, [&](std::size_t task, unsigned worker) {
    if (!makers[worker]) makers[worker] = std::make_unique<RowMaker>(vectorizer);
    const std::size_t last = std::min((task + 1) * kDocumentsPerTask, documents.size());
    for (std::size_t i = task * kDocumentsPerTask; i < last; ++i) {
      makers[worker]->append(documents[i], parts[task]);
    }
  });
  SparseMatrix rows;
  rows.columns = vectorizer.words.size();
  rows.starts.reserve(documents.size() + 1);
  for (SparseMatrix& part : parts) {
    append_rows(rows, part);
    part = {};
  }
  return rows;
}

}  // namespace mbn
